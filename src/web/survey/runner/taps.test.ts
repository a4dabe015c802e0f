import { expect, test } from 'vitest';
import { tapGuard } from './taps.ts';

const first = { timeStamp: 1000, clientX: 50, clientY: 60 };
const tap = { ...first, detail: 1, pointerType: 'touch' };
const second = { ...tap, timeStamp: 1150, clientX: 52, clientY: 66 };
const longAgo = { ...first, timeStamp: -1e6 };

/** Returns two guards: one knows a tap before the script ran, the other a tap on screen 0. */
function guardsAfterTap() {
  const usual = tapGuard(longAgo);
  expect(usual(tap, 0)).toBe(false);
  return [tapGuard(first), usual];
}

test.each([
  ['a second tap at the same place', {}, true],
  ['the second click of a double click', { pointerType: 'mouse', detail: 2 }, true],
  ['a later tap', { timeStamp: 1301 }, false],
  ['a tap elsewhere', { clientY: 160 }, false],
  ['a single mouse click', { pointerType: 'mouse' }, false],
  ['a key', { detail: 0 }, false],
])('tapGuard decides whether %s belongs to a double tap', (_, change, isEcho) => {
  for (const guard of guardsAfterTap()) {
    expect(guard({ ...second, ...change }, 1)).toBe(isEcho);
  }
});
