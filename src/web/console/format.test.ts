import { describe, expect, test } from 'vitest';
import {
  addDays,
  change,
  count,
  day,
  dayOf,
  duration,
  exactTime,
  percent,
  relativeTime,
  timeOfDay,
} from './format.ts';

/** Replaces narrow spaces by plain spaces, so that the expected texts are readable. */
const plain = (text: string) => text.replaceAll('\u202f', ' ');

describe('numbers', () => {
  test.each([
    [0, '0'],
    [1000, '1 000'],
    [-5, '−5'],
  ])('count(%d) is %s', (n, text) => expect(plain(count(n))).toBe(text));

  test.each([
    [1, 8, '12.5 %'],
    [0, 0, '–'],
  ])('percent(%d, %d) is %s', (part, of, text) => expect(plain(percent(part, of))).toBe(text));

  test.each([
    [112, 100, '+12 %'],
    [7, 7, '±0'],
    [100_001, 100_000, '±0'],
    [7, 0, 'new'],
  ])('change(%d, %d) is %s', (now, before, text) => expect(plain(change(now, before))).toBe(text));
});

test.each([
  [340.4, '340 ms'],
  [1200, '1.2 s'],
  [45_400, '45 s'],
  [250_000, '4 min 10 s'],
  [7_500_000, '2 h 5 min'],
  [86_400_000 * 3 + 4 * 3_600_000, '3 d 4 h'],
])('duration(%d) is %s', (ms, text) => expect(plain(duration(ms))).toBe(text));

describe('times', () => {
  const now = Date.parse('2026-11-23T19:02:11Z');
  test.each([
    ['2026-11-23T19:02:05Z', 'just now'],
    ['2026-11-23T18:59:00Z', '3 min ago'],
    ['2026-11-22T05:02:11Z', '38 h ago'],
    ['2026-11-23T21:02:11Z', 'in 2 h'],
  ])('relativeTime(%s) is %s', (iso, text) => expect(plain(relativeTime(iso, now))).toBe(text));

  test('exactTime and timeOfDay write a time in the given time zone', () => {
    const exact = exactTime('2026-11-23T19:02:11Z', 'America/New_York');
    expect(plain(exact)).toBe('Mon, Nov 23, 2026, 14:02:11 EST');
    expect(timeOfDay('2026-11-23T05:02:11Z', 'America/New_York')).toBe('00:02');
  });

  test('dayOf returns the day of a time in the given time zone', () => {
    const moment = Date.parse('2026-11-23T03:00:00Z');
    expect(dayOf(moment, 'America/New_York')).toBe('2026-11-22');
    expect(dayOf(moment, 'UTC')).toBe('2026-11-23');
  });

  test('day and addDays do not depend on the time zone or on daylight saving', () => {
    expect(day('2026-11-23')).toBe('Nov 23');
    expect(day('2026-11-23T00:00:00-05:00')).toBe('Nov 23');
    expect(addDays('2026-03-08', 1)).toBe('2026-03-09');
    expect(addDays('2026-11-01', -1)).toBe('2026-10-31');
  });
});
