import { expect, it } from 'vitest';
import type { Answers } from '../fields/answers.ts';
import { formatIso } from '../fields/dates.ts';
import { type GuidanceInput, guidanceFor } from './guidance.ts';
import { lastDaysToSue, limitationTable } from './limitation.ts';
import citations from './limitation-citations.json' with { type: 'json' };

const on = (iso: string): Answers => {
  const [injury_year, injury_month, injury_day] = iso.split('-');
  return { injury_year, injury_month, ...(injury_day && { injury_day }) } as Answers;
};
const lastDay = (state: string, accident: string) => {
  const [day] = lastDaysToSue(state, on(accident));
  return day && formatIso(day);
};

it.each([
  ['TX', '2026-06-03', '2028-06-03'],
  ['DC', '2026-11-30', '2029-11-30'],
  ['TN', '2024-02-29', '2025-02-28'],
  ['NE', '2024-02-29', '2028-02-29'],
  // Only the month is known: the first day counts.
  ['TX', '2026-06', '2028-06-01'],
  // The present laws of Florida and Louisiana apply to accidents from a day on.
  ['FL', '2023-03-23', '2027-03-23'],
  ['FL', '2023-03-24', '2025-03-24'],
  ['LA', '2024-07-01', '2025-07-01'],
  ['LA', '2024-07-02', '2026-07-02'],
  // The law changed within the month: the earliest last day counts.
  ['FL', '2023-03', '2025-03-24'],
  ['LA', '2024-07', '2025-07-01'],
  ['PR', '2026-06-03', undefined],
])('the last day to sue in %s after an accident on %s is %s', (state, accident, last) => {
  expect(lastDay(state, accident)).toBe(last);
});

it('has one citation for each US state and DC', () => {
  expect(Object.keys(citations).sort()).toEqual(limitationTable.map(({ code }) => code).sort());
});

const today = { year: 2026, month: 11, day: 28 };
const guidance = (answers: Answers, change: Partial<GuidanceInput> = {}) =>
  guidanceFor({
    answers,
    visitState: undefined,
    today,
    rules: {},
    isDescription: true,
    ...change,
  });
const hurt = { ...on('2026-06-03'), physical_injury: 'Yes' } as const;

it('shows the guidance before the description once state, date and injury are known', () => {
  const early = { isDescription: false, visitState: 'TX' };
  expect(guidance(hurt, early)).toBeDefined();
  expect(guidance(hurt, { isDescription: false })).toBeUndefined();
  expect(guidance(on('2026-06-03'), early)).toBeUndefined();
  expect(guidance({ physical_injury: 'Yes' }, early)).toBeUndefined();
});

it('shows no guidance in flows that are not about a claim of the visitor', () => {
  expect(guidance(hurt, { rules: { isWithoutAccident: true } })).toBeUndefined();
  expect(
    guidance(hurt, { rules: { clearsRejectionsAfter: 'prior_alcohol_related_offense' } }),
  ).toBeUndefined();
});

it('has the times of all states, earliest first, until the state is known', () => {
  const all = guidance(hurt)?.times ?? [];
  expect(all).toHaveLength(51);
  expect(all[0]).toMatchObject({ state: 'TN', years: 1 });
  expect(all.at(-1)?.years).toBe(6);
  expect(guidance(hurt, { visitState: 'TX' })?.times).toMatchObject([{ state: 'TX', years: 2 }]);
  expect(guidance({ ...hurt, state: 'ME' }, { visitState: 'TX' })?.times[0]?.state).toBe('ME');
  expect(guidance({ ...hurt, state: 'PR' })?.times).toEqual([]);
});

it.each([
  [{ physical_injury: 'No' }, 0],
  [{ at_Fault: 'yes' }, 0],
  [{ at_Fault: 'yes', partial_fault: 'yes' }, 1],
] as const)('tells %j a deadline only if they may sue', (answers, count) => {
  expect(guidance({ ...hurt, ...answers }, { visitState: 'TX' })?.times).toHaveLength(count);
});

it.each([
  [on('2025-01-27'), 'none'],
  [on('2025-01-26'), 'near'],
  [on('2024-11-28'), 'near'],
  [on('2024-11-27'), 'over'],
  // Without the day it is over only if the last day of the month is.
  [on('2024-11'), 'near'],
  [on('2024-10'), 'over'],
  [{ accident_date_button: 'Within 2 Years' }, 'none'],
  [{ accident_date_button: 'Over 2 Years' }, 'over'],
] as const)('after %j the deadline in Texas is %s', (answers, urgency) => {
  expect(guidance(answers, { visitState: 'TX' })?.urgency).toBe(urgency);
});

it.each([
  [{}, ['doctorIfNone', 'keepPhotos']],
  [{ doctor_treatment: 'no', police_report: 'no' }, ['doctor', 'askForReport', 'keepPhotos']],
  [{ doctor_treatment: 'yes', police_report: 'yes' }, ['bills', 'copyReport', 'keepPhotos']],
  [{ required_medical_treatment: 'yes' }, ['bills', 'keepPhotos']],
  [{ physical_injury: 'No', police_report: 'yes' }, ['doctorIfPain', 'copyReport', 'keepPhotos']],
  [{ hit_and_run: 'yes' }, ['doctorIfNone', 'reportNow', 'askCameras', 'ownPolicy']],
  [
    { hit_and_run: 'yes', police_report: 'yes' },
    ['doctorIfNone', 'copyReport', 'askCameras', 'ownPolicy'],
  ],
  [{ hit_and_run: 'yes', hit_and_run_identified: 'yes' }, ['doctorIfNone', 'keepPhotos']],
] as const)('says what to do now after %j', (answers, steps) => {
  expect(guidance({ ...hurt, ...answers })?.steps).toEqual(steps);
});

it('counts the fewest years if the law changed within the month of the accident', () => {
  const { times = [] } =
    guidance({ physical_injury: 'Yes', ...on('2023-03') }, { visitState: 'FL' }) ?? {};
  expect(times).toMatchObject([{ state: 'FL', years: 2, isOver: false }]);
});
