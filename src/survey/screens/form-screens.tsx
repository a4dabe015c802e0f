import type { AskedFieldName } from '../../domain/answers.ts';
import { ScreenForm, TextField } from './field.tsx';
import type { ScreenProps } from './screen-props.ts';

const narrow: readonly AskedFieldName[] = ['first_name', 'last_name', 'phone', 'zip_code'];

/** The step's fields, asked ones first. Names, phone and zip share a row where there is room. */
function Fields(screen: ScreenProps) {
  const { step } = screen;
  const asked = step.asks ?? [];
  const optional = step.optional ?? [];
  const all = [...asked, ...optional];
  return (
    <div className={all.some((name) => narrow.includes(name)) ? 'fields fields--pairs' : 'fields'}>
      {all.map((name, index) => (
        <TextField
          name={name}
          screen={screen}
          optional={!asked.includes(name)}
          last={index === all.length - 1}
          key={name}
        />
      ))}
    </div>
  );
}

/** A few one-line questions on one screen. */
export function FormScreen(screen: ScreenProps) {
  return (
    <ScreenForm screen={screen}>
      <Fields {...screen} />
    </ScreenForm>
  );
}

/**
 * The last step: contact details, the consent text and the security disclaimer. The text of `#tcpa`
 * is read from the page and sent with the lead (document 2, section 2).
 */
export function ContactScreen(screen: ScreenProps) {
  const { texts, toggles, consent, place } = screen;
  return (
    <ScreenForm
      screen={screen}
      after={
        <>
          <p id="tcpa" className="fine" data-consent-version={consent.version}>
            {consent.text}
          </p>
          {!toggles.hidePrivacyGuarantee && <p className="security">{texts.controls.security}</p>}
        </>
      }
    >
      <Fields {...screen} />
      <p className="place" role="status">
        {place}
      </p>
    </ScreenForm>
  );
}
