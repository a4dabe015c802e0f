import { expect, test } from 'vitest';
import {
  partsOf,
  readSeen,
  SEEN_BYTES,
  type SeenConsent,
  seenText,
  slicesBetween,
} from './seen-consent.ts';

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
const slicesOf = (inView: readonly number[]) =>
  inView.reduce(
    (all, from, at) => all | (at % 2 ? 0 : slicesBetween(from, inView[at + 1] ?? 0)),
    0,
  );
const textOf = (given: SeenConsent) => seenText(slicesOf(given.inView), given);
const posted = textOf(seen);

test('readSeen returns the measurement that seenText encoded', () => {
  expect(readSeen(posted)).toEqual(seen);
  for (const other of [
    { focusBeforeMs: null, theme: 'light' },
    { zoom: 1.5, inView: [0, 40] as const, theme: 'dark' },
    { theme: 'sold' },
    { inView: [0, 45, 80, 100] }, // the middle was never in view
    { inView: [] }, // no part was in view
    { inView: [5, 10, 95, 100] },
  ]) {
    expect(readSeen(textOf({ ...seen, ...other }))).toEqual({ ...seen, ...other });
  }
});

test('partsOf omits parts that were not completely in view', () => {
  const inView = (...parts: [from: number, to: number][]) =>
    partsOf(parts.reduce((slices, part) => slices | slicesBetween(...part), 0));
  expect(inView([0, 100])).toEqual([0, 100]);
  expect(inView([0.3, 99.8])).toEqual([0, 100]);
  expect(inView([3, 12])).toEqual([5, 10]);
  expect(inView([0, 40], [75, 100])).toEqual([0, 40, 75, 100]);
  expect(inView([0, 40], [30, 60])).toEqual([0, 60]);
  expect(inView([101, 99])).toEqual([]);
});

test.each([
  [undefined, 'not_sent'],
  [null, 'not_sent'],
  ['\ud800', 'malformed'],
  ['b|390x844', 'malformed'],
  [posted.replace('e|', 'x|'), 'malformed'],
  [posted.replace('390x844', '390x-1'), 'malformed'],
  [posted.replace('|7.13||', '|7.13|zzzz|'), 'malformed'],
  [posted.replace('|7.13||', '|7.13|0-1e21|'), 'malformed'],
  [posted.replace('7.13', 'NaN'), 'malformed'],
  [textOf({ ...seen, inViewMs: -1 }), 'malformed'],
  [`${posted}${'x'.repeat(SEEN_BYTES)}`, 'too_long'],
])('readSeen returns the error of a missing or malformed text', (text, reason) => {
  expect(readSeen(text)).toBe(reason);
});
