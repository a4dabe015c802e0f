import { expect, it } from 'vitest';
import type { Answers } from '../fields/answers.ts';
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

it('asksDateOfBirth prefers the zip code’s state to the state at the start of the visit', () => {
  const asks = (answers: Answers, state?: string) =>
    conditions.asksDateOfBirth.test({ ...facts(answers), state });
  expect(asks({}, 'AL')).toBe(true);
  expect(asks({}, 'TX')).toBe(false);
  expect(asks({ state: 'TX' }, 'AL')).toBe(false);
  expect(asks({ state: 'NE' }, 'TX')).toBe(true);
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
])('incidentDate reads the date of the accident from the answers', (answers, expected) => {
  expect(incidentDate(answers)).toEqual(expected && parseIso(expected));
});
