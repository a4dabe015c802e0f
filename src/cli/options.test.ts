import { expect, test } from 'vitest';
import { timeFormatter } from '../server/platform/time-format.ts';
import { parseTime } from './options.ts';

const now = new Date('2026-07-01T12:00:00Z');

test.each([
  ['2026-07-01', '2026-07-01T00:00:00.000Z'],
  ['2026-07-01 14:30:15', '2026-07-01T14:30:15.000Z'],
  ['2026-07-01T14:30:15.5Z', '2026-07-01T14:30:15.500Z'],
  ['2026-07-01T14:30-04:00', '2026-07-01T18:30:00.000Z'],
  ['2028-02-29', '2028-02-29T00:00:00.000Z'],
  ['90m', '2026-07-01T10:30:00.000Z'],
  ['7d', '2026-06-24T12:00:00.000Z'],
  ['2w', '2026-06-17T12:00:00.000Z'],
])('parseTime reads %s as %s', (text, expected) => {
  expect(parseTime(text, 'UTC', now).toISOString()).toBe(expected);
});

test.each([
  // Before and after the change to daylight saving time.
  ['2026-03-08T01:30', '2026-03-08T06:30:00.000Z'],
  ['2026-03-08T03:30', '2026-03-08T07:30:00.000Z'],
  ['2026-07-01T14:30Z', '2026-07-01T14:30:00.000Z'],
])('parseTime reads %s in New York as %s', (text, expected) => {
  expect(parseTime(text, 'America/New_York', now).toISOString()).toBe(expected);
});

test.each(['', 'yesterday', '2026-02-30', '7y', '-7d', '2026-07-01T25:00'])(
  'parseTime refuses %j',
  (text) => {
    expect(() => parseTime(text, 'UTC', now)).toThrow(/Expected a date/);
  },
);

test('timeFormatter shows a time in the zone, with daylight saving time', () => {
  const clock = timeFormatter('America/New_York');
  expect(clock(new Date('2026-07-01T04:05:06Z'))).toEqual({
    date: '2026-07-01',
    time: '00:05:06',
    zone: 'EDT',
    full: '2026-07-01 00:05:06 EDT',
  });
  expect(clock(new Date('2026-12-01T04:05:06Z')).full).toBe('2026-11-30 23:05:06 EST');
});
