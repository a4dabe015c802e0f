/** Buckets of durations in whole seconds, two per doubling, and the median of their counts. */

const PER_DOUBLING = 2;
/** Longer durations count as this long: about twelve days. */
const LAST = 40;

/** Returns SQL for the bucket of a number of seconds. */
export function bucketSql(seconds: string): string {
  const place = `floor(${PER_DOUBLING} * ln(${seconds}::float8) / ln(2) + 1e-9)::integer`;
  return `case when ${seconds} < 1 then 0 else least(${LAST}, 1 + ${place}) end`;
}

/** Returns the least and the greatest whole number of seconds of a bucket. */
function rangeOf(bucket: number): [from: number, to: number] {
  if (bucket === 0) return [0, 0];
  const from = Math.ceil(2 ** ((bucket - 1) / PER_DOUBLING) - 1e-9);
  const to = Math.ceil(2 ** (bucket / PER_DOUBLING) - 1e-9) - 1;
  return [from, Math.max(from, to)];
}

/**
 * Returns the median in seconds, with the durations of a bucket spread evenly over it; null below `least` durations.
 * @param counts by bucket
 */
export function medianSeconds(counts: ReadonlyMap<number, number>, least = 5): number | null {
  const sorted = [...counts].sort(([a], [b]) => a - b);
  const all = sorted.reduce((sum, [, count]) => sum + count, 0);
  if (all < least) return null;
  let before = 0;
  for (const [bucket, count] of sorted) {
    if (before + count >= all / 2) {
      const [from, to] = rangeOf(bucket);
      return Math.round(from + ((to - from) * (all / 2 - before)) / count);
    }
    before += count;
  }
  return null;
}
