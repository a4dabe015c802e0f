import type { DateParts } from '../../domain/field-rules.ts';
import type { Language } from '../../domain/language.ts';
import { formatPhoneMask } from '../../domain/phone-format.ts';
import { buttonOf, chosenOf, impliedBy, inputFields, stepOf } from '../../flows/engine/flow.ts';
import type { StepAnswers } from '../../flows/engine/walk.ts';
import type { SurveyPageData } from '../screens/screen-props.ts';
import type { CopiedAnswer } from './sent-lead.ts';

type Given = Readonly<Record<string, string | undefined>>;

/**
 * Returns each answered question with the visitor's answer, in the survey's words. Omits implied answers. A date is
 * one answer.
 */
export function copyOfAnswers(
  { flow, fields, texts }: Pick<SurveyPageData, 'flow' | 'fields' | 'texts'>,
  steps: readonly string[],
  given: StepAnswers,
): CopiedAnswer[] {
  return steps.flatMap((name) => {
    const step = stepOf(flow, name);
    const own: Given = given[name] ?? {};
    const { question, labels, choices } = texts.steps[name] ?? {};
    const chosen = chosenOf(step, own);
    const asked = [...inputFields(step), ...(chosen ? [buttonOf(chosen)[0]] : [])];
    const implied = impliedBy(step, own);
    return asked.flatMap((field): CopiedAnswer[] => {
      const value = own[field];
      const { kind, parts } = fields[field] ?? {};
      if (!value || field in implied || field === 'selected_buyers') return [];
      // The year's row shows the whole date.
      if (parts && kind !== 'year') return [];
      const label =
        step.kind === 'choice'
          ? question
          : (labels?.[parts && own[parts.month] ? parts.month : field] ??
            (parts ? question : texts.fields[field]?.label));
      const words = choices?.[`${field}=${value}`] ?? texts.choices[field]?.[value];
      const shown = parts ? dateIn(texts.language, own, parts) : (words ?? value);
      return [[label ?? field, kind === 'phone' ? formatPhoneMask(value) : shown]];
    });
  });
}

/** Returns the given parts of a date, in the language's order. */
function dateIn(language: Language, own: Given, { year, month, day }: DateParts): string {
  return new Intl.DateTimeFormat(language, {
    year: 'numeric',
    ...(own[month] && { month: 'long' }),
    ...(own[day] && { day: 'numeric' }),
    timeZone: 'UTC',
  }).format(Date.UTC(Number(own[year]), Number(own[month] || 1) - 1, Number(own[day] || 1)));
}
