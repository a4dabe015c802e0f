import { expect, test } from 'vitest';
import { readSeen, SEEN_BYTES, type SeenConsent, seenText } from './seen-consent.ts';

const seen: SeenConsent = {
  how: 'enter',
  pressedAt: '2026-11-20T15:00:00.123Z',
  focusBeforeMs: 12_000,
  viewport: [390, 844],
  pixelRatio: 2.63,
  zoom: 1,
  language: 'en-US',
  theme: 'harbor dark',
  size: [343, 118],
  fontSize: 12.5,
  contrast: 7.13,
  inView: [0, 100],
  inViewMs: 9_120,
  wholeInViewMs: 8_420,
  label: 'See | what you qualify for',
};
const posted = seenText(seen);

test('what the page measured is read as it was written', () => {
  expect(readSeen(posted)).toEqual(seen);
  for (const other of [
    { focusBeforeMs: null, theme: 'light' },
    { zoom: 1.5, inView: [0, 40] as const, theme: 'dark' },
    { theme: 'sold' },
  ]) {
    expect(readSeen(seenText({ ...seen, ...other }))).toEqual({ ...seen, ...other });
  }
});

test('the text is short, whatever the page and the browser say', () => {
  expect(new TextEncoder().encode(posted).length).toBeLessThan(100);
  const long = 'ñ'.repeat(500);
  const longest = seenText({ ...seen, language: long, theme: `${long}|${long}`, label: long });
  expect(new TextEncoder().encode(longest).length).toBeLessThanOrEqual(SEEN_BYTES);
  expect(readSeen(longest)).toMatchObject({ how: 'enter', label: 'ñ'.repeat(40) });
});

test.each([
  [undefined, 'not_sent'],
  ['', 'not_sent'],
  [null, 'not_sent'],
  [{ how: 'button' }, 'malformed'],
  ['\ud800', 'malformed'],
  ['b|390x844', 'malformed'],
  [posted.replace('e|', 'x|'), 'malformed'],
  [posted.replace('390x844', '390x-1'), 'malformed'],
  [seenText({ ...seen, inView: [0, 1e21] }), 'malformed'],
  [posted.replace('7.13', 'NaN'), 'malformed'],
  [seenText({ ...seen, inViewMs: -1 }), 'malformed'],
  [`${posted}${'x'.repeat(SEEN_BYTES)}`, 'too_long'],
])('%j is not read: %s', (text, reason) => {
  expect(readSeen(text)).toBe(reason);
});
