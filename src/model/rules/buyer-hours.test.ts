import { expect, it } from 'vitest';
import { localDay, nextOpening } from './buyer-hours.ts';

const at = (text: string) => new Date(text);
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
