/** The scale on which an experiment's intervals are drawn, and their words. */
import type { ExperimentComparison } from '../../../contract/console/numbers.ts';

/** The ends of an interval, as shares. */
export type Interval = { readonly low: number; readonly high: number };

/** Returns the interval of a comparison's confidence sequence. */
export function intervalOf({
  difference,
  halfWidth,
}: Pick<ExperimentComparison, 'difference' | 'halfWidth'>): Interval {
  return { low: difference - halfWidth, high: difference + halfWidth };
}

/**
 * Returns the share that the drawing reaches on both sides of zero, so that zero is always its middle. Wide
 * intervals are cut there: an experiment without visits would squeeze all others into a line.
 */
export function reachOf(comparisons: readonly ExperimentComparison[]): number {
  const ends = comparisons.map((one) => Math.abs(one.difference) + one.halfWidth);
  const steps = [0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1];
  const widest = Math.max(0, ...ends);
  return steps.find((step) => step >= widest) ?? 1;
}

/** Writes a difference of shares in percentage points: `+1.2`. */
export function pointsText(share: number): string {
  const text = Math.abs(100 * share).toFixed(1);
  if (text === '0.0') return '0.0';
  return `${share > 0 ? '+' : '−'}${text}`;
}

/** Says an interval in words: `−0.8 to +2.4 points`. */
export function intervalWords(interval: Interval): string {
  return `${pointsText(interval.low)} to ${pointsText(interval.high)} points`;
}

/** Returns how far an experiment is, as a share of its planned visits; at most 1. */
export function planShare(visits: number, planned: number): number {
  return planned === 0 ? 0 : Math.min(1, visits / planned);
}
