import { expect, it } from 'vitest';
import type { Answers } from '../fields/answers.ts';
import { askedFields } from '../fields/asked-fields.ts';
import { parseIso } from '../fields/dates.ts';
import { incidentDate } from './accident-age.ts';
import { conditions, type Facts } from './facts.ts';

const today = { year: 2025, month: 6, day: 15 };

const facts = (answers: Answers): Facts => ({
  answers,
  today,
  survey: {
    combinedLastStep: false,
    skipsLawyerFunding: false,
    confirmsLawyer: true,
    startsWithCaseWorth: false,
  },
  settings: { dateOfBirthStates: ['AL', 'NE'] },
});

it('asksDateOfBirth depends on the zip code’s state, else on the state known at the start', () => {
  const asks = (answers: Answers, state?: string) =>
    conditions.asksDateOfBirth.test({ ...facts(answers), state });
  expect(asks({}, 'AL')).toBe(true);
  expect(asks({}, 'TX')).toBe(false);
  expect(asks({ state: 'TX' }, 'AL')).toBe(false);
  expect(asks({ state: 'NE' }, 'TX')).toBe(true);
});

it('conditions read only the answers in their list', () => {
  const given = {
    injury_year: '2025',
    injury_month: '06',
    injury_day: '12',
    at_Fault: 'yes',
    with_Lawyer: 'yes',
    specific_injury: 'Whiplash',
    doctor_treatment: 'no',
  };
  for (const [name, condition] of Object.entries(conditions)) {
    const reads: readonly PropertyKey[] = condition.reads;
    const get = (answers: object, field: PropertyKey) => {
      expect(reads, name).toContain(field);
      return Reflect.get(answers, field);
    };
    for (const answers of [given, {}]) condition.test(facts(new Proxy(answers, { get })));
    for (const field of condition.reads) expect(askedFields).toHaveProperty([field]);
  }
});

it.each([
  [{ injury_year: '2025', injury_month: '02' }, '2025-02-01'],
  [{ injury_year: '2025', injury_month: '02', injury_day: '17' }, '2025-02-17'],
  [{ injury_year: '2025', injury_month: '02', injury_day: '30' }, '2025-02-01'],
  [{ injury_year: '2025', injury_month: '02', injury_day: 'x' }, '2025-02-01'],
  [{ date_accident_occurred: '02/29/2024' }, '2024-02-29'],
  [{ date_accident_occurred: '02/29/2023' }, undefined],
  [{ injury_year: '2025' }, undefined],
  [{ injury_year: '0', injury_month: '02' }, undefined],
  [{ injury_year: '2025', injury_month: '13' }, undefined],
])('incidentDate of %o is %s', (answers, expected) => {
  expect(incidentDate(answers)).toEqual(expected && parseIso(expected));
});
