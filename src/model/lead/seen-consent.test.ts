import { expect, test } from 'vitest';
import { readSeen, type SeenConsent } from './seen-consent.ts';

const seen: SeenConsent = {
  how: 'enter',
  pressedAt: '2026-11-20T15:00:00.123Z',
  focusBeforeMs: null,
  viewport: [390, 844],
  pixelRatio: 2.63,
  zoom: 1,
  language: 'en-US',
  theme: 'harbor dark',
  size: [343, 118],
  fontSize: 12.5,
  contrast: 7.13,
  inView: [0, 45, 80, 100],
  inViewMs: 9_120,
  wholeInViewMs: 8_420,
  label: 'See | what you qualify for',
};

test('readSeen returns the posted measurement', () => {
  expect(readSeen(JSON.stringify(seen))).toEqual(seen);
});

test.each([
  [undefined, 'not_sent'],
  [null, 'not_sent'],
  ['nonsense', 'malformed'],
  [JSON.stringify({ ...seen, more: 1 }), 'malformed'],
  [JSON.stringify({ ...seen, inViewMs: -1 }), 'malformed'],
  [JSON.stringify({ ...seen, inView: Array(21).fill(1) }), 'malformed'],
  [JSON.stringify({ ...seen, label: '\ud800' }), 'malformed'],
  [JSON.stringify({ ...seen, label: '\u0000' }), 'malformed'],
])('readSeen returns the error of a missing or malformed text', (text, reason) => {
  expect(readSeen(text)).toBe(reason);
});
