import { expect, test } from 'vitest';
import { formatIso, parseIso } from '../fields/dates.ts';
import { addBusinessDays } from './business-days.ts';

test.each([
  ['2026-11-27', '2026-12-11'], // Friday
  ['2026-11-28', '2026-12-11'], // Saturday
  ['2026-11-29', '2026-12-11'], // Sunday
  ['2026-11-30', '2026-12-14'], // Monday
  ['2026-12-18', '2027-01-01'], // New Year's Day counts.
])('ten business days after %s are %s, whatever the holidays', (from, to) => {
  const day = parseIso(from);
  expect(day && formatIso(addBusinessDays(day, 10))).toBe(to);
});
