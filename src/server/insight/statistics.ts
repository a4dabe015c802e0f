/** A share of visits: `part` successes among `of` visits. */
export type Share = { readonly part: number; readonly of: number };

/** The number of visits at which the comparison is most precise. */
const PLANNED_VISITS = 5_000;
/** If the deviation is above this value, the visits are not distributed by the weights. */
const MISMATCH_ABOVE = 3.09;

/** Returns the difference of two shares with its margin of error. */
export function compareShares(
  one: Share,
  base: Share,
  alpha: number,
): { difference: number; halfWidth: number } {
  const n = one.of + base.of;
  if (one.of === 0 || base.of === 0) return { difference: 0, halfWidth: 1 };
  const difference = one.part / one.of - base.part / base.of;
  const error = Math.sqrt(variance(one) / one.of + variance(base) / base.of);
  const twice = -2 * Math.log(alpha);
  const scale = (n * (twice + Math.log(twice + 1))) / PLANNED_VISITS;
  const width = ((2 * (scale + 1)) / (n * scale)) * Math.log(Math.sqrt(scale + 1) / alpha);
  return { difference, halfWidth: Math.min(1, error * Math.sqrt(n) * Math.sqrt(width)) };
}

/** Returns the variance of one visit's success. */
function variance({ part, of }: Share): number {
  const share = (part + 1) / (of + 2);
  return share * (1 - share);
}

/** Returns true if the visits of the variants are not distributed by the variants' weights. */
export function isMismatched(visits: readonly number[], weights: readonly number[]): boolean {
  const [all, allWeights] = [sumOf(visits), sumOf(weights)];
  const freedom = visits.length - 1;
  if (all === 0 || freedom < 1) return false;
  const terms = visits.map((seen, index) => {
    const expected = (all * (weights[index] ?? 0)) / allWeights;
    return (seen - expected) ** 2 / expected;
  });
  const spread = 2 / (9 * freedom);
  const z = (Math.cbrt(sumOf(terms) / freedom) - (1 - spread)) / Math.sqrt(spread);
  return z > MISMATCH_ABOVE;
}

/** The number of values in each bucket of a histogram. */
export type Histogram = readonly (readonly [bucket: number, count: number])[];

/** Returns the bucket that this share of all values does not exceed. Undefined: no values. */
export function quantile(counts: Histogram, share: number): number | undefined {
  const limit = share * sumOf(counts.map(([, count]) => count));
  let passed = 0;
  const reached = counts
    .toSorted(([a], [b]) => a - b)
    .find(([, count]) => {
      passed += count;
      return passed >= limit;
    });
  return reached?.[0];
}

export const sumOf = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0);
