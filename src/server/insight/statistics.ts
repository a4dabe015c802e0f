/** Statistics of experiments and funnels. Pure. */

/** A number of successes among a number of visits. */
export type Share = { readonly part: number; readonly of: number };

/** The number of visits, over both arms, at which the confidence sequence is narrowest. Fixed before any experiment. */
const PLANNED_VISITS = 5_000;
/** Below this p-value the ratio of visits does not match the weights, so nothing can be concluded. */
const MISMATCH_BELOW = 0.001;

/**
 * Returns the difference of two shares with the half-width of its confidence sequence:
 * σ̂√N · √[2(Nρ²+1)/(N²ρ²) · ln(√(Nρ²+1)/α)]. Here σ̂ is the standard error of the difference, and N is the number of
 * visits of both arms. The sequence stays valid however often one looks.
 * @param alpha the probability that the sequence ever misses the true difference
 */
export function compareShares(
  one: Share,
  base: Share,
  alpha: number,
): { difference: number; halfWidth: number } {
  const n = one.of + base.of;
  if (one.of === 0 || base.of === 0) return { difference: 0, halfWidth: 1 };
  const difference = one.part / one.of - base.part / base.of;
  const error = Math.sqrt(variance(one) / one.of + variance(base) / base.of);
  // This ρ makes the confidence sequence narrowest at the planned number of visits.
  const twice = -2 * Math.log(alpha);
  const scale = (n * (twice + Math.log(twice + 1))) / PLANNED_VISITS;
  const width = ((2 * (scale + 1)) / (n * scale)) * Math.log(Math.sqrt(scale + 1) / alpha);
  return { difference, halfWidth: Math.min(1, error * Math.sqrt(n) * Math.sqrt(width)) };
}

/**
 * Returns the variance of one visit. Adds one success and one failure, so that shares of 0 and 1 do not seem certain.
 */
function variance({ part, of }: Share): number {
  const share = (part + 1) / (of + 2);
  return share * (1 - share);
}

/** Tests whether visits were assigned by the weights (χ² test of the sample ratio). */
export function testRatio(
  visits: readonly number[],
  weights: readonly number[],
): { p: number; isMismatch: boolean } {
  const [all, allWeights] = [sumOf(visits), sumOf(weights)];
  if (all === 0 || visits.length < 2) return { p: 1, isMismatch: false };
  const terms = visits.map((seen, index) => {
    const expected = (all * (weights[index] ?? 0)) / allWeights;
    return (seen - expected) ** 2 / expected;
  });
  const p = chiSquaredTail(sumOf(terms), visits.length - 1);
  return { p, isMismatch: p < MISMATCH_BELOW };
}

const sumOf = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0);

/**
 * Returns the probability that a χ² variable exceeds a value. Computes Q(f/2, x/2) by recurrence from Q(1/2, y) =
 * erfc(√y) or Q(1, y) = e^−y (DLMF 8.8.6).
 */
export function chiSquaredTail(value: number, freedom: number): number {
  const y = value / 2;
  if (y <= 0) return 1;
  const isOdd = freedom % 2 === 1;
  let tail = isOdd ? erfc(Math.sqrt(y)) : Math.exp(-y);
  let term = isOdd ? 2 * Math.sqrt(y / Math.PI) * Math.exp(-y) : y * Math.exp(-y);
  for (let a = isOdd ? 0.5 : 1; a < freedom / 2; a += 1) {
    tail += term;
    term *= y / (a + 1);
  }
  return tail;
}

/** Returns the complementary error function of a positive number, by a Chebyshev fit (Numerical Recipes, 6.2). */
function erfc(x: number): number {
  const t = 2 / (2 + x);
  const fit = [
    ...[-1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398],
    ...[1.48851587, -0.82215223, 0.17087277],
  ];
  return t * Math.exp(-x * x + fit.reduceRight((sum, each) => sum * t + each, 0));
}

/** Returns the p-value of a fall from `before` to `now`: a one-sided test of two proportions. */
export function fallProbability(now: Share, before: Share): number {
  if (now.of === 0 || before.of === 0) return 1;
  const pooled = (now.part + before.part) / (now.of + before.of);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / now.of + 1 / before.of));
  if (error === 0) return 1;
  const z = (now.part / now.of - before.part / before.of) / error;
  const tail = chiSquaredTail(z * z, 1) / 2;
  return z < 0 ? tail : 1 - tail;
}
