import { expect, it } from 'vitest';
import { testCalendar, testEntry, testRules } from '../../../tests/support/build.ts';
import { testLead, testNow } from '../../../tests/support/leads.ts';
import { readPost } from './read.ts';
import { walkPost } from './walk.ts';

const entry = testEntry('/survey/v4nv');
const walkOf = (overrides: Record<string, unknown>, survey: typeof entry | undefined = entry) =>
  walkPost(
    readPost(testLead(overrides), testNow, { calendar: testCalendar, rules: testRules }),
    survey,
    testRules,
  );

it('walkPost counts only answers of the steps on the path', () => {
  const { given, counted, isWhole, problems } = walkOf({ missed_work: 'yes' });
  expect(isWhole).toBe(true);
  expect(given).toMatchObject({ missed_work: 'yes', at_Fault: 'no' });
  expect(counted).toMatchObject({ at_Fault: 'no' });
  expect(counted).not.toHaveProperty('missed_work');
  expect(problems).toEqual([{ problem: 'unreached_field', field: 'missed_work', value: 'yes' }]);
});

it('walkPost counts all answers if a step on the path is unanswered', () => {
  const { counted, isWhole, problems } = walkOf({ at_Fault: undefined, missed_work: 'yes' });
  expect(isWhole).toBe(false);
  expect(counted).toMatchObject({ missed_work: 'yes' });
  expect(problems).toEqual([{ problem: 'incomplete', reason: 'AtFault' }]);
});

it('walkPost does not mark a value that a rule set, nor the state of the zip code', () => {
  const posted = { when_seek_medical_treatment: 'first_week', injury_day: '05', state: 'NY' };
  const { given, problems } = walkOf(posted);
  expect(problems).toEqual([]);
  expect(given).not.toHaveProperty('state');
});

it('walkPost uses the state that the visit began with, as the page did', () => {
  const born = { date_of_birth_month: '04', date_of_birth_day: '12', date_of_birth_year: '1985' };
  const asked = walkOf({ ...born, visitor_state: 'AL', state: 'NY' });
  expect(asked).toMatchObject({ isWhole: true, problems: [], counted: born });
  const notAsked = walkOf({ state: 'AL' });
  expect(notAsked).toMatchObject({ isWhole: true, problems: [] });
  const missing = walkOf({ visitor_state: 'AL' });
  expect(missing.problems).toEqual([{ problem: 'incomplete', reason: 'DateOfBirth' }]);
});
