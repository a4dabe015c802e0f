/** Limits how much work runs at once, and how much may queue. */
export type Gate = {
  /** Does the work when it is its turn. @returns undefined without doing it when the queue is full */
  enter<Result>(work: () => Promise<Result>): Promise<Result | undefined>;
};

/** Creates a gate that runs `atOnce` at a time and queues up to `mostInLine` more, first in, first out. */
export function createGate(atOnce: number, mostInLine: number): Gate {
  const line: (() => void)[] = [];
  let inside = 0;
  return {
    async enter(work) {
      if (inside < atOnce) inside += 1;
      else if (line.length >= mostInLine) return undefined;
      // Work that ends hands its slot to the next in line.
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
