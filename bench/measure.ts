/** The results of repeated calls, with times in milliseconds. */
export type LoadResult = {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failures: number;
};

/**
 * Runs `call` on `connections` connections for `durationMs`, and ignores the first tenth as a
 * warm-up.
 */
export async function load(
  connections: number,
  durationMs: number,
  call: () => Promise<unknown>,
): Promise<LoadResult> {
  const times: number[] = [];
  let failures = 0;
  const start = performance.now();
  const countFrom = start + durationMs / 10;
  const end = start + durationMs;
  const loop = async (): Promise<void> => {
    for (let from = performance.now(); from < end; from = performance.now()) {
      try {
        await call();
      } catch {
        failures += 1;
      }
      if (from >= countFrom) times.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: connections }, loop));
  const seconds = (performance.now() - countFrom) / 1000;
  const at = quantiles(times);
  return { perSecond: times.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99), failures };
}

function quantiles(values: readonly number[]): (share: number) => number {
  const sorted = values.toSorted((a, b) => a - b);
  return (share) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

/** Returns the median, and the range from `low` to `high` with the middle half of the values. */
export function figuresOf(values: readonly number[]) {
  const at = quantiles(values);
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}
