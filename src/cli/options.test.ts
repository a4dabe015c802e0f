import { expect, test } from 'vitest';
import { filterOf, parseTime } from './options.ts';

const now = new Date('2026-07-01T12:00:00Z');

test.each([
  ['2026-07-01', '2026-07-01'],
  ['2026-07-01T14:30-04:00', '2026-07-01T18:30:00.000Z'],
  ['2026-07-01T14:30:15.5Z', '2026-07-01T14:30:15.500Z'],
  ['12h', '2026-07-01T00:00:00.000Z'],
  ['7d', '2026-06-24T12:00:00.000Z'],
])('parseTime parses a day, a time, or a duration such as 12h', (text, expected) => {
  expect(parseTime(text, now)).toBe(expected);
});

test.each(['', 'yesterday', '2026-02-30', '7y', '-7d', '2026-07-01T14:30', '2026-07-01T25:00Z'])(
  'parseTime refuses %j',
  (text) => {
    expect(() => parseTime(text, now)).toThrow(/Expected a day/);
  },
);

test('filterOf returns a filter whose last day is the day before --until', () => {
  expect(filterOf({ since: '2026-06-01', until: '2026-07-01' })).toEqual({
    tests: 'with',
    from: '2026-06-01',
    to: '2026-06-30',
  });
});
