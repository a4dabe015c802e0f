import type { AskedFieldName } from '../../domain/answers.ts';
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
  const { step, place } = screen;
  const all = [...(step.asks ?? []), ...(step.optional ?? [])];
  return (
    <div className={all.some((name) => narrow.includes(name)) ? 'fields fields--pairs' : 'fields'}>
      {all.map((name, index) => (
        <FormField name={name} screen={screen} last={index === all.length - 1} key={name} />
      ))}
      {all.includes('zip_code') && (
        <p className="place" role="status">
          {place}
        </p>
      )}
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
 * The last step: contact details, the consent text and the security disclaimer. The text of `#tcpa` is
 * read from the page and sent with the lead (docs/specification.md#consent).
 */
export function ContactScreen(screen: ScreenProps) {
  const { texts, toggles, consent } = screen;
  return (
    <ScreenForm
      screen={screen}
      after={
        <>
          <p id="tcpa" className="fine" translate="no" data-consent-version={consent.version}>
            {consent.text}
          </p>
          {!toggles.hidePrivacyGuarantee && <p className="security">{texts.controls.security}</p>}
        </>
      }
    >
      <Fields {...screen} />
    </ScreenForm>
  );
}
