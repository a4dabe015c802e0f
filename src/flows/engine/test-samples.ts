import type { Answers, AskedFieldName } from '../../domain/answers.ts';
import { type AskedField, askedFields } from '../../domain/asked-fields.ts';
import { addDays, type CalendarDate } from '../../domain/dates.ts';
import { fieldsOf, type Step } from './flow.ts';
import type { Samples } from './paths.ts';

/** Days ago that lie on either side of every limit that flows branch on (14 days, 12 months, 730 days). */
const daysAgo = [5, 200, 500, 1200];

/** The answers of WhenWasTheAccident for an accident some days ago. */
export function dateAnswers(today: CalendarDate, days: number): Answers {
  const date = addDays(today, -days);
  const two = (value: number) => String(value).padStart(2, '0');
  return {
    injury_month: two(date.month),
    injury_year: String(date.year),
    injury_day: two(date.day),
  };
}

/** What a visitor of the tests types, by field; harmless, recognisable and valid. */
export const typedAnswers: Answers = {
  current_compensation: '20000',
  case_description:
    'I was stopped at a red light when another driver hit my car from behind and my neck hurts.',
  law_firm_name: 'Garcia and Lopez Law',
  first_name: 'Maria',
  last_name: 'Sandoval',
  email: 'maria.sandoval@example.com',
  phone: '2125550123',
  zip_code: '10001',
  address: '12 Main Street',
  date_of_birth_month: '04',
  date_of_birth_day: '12',
  date_of_birth_year: '1985',
};

/**
 * Zip codes, their states, and whether the sandbox has buyers there: with and without, in a state of
 * the date-of-birth list and in another.
 */
const zipsWithAndWithoutBuyers = [
  ['10001', 'NY', 'yes'],
  ['20001', 'DC', 'no'],
  ['68102', 'NE', 'yes'],
  ['35004', 'AL', 'no'],
] as const;

/** The answers to these fields alone. */
function only(fields: readonly AskedFieldName[], answers: Answers): Answers {
  return Object.fromEntries(
    Object.entries(answers).filter(([field]) => fields.includes(field as AskedFieldName)),
  );
}

/** The answer to one field of a form: what is typed, a part of a date, or the first of its answers. */
function formAnswer(field: AskedFieldName, today: CalendarDate): string {
  const { values } = askedFields[field] as AskedField;
  const dated = dateAnswers(today, daysAgo[1] as number);
  const value = typedAnswers[field] ?? dated[field] ?? values?.[0];
  if (value === undefined) throw new Error(`no sample for the field ${field}`);
  return value;
}

/**
 * Answers for every kind of step, such that `allPaths` finds every way that there is: dates on either
 * side of every limit, and each choice inside a step that has more than buttons.
 */
export function testSamples(today: CalendarDate): Samples {
  return (_name: string, step: Step) => {
    if (step.kind === 'choice') return undefined;
    if (step.kind === 'accident-date') {
      return daysAgo.map((days) => only(fieldsOf(step), dateAnswers(today, days)));
    }
    const typed = Object.fromEntries(
      (step.asks ?? []).map((field) => [field, formAnswer(field, today)]),
    ) as Answers;
    if (step.finds?.includes('1_to_1_consent')) {
      return zipsWithAndWithoutBuyers.map(([zip_code, state, consent]) => ({
        ...typed,
        zip_code,
        state,
        '1_to_1_consent': consent,
      }));
    }
    return step.choices ? step.choices.map((choice) => ({ ...typed, ...choice })) : [typed];
  };
}
