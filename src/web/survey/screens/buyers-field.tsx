import type { Answers } from '../../../model/fields/answers.ts';
import { buyersFromAnswers, isChosen, namingFirms } from '../../../model/rules/buyer-choice.ts';
import type { PageConsent, SurveyData } from '../../../model/visit/data.ts';
import type { FieldTexts } from '../texts/texts.ts';
import type { ScreenProps } from './screen-props.ts';

/**
 * The law firms that may call (docs/specification.md#one-to-one-consent): a list of checkboxes, or a
 * question with Yes and No about a single firm. None is required. A form posted without a script says which
 * firms its page showed (`firms`).
 */
export function BuyersField({ screen }: { readonly screen: ScreenProps }) {
  const { answers, values, texts, settings } = screen;
  const firms = buyersFromAnswers(answers.displayed_buyers, answers.displayed_buyer_ids);
  // Every survey with this field has its words.
  const { label, ofOne } = texts.fields.selected_buyers as Required<FieldTexts>;
  const only = firms[1] ? undefined : firms[0];
  const { selected_buyers: chosen } = values;
  const shown = chosen ?? (settings.preselectsFirms ? answers.displayed_buyer_ids : '');
  const options = only
    ? ([
        [ofOne.yes, only[1]],
        [ofOne.no, ''],
      ] as const)
    : firms;
  return (
    <fieldset className="buyers">
      <input type="hidden" name="firms" value={answers.displayed_buyer_ids} />
      <legend>{only ? ofOne.question.replace('{firm}', () => only[0]) : label}</legend>
      {options.map(([name, value]) => (
        <label className="buyer" key={value}>
          <input
            type={only ? 'radio' : 'checkbox'}
            name="selected_buyers"
            value={value}
            defaultChecked={value ? isChosen(value, shown) : chosen === ''}
          />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Returns a step's consent text with the names of the law firms shown. */
export function consentOf(
  { consent, stepConsents }: Pick<SurveyData, 'consent' | 'stepConsents'>,
  step: string,
  { displayed_buyers: names = '' }: Answers,
): PageConsent {
  const ofOne = /^[^|]+$/.test(names) && stepConsents?.oneBuyer;
  const own = ofOne || stepConsents?.[step] || consent;
  const safe = names.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return { ...own, html: namingFirms(own.html, safe) };
}

/** Returns both labels of the button. The style sheet shows one (buyers.css), also where no script runs. */
export function submitLabel({ name, texts }: Pick<ScreenProps, 'name' | 'texts'>) {
  const { submit, submitWithoutFirm } = { ...texts.steps[name] };
  return (
    submitWithoutFirm &&
    [submit, submitWithoutFirm].map((label) => <span key={label}>{label}</span>)
  );
}
