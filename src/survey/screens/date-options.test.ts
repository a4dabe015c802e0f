import { expect, test } from 'vitest';
import { today } from '../test-support/survey-fixture.ts';
import { accidentMonths, accidentYears, dayOptions } from './date-options.ts';

const names = Array.from({ length: 12 }, (_, index) => `m${index + 1}`);

test.each([
  [{}, 12, '2026'],
  [{ injury_year: '2026' }, 11, '2026'],
  [{ injury_year: '2025' }, 12, '2026'],
  [{ injury_month: '12' }, 12, '2025'],
  [{ injury_month: '11' }, 12, '2026'],
])('offers no month ahead after %o: %i months, years from %s to 2011', (values, months, newest) => {
  const years = accidentYears(values, today).map(([value]) => value);
  expect([years[0], years.at(-1)]).toEqual([newest, '2011']);
  const offered = accidentMonths(values, today, names);
  expect(offered).toHaveLength(months);
  // Where no script runs, the style sheet hides these.
  expect(offered.filter(([, , ahead]) => ahead).map(([value]) => value)).toEqual(
    months === 12 ? ['12'] : [],
  );
});

test.each([
  ['02', '2023', 28],
  ['02', '2024', 29],
  ['02', '', 29],
  ['04', '2025', 30],
  ['', '', 31],
  ['11', '2026', 20],
  ['11', '2025', 30],
])('month %s of %s offers %d days', (month, year, count) => {
  expect(dayOptions(month, year, today)).toHaveLength(count);
});
