/** Statistics of experiments and funnels. Pure. */

/** Successes among visits. */
export type Share = { readonly part: number; readonly of: number };

/** Visits of both arms for which the confidence sequence is narrowest. Fixed before any experiment. */
const PLANNED_VISITS = 5_000;
const ALPHA = 0.05;
/** Below this probability the visitors were not assigned by the weights, and nothing can be concluded. */
const MISMATCH_BELOW = 0.001;

/** Returns ρ, which makes the confidence sequence narrowest at the planned number of visits. */
function rho(alpha: number, planned: number): number {
  const twice = -2 * Math.log(alpha);
  return Math.sqrt((twice + Math.log(twice + 1)) / planned);
}

/**
 * Returns the difference of two shares with the half-width of its confidence sequence, which holds at every look at
 * once: σ̂√N · √[2(Nρ²+1)/(N²ρ²) · ln(√(Nρ²+1)/α)], where σ̂ is the standard error of the difference, and N the visits of
 * both arms.
 *
 * @param alpha the probability that the sequence ever misses the true difference
 */
export function compareShares(
  one: Share,
  base: Share,
  { alpha = ALPHA, planned = PLANNED_VISITS }: { alpha?: number; planned?: number } = {},
): { difference: number; halfWidth: number } {
  const n = one.of + base.of;
  if (one.of === 0 || base.of === 0) return { difference: 0, halfWidth: 1 };
  const difference = one.part / one.of - base.part / base.of;
  const error = Math.sqrt(variance(one) / one.of + variance(base) / base.of);
  const scale = n * rho(alpha, planned) ** 2;
  const width = ((2 * (scale + 1)) / (n * scale)) * Math.log(Math.sqrt(scale + 1) / alpha);
  return { difference, halfWidth: Math.min(1, error * Math.sqrt(n) * Math.sqrt(width)) };
}

/** Returns the variance of one visit. Adds one success and one failure, so that a share of 0 or 1 is not taken as certain. */
function variance({ part, of }: Share): number {
  const share = (part + 1) / (of + 2);
  return share * (1 - share);
}

/** Returns the χ² test of a sample ratio: whether visits were assigned by the weights. */
export function testRatio(
  visits: readonly number[],
  weights: readonly number[],
): { p: number; isMismatch: boolean } {
  const all = visits.reduce((sum, each) => sum + each, 0);
  const allWeights = weights.reduce((sum, each) => sum + each, 0);
  if (all === 0 || visits.length < 2) return { p: 1, isMismatch: false };
  let statistic = 0;
  for (const [index, seen] of visits.entries()) {
    const expected = (all * (weights[index] ?? 0)) / allWeights;
    statistic += (seen - expected) ** 2 / expected;
  }
  const p = chiSquaredTail(statistic, visits.length - 1);
  return { p, isMismatch: p < MISMATCH_BELOW };
}

/** Returns the probability that a χ² variable exceeds a value: the regularised upper incomplete gamma function. */
export function chiSquaredTail(value: number, freedom: number): number {
  const a = freedom / 2;
  const x = value / 2;
  if (x <= 0) return 1;
  if (!Number.isFinite(x)) return 0;
  const front = Math.exp(a * Math.log(x) - x - logGamma(a));
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let n = a + 1; term > sum * 1e-14; n += 1) {
      term *= x / n;
      sum += term;
    }
    return Math.max(0, 1 - front * sum);
  }
  // Lentz's method for the continued fraction.
  let b = x + 1 - a;
  let c = 1e300;
  let d = 1 / b;
  let fraction = d;
  for (let n = 1; n <= 1_000; n += 1) {
    const factor = -n * (n - a);
    b += 2;
    d = 1 / (factor * d + b);
    c = b + factor / c;
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-14) break;
  }
  return front * fraction;
}

/** Returns ln Γ for a positive half or whole number. */
function logGamma(value: number): number {
  let log = value % 1 === 0 ? 0 : Math.log(Math.PI) / 2;
  for (let n = value - 1; n > 0; n -= 1) log += Math.log(n);
  return log;
}

/** Returns the probability of a fall at least this large by chance: a one-sided test of two proportions. */
export function fallProbability(now: Share, before: Share): number {
  if (now.of === 0 || before.of === 0) return 1;
  const pooled = (now.part + before.part) / (now.of + before.of);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / now.of + 1 / before.of));
  if (error === 0) return 1;
  const z = (now.part / now.of - before.part / before.of) / error;
  const tail = chiSquaredTail(z * z, 1) / 2;
  return z < 0 ? tail : 1 - tail;
}
