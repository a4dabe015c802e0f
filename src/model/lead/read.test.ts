import { expect, it } from 'vitest';
import { testCalendar, testEntry, testRules } from '../../../tests/support/build.ts';
import { testLead, testNow } from '../../../tests/support/leads.ts';
import { readPlace, readPost, walkPost } from './read.ts';

const read = (body: Record<string, unknown>) =>
  readPost(body, testNow, { calendar: testCalendar, rules: testRules });

it.each(['2026-10-01T00:00:00Z', '2026-11-23T00:00:00Z', 'now'])(
  'readPost ignores the implausible submission time %s',
  (submitted_at) => {
    const { submittedAt, today, problems } = read(testLead({ submitted_at }));
    expect(submittedAt).toBeUndefined();
    expect(today.day).toBe(21);
    expect(problems).toEqual([
      { problem: 'unlikely_time', field: 'submitted_at', value: submitted_at },
    ]);
  },
);

const unknown = { zip: '', city: '', state: '', state_long: '', county: '' };

it('readPlace returns the posted city and state if the zip code is unknown', () => {
  const posted = { zip_code: '00000', state: 'TX', city: 'Austin' };
  expect(readPlace(posted, () => unknown)).toEqual({
    place: { city: 'Austin', state: 'TX' },
    problems: [{ problem: 'bad_value', field: 'zip_code', reason: 'unknown_zip', value: '00000' }],
  });
});

it.each([
  ['NE', { state: 'NE', state_long: 'Nebraska' }],
  ['outside', {}],
])('readPlace returns the state that the visitor chose', (state_choice, place) => {
  const located = readPlace({ zip_code: '00601', state: 'TX', state_choice }, () => unknown);
  expect(located).toMatchObject({ place, problems: [{ reason: 'unknown_zip' }] });
  expect(located.place).toEqual(place);
});

const entry = testEntry('/survey/v4nv');
const walkOf = (overrides: Record<string, unknown>, survey: typeof entry | undefined = entry) =>
  walkPost(
    readPost(testLead(overrides), testNow, { calendar: testCalendar, rules: testRules }),
    survey,
    testRules,
  );

it('walkPost returns only answers to questions that the flow asked', () => {
  const { usedAnswers, isWhole, problems } = walkOf({ missed_work: 'yes' });
  expect(isWhole).toBe(true);
  expect(usedAnswers).toMatchObject({ at_Fault: 'no' });
  expect(usedAnswers).not.toHaveProperty('missed_work');
  expect(problems).toEqual([{ problem: 'unreached_field', field: 'missed_work', value: 'yes' }]);
});

it('walkPost returns all answers of an incomplete survey', () => {
  const { usedAnswers, isWhole, problems } = walkOf({ at_Fault: undefined, missed_work: 'yes' });
  expect(isWhole).toBe(false);
  expect(usedAnswers).toMatchObject({ missed_work: 'yes' });
  expect(problems).toEqual([{ problem: 'incomplete', reason: 'AtFault' }]);
});

it('walkPost decides by visitor_state whether the survey requires a date of birth', () => {
  const born = { date_of_birth_month: '04', date_of_birth_day: '12', date_of_birth_year: '1985' };
  const asked = walkOf({ ...born, visitor_state: 'AL', state: 'NY' });
  expect(asked).toMatchObject({ isWhole: true, problems: [], usedAnswers: born });
  const notAsked = walkOf({ state: 'AL' });
  expect(notAsked).toMatchObject({ isWhole: true, problems: [] });
  const missing = walkOf({ visitor_state: 'AL' });
  expect(missing.problems).toEqual([{ problem: 'incomplete', reason: 'DateOfBirth' }]);
});
