import type { Answers, AskedFieldName } from '../../fields/answers.ts';
import { askedFields } from '../../fields/asked-fields.ts';
import { addDays, type CalendarDate } from '../../fields/dates.ts';
import { fieldsOf, type Step } from '../engine/flow.ts';
import type { Samples } from './paths.ts';

/** Ages of accidents, in days. */
const daysAgo = [5, 200, 500, 1200];

/** Returns the answers to WhenWasTheAccident for an accident this many days ago. */
export function dateAnswers(today: CalendarDate, days: number): Answers {
  const date = addDays(today, -days);
  const two = (value: number) => String(value).padStart(2, '0');
  return {
    injury_month: two(date.month),
    injury_year: String(date.year),
    injury_day: two(date.day),
  };
}

/** Valid sample values of typed fields. */
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

const zipsWithAndWithoutBuyers = [
  ['10001', 'NY', 'yes'],
  ['20001', 'DC', 'no'],
  ['68102', 'NE', 'yes'],
  ['35004', 'AL', 'no'],
] as const;

function only(fields: readonly AskedFieldName[], answers: Answers): Answers {
  return Object.fromEntries(
    Object.entries(answers).filter(([field]) => fields.includes(field as AskedFieldName)),
  );
}

function formAnswer(field: AskedFieldName, today: CalendarDate): string {
  const { values } = askedFields[field];
  const dated = dateAnswers(today, daysAgo[1] as number);
  const value = typedAnswers[field] ?? dated[field] ?? values?.[0];
  if (value === undefined) throw new Error(`no sample for the field ${field}`);
  return value;
}

/** Returns the sample answers for the tests of all flows. */
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
