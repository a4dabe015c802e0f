import { expect, test } from 'vitest';
import { today } from '../test-support/survey-fixture.ts';
import { dayOptions, monthOptions, yearOptions } from './date-options.ts';

test('offers sixteen years, newest first, and numbered months', () => {
  const years = yearOptions(today).map(([value]) => value);
  expect([years.length, years[0], years.at(-1)]).toEqual([16, '2026', '2011']);
  expect(monthOptions(['a', 'b']).join(' ')).toBe('01,a 02,b');
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
