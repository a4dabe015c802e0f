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
  times.sort((a, b) => a - b);
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return {
    perSecond: times.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    failures,
  };
}

/** The median, and the range from `low` to `high` with the middle half of the values. */
export type Figures = { readonly median: number; readonly low: number; readonly high: number };

export function figuresOf(values: readonly number[]): Figures {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}
