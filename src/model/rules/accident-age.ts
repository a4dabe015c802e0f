import type { Answers, AskedFieldName } from '../fields/answers.ts';
import {
  type CalendarDate,
  daysBetween,
  isRealDate,
  monthsBetween,
  parseUs,
} from '../fields/dates.ts';

/** A range of ages, which includes both ends. */
type AgeRange = readonly [lowest: number, highest: number];

/** The possible ages of an accident. */
export type AccidentAge = { readonly days: AgeRange; readonly months: AgeRange };

const within = (days: number, months: number): AccidentAge => ({
  days: [0, days],
  months: [0, months],
});

/** The possible ages for each answer about the timeframe. */
const ages: ReadonlyMap<string | undefined, AccidentAge> = new Map([
  ['Within 1 Week', within(7, 0)],
  ['Within 1 Month', within(31, 1)],
  ['Within 6 Months', within(184, 6)],
  ['Within 1 Year', within(364, 11)],
  ['Within 2 Years', within(729, 23)],
  ['Over 2 Years', { days: [731, Infinity], months: [25, Infinity] }],
]);

export const accidentAgeFields = [
  'injury_year',
  'injury_month',
  'injury_day',
  'date_accident_occurred',
  'accident_date_button',
] as const satisfies readonly AskedFieldName[];

/** Returns the possible ages of the accident, or undefined without a date. */
export function accidentAge(answers: Answers, today: CalendarDate): AccidentAge | undefined {
  const date = incidentDate(answers);
  if (!date) return ages.get(answers.accident_date_button);
  const days = daysBetween(date, today);
  const months = monthsBetween(date, today);
  return { days: [days, days], months: [months, months] };
}

function digitsOnly(value: string | undefined): number {
  return value !== undefined && /^\d{1,4}$/.test(value) ? Number(value) : Number.NaN;
}

/** Returns the date of the accident (docs/specification.md#accident-date). */
export function incidentDate(answers: Answers): CalendarDate | undefined {
  const year = digitsOnly(answers.injury_year);
  const month = digitsOnly(answers.injury_month);
  const first = { year, month, day: 1 };
  if (isRealDate(first)) {
    const exact = { year, month, day: digitsOnly(answers.injury_day) };
    return isRealDate(exact) ? exact : first;
  }
  return answers.date_accident_occurred === undefined
    ? undefined
    : parseUs(answers.date_accident_occurred);
}
