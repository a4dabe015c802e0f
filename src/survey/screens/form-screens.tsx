import type { AskedFieldName } from '../../domain/answers.ts';
import { impliedBy, inputFields } from '../../flows/engine/flow.ts';
import { ScreenForm } from './field.tsx';
import { FormField } from './form-field.tsx';
import type { ScreenProps } from './screen-props.ts';

const narrow: readonly AskedFieldName[] = [
  'first_name',
  'last_name',
  'phone',
  'zip_code',
  'injury_month',
  'injury_year',
];

/** The step's fields, asked ones first. Short ones share a row where there is room. */
function Fields(screen: ScreenProps) {
  const { step, values } = screen;
  const idle = impliedBy(step, values);
  const all = inputFields(step).filter((name) => !(name in idle));
  return (
    <div className={all.some((name) => narrow.includes(name)) ? 'fields fields--pairs' : 'fields'}>
      {all.map((name, index) => (
        <FormField name={name} screen={screen} last={index === all.length - 1} key={name} />
      ))}
    </div>
  );
}

/** A few questions on one screen. */
export function FormScreen(screen: ScreenProps) {
  return (
    <ScreenForm screen={screen}>
      <Fields {...screen} />
    </ScreenForm>
  );
}

/**
 * What the visitor agrees to by the button below it: a plain first line, then the whole, with its links. A form
 * that is posted without a script says which text that was.
 */
function Consent({ consent: { version, html, digest, note } }: Pick<ScreenProps, 'consent'>) {
  return (
    <>
      <p
        id="tcpa"
        className="consent"
        translate="no"
        data-consent-version={version}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: made of our own text, escaped (consent-html.ts)
        dangerouslySetInnerHTML={{ __html: html }}
      />
      {note && <p className="fine">{note}</p>}
      <input type="hidden" name="consent" value={digest} />
    </>
  );
}

/**
 * The last step: contact details, the consent text above the button, and the security disclaimer. The
 * text of `#tcpa` is read from the page and sent with the lead (docs/specification.md#consent).
 */
export function ContactScreen(screen: ScreenProps) {
  const { step, texts, values, prefilled = {}, toggles, consent } = screen;
  const { security } = texts.controls;
  const isPrefilled = inputFields(step).some(
    (name) => values[name] && values[name] === prefilled[name],
  );
  return (
    <ScreenForm
      screen={screen}
      after={
        <>
          {isPrefilled && <p className="fine">{texts.controls.prefilled}</p>}
          {!toggles.hidePrivacyGuarantee && <p className="fine">{security}</p>}
        </>
      }
    >
      <Fields {...screen} />
      <Consent consent={consent} />
    </ScreenForm>
  );
}
