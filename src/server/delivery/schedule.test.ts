import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_ATTEMPTS, nextPause } from './decide.ts';

const HOUR_MS = 60 * 60 * 1000;
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

function total(random: number): number {
  let sum = 0;
  for (let attempt = 1; ; attempt += 1) {
    const pause = nextPause({ attempt, random });
    if (pause === 'dead') return sum;
    sum += pause;
  }
}

test('20 attempts over about 3 days, never less than 55 hours', () => {
  expect(MAX_ATTEMPTS).toBe(20);
  expect(total(0) / HOUR_MS).toBeGreaterThan(55);
  expect(total(0.5) / HOUR_MS).toBeGreaterThan(66);
  expect(total(0.999) / HOUR_MS).toBeLessThan(90);
});

test('waits as long as Retry-After asks, but about a day at most', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: MAX_ATTEMPTS - 1 }),
      fc.integer({ min: 0, max: 10 * 24 * HOUR_MS }),
      random,
      (attempt, retryAfterMs, random) => {
        const pause = nextPause({ attempt, retryAfterMs, random });
        if (pause === 'dead') throw new Error('gave up too early');
        expect(pause).toBeGreaterThanOrEqual(Math.min(retryAfterMs, 24 * HOUR_MS));
        expect(pause).toBeLessThanOrEqual(24 * HOUR_MS * 1.1);
        expect(pause).toBeGreaterThanOrEqual(4_000);
      },
    ),
  );
});

test('gives up after the last attempt', () => {
  for (const attempt of [MAX_ATTEMPTS, MAX_ATTEMPTS + 1, 1_000]) {
    expect(nextPause({ attempt, retryAfterMs: 5, random: 0 })).toBe('dead');
  }
});
