/** Lets only so many in at once, and only so many wait. */
export type Gate = {
  /** Does the work when it is its turn. @returns undefined, and nothing was done: too many wait already */
  enter<Result>(work: () => Promise<Result>): Promise<Result | undefined>;
};

/** Creates a gate for `atOnce` at a time, before which `mostInLine` may wait, in their order. */
export function createGate(atOnce: number, mostInLine: number): Gate {
  const line: (() => void)[] = [];
  let inside = 0;
  return {
    async enter(work) {
      if (inside < atOnce) inside += 1;
      else if (line.length >= mostInLine) return undefined;
      // Whoever leaves hands its place over.
      else await new Promise<void>((resolve) => line.push(resolve));
      try {
        return await work();
      } finally {
        const next = line.shift();
        if (next) next();
        else inside -= 1;
      }
    },
  };
}
