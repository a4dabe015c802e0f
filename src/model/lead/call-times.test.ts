import { expect, test } from 'vitest';
import { callTimes } from './call-times.ts';

const day = { year: 2026, month: 11, day: 28 };
const zone = { timeZone: 'America/Chicago', isNearBorder: false };
const fields = (from: string, until: string, more = {}) => ({
  may_call_from: from,
  may_call_until: until,
  may_call_time_zone: zone.timeZone,
  ...more,
});

test.each([
  ['the federal hours of an unlisted state', zone, 'IL', fields('08:00', '21:00')],
  ['the federal hours without a state', zone, undefined, fields('08:00', '21:00')],
  ['the hours of the state', zone, 'TX', fields('09:00', '21:00')],
  ['no calls on Sunday', zone, 'AL', fields('08:00', '20:00', { may_call_on_sunday: 'no' })],
  [
    'the hours that hold in both zones near their border',
    { ...zone, isNearBorder: true },
    'TX',
    fields('10:00', '20:00'),
  ],
  ['nothing for an unknown zip code', undefined, 'TX', {}],
])('callTimes returns %s', (_, ofZip, state, expected) => {
  expect(callTimes(ofZip, state, day)).toEqual(expected);
});
