import { expect, test } from 'vitest';
import { addDays, change, day, dollars, duration, relativeTime } from './format.ts';

const plain = (text: string) => text.replaceAll('\u202f', ' ');

test.each([
  [340.4, '340 ms'],
  [1200, '1.2 s'],
  [45_400, '45 s'],
  [250_000, '4.2 min'],
  [7_500_000, '2.1 h'],
  [86_400_000 * 3 + 4 * 3_600_000, '3.2 d'],
])('duration writes %d milliseconds in one unit', (ms, text) =>
  expect(plain(duration(ms))).toBe(text),
);

const now = Date.parse('2026-11-23T19:02:11Z');
test.each([
  ['2026-11-23T19:02:05Z', 'just now'],
  ['2026-11-23T18:59:00Z', '3 min ago'],
  ['2026-11-22T05:02:11Z', '38 h ago'],
  ['2026-11-23T21:02:11Z', 'in 2 h'],
])('relativeTime writes the time %s relative to now', (iso, text) =>
  expect(plain(relativeTime(iso, now))).toBe(text),
);

test('day and addDays do not shift a date to another time zone', () => {
  expect(day('2026-11-23T00:00:00-05:00')).toBe('Nov 23');
  expect(addDays('2026-03-08', 1)).toBe('2026-03-09');
  expect(addDays('2026-11-01', -1)).toBe('2026-10-31');
});

test.each([
  [0, '$0.00'],
  [1234.5, '$1,234.50'],
  [-0.001, '$0.00'],
  [-75, '−$75.00'],
  [9999.99, '$9,999.99'],
  [1_234_567.89, '$1,234,567.89'],
])('dollars writes %d with its cents', (amount, text) => expect(dollars(amount)).toBe(text));

test('change writes a loss that became a gain as an increase', () => {
  expect(plain(change(50, -100))).toBe('+150 %');
});
