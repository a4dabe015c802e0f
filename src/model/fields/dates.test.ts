import { expect, it } from 'vitest';
import {
  addBusinessDays,
  addDays,
  type CalendarDate,
  calendarDate,
  daysBetween,
  formatIso,
  formatUs,
  isRealDate,
  monthsBetween,
  parseIso,
  parseUs,
} from './dates.ts';

const iso = (text: string): CalendarDate => {
  const [year, month, day] = text.split('-').map(Number);
  return { year: year!, month: month!, day: day! };
};

it.each([
  ['2024-02-28', 2, '2024-03-01'],
  ['2025-02-28', 1, '2025-03-01'],
  ['2025-01-01', -1, '2024-12-31'],
  ['1900-02-28', 1, '1900-03-01'],
  ['2000-02-28', 366, '2001-02-28'],
  ['2025-03-09', 1, '2025-03-10'],
  ['2025-06-15', -200_000, '1477-11-15'],
])('addDays counts across the ends of months and years', (from, days, to) => {
  expect(addDays(iso(from), days)).toEqual(iso(to));
  expect(daysBetween(iso(from), iso(to))).toBe(days);
});

it.each([
  ['2025-01-31', '2025-02-27', 0],
  ['2025-01-31', '2025-02-28', 1],
  ['2025-01-31', '2025-03-31', 2],
  ['2024-02-29', '2025-02-27', 11],
  ['2024-02-29', '2025-02-28', 12],
  ['2024-02-29', '2028-02-28', 47],
  ['2024-02-29', '2028-02-29', 48],
  ['2023-06-15', '2025-07-14', 24],
  ['2023-06-15', '2025-07-15', 25],
  ['2025-03-01', '2025-01-31', -1],
])('monthsBetween counts only complete months', (from, to, months) => {
  expect(monthsBetween(iso(from), iso(to))).toBe(months);
});

it.each([
  ['2025-04-01T03:59:59.999Z', 'America/New_York', '2025-03-31'],
  ['2025-04-01T04:00:00.000Z', 'America/New_York', '2025-04-01'],
  ['2025-03-09T06:59:59.999Z', 'America/New_York', '2025-03-09'], // before summer time
  ['2025-11-02T05:30:00.000Z', 'America/New_York', '2025-11-02'], // end of summer time
  ['2024-03-01T07:59:59.999Z', 'America/Los_Angeles', '2024-02-29'],
  ['2025-12-31T23:59:59.999Z', 'Pacific/Auckland', '2026-01-01'],
])('calendarDate returns the day in the given time zone', (now, timeZone, expected) => {
  expect(formatIso(calendarDate(new Date(now), timeZone))).toBe(expected);
});

it.each([
  ['2024-02-29', '02/29/2024'],
  ['0999-01-01', '01/01/0999'],
  ['2025-12-31', '12/31/2025'],
])('parseUs returns the date that formatUs formatted', (text, us) => {
  const date = iso(text);
  expect([isRealDate(date), formatIso(date), formatUs(date)]).toEqual([true, text, us]);
  expect([parseIso(text), parseUs(us)]).toEqual([date, date]);
});

it.each([
  '2025-2-01',
  '1900-02-29',
  '2025-04-31',
  '02/30/2025',
  '13/01/2025',
  '2025-00-01',
  '2025-01-00',
  '',
  '2025-02-01T00:00',
])('parseIso and parseUs return undefined for the invalid date %j', (text) => {
  expect(parseIso(text)).toBeUndefined();
  expect(parseUs(text)).toBeUndefined();
});

it.each([
  ['2026-11-27', '2026-12-11'], // Friday
  ['2026-11-28', '2026-12-11'], // Saturday
  ['2026-11-29', '2026-12-11'], // Sunday
  ['2026-11-30', '2026-12-14'], // Monday
  ['2026-12-18', '2027-01-01'], // New Year's Day counts.
])('ten business days after %s are %s, whatever the holidays', (from, to) => {
  expect(formatIso(addBusinessDays(iso(from), 10))).toBe(to);
});
