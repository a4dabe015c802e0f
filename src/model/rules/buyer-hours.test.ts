import { expect, it } from 'vitest';
import { localDay, nextOpening, periodOf } from './buyer-hours.ts';

const at = (text: string) => new Date(text);
const iso = ({ from, until }: ReturnType<typeof periodOf>) => [
  from.toISOString(),
  until?.toISOString(),
];

it.each([
  ['hour', 'America/Chicago', '2026-07-01T15:30:10Z', '2026-07-01T15:00Z', '2026-07-01T16:00Z'],
  ['hour', 'Asia/Kolkata', '2026-07-01T15:10Z', '2026-07-01T14:30Z', '2026-07-01T15:30Z'],
  ['day', 'America/Chicago', '2026-07-02T03:00Z', '2026-07-01T05:00Z', '2026-07-02T05:00Z'],
  ['day', 'America/New_York', '2026-11-01T12:00Z', '2026-11-01T04:00Z', '2026-11-02T05:00Z'],
  ['day', 'America/New_York', '2026-03-08T12:00Z', '2026-03-08T05:00Z', '2026-03-09T04:00Z'],
  ['week', 'America/New_York', '2026-11-01T12:00Z', '2026-10-26T04:00Z', '2026-11-02T05:00Z'],
  ['month', 'Pacific/Honolulu', '2027-01-01T05:00Z', '2026-12-01T10:00Z', '2027-01-01T10:00Z'],
] as const)('periodOf finds the %s in %s at %s', (per, zone, now, from, until) => {
  expect(iso(periodOf(per, zone, at(now)))).toEqual(
    [from, until].map((one) => at(one).toISOString()),
  );
});

it('periodOf returns a period without end for a total cap', () => {
  expect(periodOf('total', 'UTC', at('2026-07-01T00:00Z')).until).toBeUndefined();
});

const hours = [
  { days: [1, 2, 3, 4, 5], from: '09:00', until: '17:30' },
  { days: [6], from: '10:00', until: '24:00' },
];

it.each([
  ['before the opening', '2026-07-01T13:00Z', '2026-07-01T14:00Z'],
  ['within the hours', '2026-07-01T14:00:01Z', '2026-07-01T14:00:01Z'],
  ['at the end of the hours', '2026-07-01T22:30Z', '2026-07-02T14:00Z'],
  ['on the eve of the weekend', '2026-07-03T23:00Z', '2026-07-04T15:00Z'],
  ['on a closed day', '2026-07-05T05:00Z', '2026-07-06T14:00Z'],
  ['over the change of the clocks', '2026-11-01T05:00Z', '2026-11-02T15:00Z'],
])('nextOpening returns the first open time %s', (_, after, expected) => {
  const opening = nextOpening({ hours, timeZone: 'America/Chicago' }, at(after));
  expect(opening.toISOString()).toBe(at(expected).toISOString());
});

it('nextOpening returns next week’s hours on a buyer’s only day', () => {
  const monday = [{ days: [1], from: '09:00', until: '10:00' }];
  const opening = nextOpening({ hours: monday, timeZone: 'UTC' }, at('2026-07-06T10:00Z'));
  expect(opening.toISOString()).toBe('2026-07-13T09:00:00.000Z');
});

it('localDay returns the day in the time zone', () => {
  expect(localDay(at('2026-07-01T03:00Z'), 'America/Chicago')).toBe('2026-06-30');
});
