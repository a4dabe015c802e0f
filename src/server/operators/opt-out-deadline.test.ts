import { expect, test } from 'vitest';
import { formatIso, parseIso } from '../../domain/dates.ts';
import { businessDaysUntil, optOutDueBy } from './opt-out-deadline.ts';

const day = (text: string) => parseIso(text) ?? expect.fail(text);

test.each([
  ['2026-11-02', '2026-11-23'], // a Monday: three weeks later
  ['2026-11-06', '2026-11-27'], // a Friday
  ['2026-11-07', '2026-11-27'], // a Saturday counts from Monday on
  ['2026-11-08', '2026-11-27'], // a Sunday
  ['2028-02-28', '2028-03-20'], // over a leap day
])('a request of %s is due by %s', (received, due) => {
  expect(formatIso(optOutDueBy(day(received)))).toBe(due);
});

test.each([
  ['2026-11-20', '2026-11-23', 1],
  ['2026-11-23', '2026-11-23', 0],
  ['2026-11-23', '2026-11-20', -1],
  ['2026-11-02', '2026-11-23', 15],
])('from %s to %s are %i business days', (from, to, days) => {
  expect(businessDaysUntil(day(from), day(to))).toBe(days);
});
