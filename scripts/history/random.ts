/** Repeatable random choices for the demo's history. */

/** Random choices from a seed. The generator is mulberry32. */
export type Random = {
  /** Uniform in [0, 1). */
  next(): number;
  /** Returns true with this probability. */
  chance(probability: number): boolean;
  /** Uniform integer, including `from` but not `to`. */
  integer(from: number, to: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** Picks a key by its weight. */
  weighted<Key extends string>(weights: Readonly<Record<Key, number>>): Key;
  /** Around the median; about one in twenty is beyond `spread` squared times the median. */
  logNormal(median: number, spread: number): number;
};

/** Creates the choices of a seed. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const integer = (from: number, to: number) => from + Math.floor(next() * (to - from));
  return {
    next,
    integer,
    chance: (probability) => next() < probability,
    pick: (items) => items[integer(0, items.length)] as (typeof items)[number],
    weighted(weights) {
      const entries = Object.entries(weights) as [keyof typeof weights, number][];
      let at = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      const drawn = entries.find(([, weight]) => {
        at -= weight;
        return at < 0;
      });
      return (drawn ?? entries[0])?.[0] as keyof typeof weights;
    },
    logNormal(median, spread) {
      const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
      return median * spread ** normal;
    },
  };
}
