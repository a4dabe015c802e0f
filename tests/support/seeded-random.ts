import { randomInt } from 'node:crypto';

export type SeededRandom = ReturnType<typeof seededRandom>;

/** Returns a generator of repeatable random numbers from 0 to below 1. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Creates repeatable random choices. `TEST_SEED=<n>` repeats a run. */
export function seededRandom(name: string) {
  const seed = Number(process.env.TEST_SEED ?? randomInt(2 ** 31));
  console.log(`${name}: TEST_SEED=${seed}`);
  const next = generator(seed);
  return {
    next,
    /** Returns a random integer that is at least `from` and less than `to`. */
    integer: (from: number, to: number) => from + Math.floor(next() * (to - from)),
  };
}
