import { expect, test } from 'vitest';
import { callEntry } from './call-calendar.ts';

const words = { title: 'A law firm may call you', note: 'Its own number, not ours.' };

test.each<[string, string, string[], string, string]>([
  [
    'a part of the day that is still to come today',
    '2026-11-27T08:30',
    ['afternoon'],
    '27T12',
    '27T17',
  ],
  [
    'the next day if that part has begun',
    '2026-11-26T12:00',
    ['English', 'afternoon'],
    '27T12',
    '27T17',
  ],
  ['Monday after a Friday evening', '2026-11-27T21:00', ['Spanish', 'evening'], '30T17', '30T20'],
  ['Monday instead of a weekend', '2026-11-28T08:00', ['morning'], '30T09', '30T12'],
  ['the usual hours without a wish', '2026-11-27T08:00', [], '27T09', '27T17'],
])('a calendar entry for the call is on %s', (_, now, wishes, from, until) => {
  const [type, body = ''] = callEntry(new Date(now), wishes, words).split(',');
  expect(type).toBe('data:text/calendar;charset=utf-8');
  const lines = decodeURIComponent(body).split('\r\n');
  expect(lines).toContain(`DTSTART:202611${from}0000`);
  expect(lines).toContain(`DTEND:202611${until}0000`);
  expect(lines).toContain('SUMMARY:A law firm may call you');
  expect(lines).toContain('DESCRIPTION:Its own number\\, not ours.');
  expect(lines.find((line) => line.length > 75)).toBeUndefined();
});
