/**
 * The compensation estimator (docs/specification.md#compensation-estimator). All values in whole
 * dollars.
 */

/** Where the estimator starts. */
export const INITIAL_COMPENSATION = 5000;
/** The value is never above this. */
export const MAX_COMPENSATION = 250_000;
/** Above the maximum the mark is placed as if the value were this. */
export const MARK_CAP = 249_500;
/** What the visitor's estimate is rounded to. */
export const STEP_DOLLARS = 500;
/** Height of one block of the vertical gauge, in CSS pixels. */
export const VERTICAL_BLOCK_HEIGHT_PX = 60.71;

/** One band of the gauge: `from` and `to` are both inside it. */
export type CompensationBand = {
  readonly level: number;
  readonly from: number;
  readonly to: number;
  readonly label: string;
};

/** The seven bands, lowest first; levels count from 1. */
export const compensationBands: readonly CompensationBand[] = [
  { level: 1, from: 0, to: 5000, label: 'Low Value' },
  { level: 2, from: 5001, to: 7000, label: 'Low to Mid Value' },
  { level: 3, from: 7001, to: 12_500, label: 'Mid Value' },
  { level: 4, from: 12_501, to: 25_000, label: 'Mid to High Value' },
  { level: 5, from: 25_001, to: 50_000, label: 'High Value' },
  { level: 6, from: 50_001, to: 100_000, label: 'Very High Value' },
  { level: 7, from: 100_001, to: 250_000, label: 'Extremely High Value' },
];

/** The band that a value lies in: below 0 the first, above the maximum the last. */
export function compensationBand(value: number): CompensationBand {
  return compensationBands.find((band) => value <= band.to) ?? compensationBands.at(-1)!;
}

/** Where the mark stands on a gauge of seven equal blocks. */
export type MarkPosition = {
  /** 1 to 7: the block, and the compensation level `cl`. */
  readonly level: number;
  /** 0 to 1: how far into its block. */
  readonly fraction: number;
  /** 0 to 7: blocks from the low end. */
  readonly blocks: number;
  /** Vertical gauge: CSS pixels from the low end. */
  readonly verticalPx: number;
  /** Horizontal gauge: percent from the low end. */
  readonly horizontalPercent: number;
};

/**
 * Interpolates the mark within the band that contains the value. Above 250000 the mark stands where
 * 249500 would; below 0 and for what is no number it stands at the low end.
 */
export function markPosition(value: number): MarkPosition {
  const placed = value > MAX_COMPENSATION ? MARK_CAP : Math.max(0, value || 0);
  const band = compensationBand(placed);
  // A value between two bands (5000.4) belongs to the start of the upper one.
  const fraction = Math.max(0, (placed - band.from) / (band.to - band.from));
  const blocks = band.level - 1 + fraction;
  return {
    level: band.level,
    fraction,
    blocks,
    verticalPx: blocks * VERTICAL_BLOCK_HEIGHT_PX,
    horizontalPercent: (blocks / compensationBands.length) * 100,
  };
}

/**
 * The value that stands at a place of the gauge, in steps of `STEP_DOLLARS` and at least one: what
 * `markPosition` puts there.
 *
 * @param blocks 0 to 7, from the low end
 */
export function compensationAt(blocks: number): number {
  const index = Math.min(Math.floor(blocks), compensationBands.length - 1);
  const { from, to } = compensationBands[index] ?? compensationBands[0]!;
  const value = from + (to - from) * (blocks - index);
  return Math.max(1, Math.round(value / STEP_DOLLARS)) * STEP_DOLLARS;
}

/**
 * Raises a value by a fraction of itself, rounded to whole dollars, never above `maxCompensation`
 * (docs/specification.md#compensation-estimator). A fraction that is negative or no number raises
 * nothing.
 */
export function raise(
  value: number,
  fraction: number,
  maxCompensation: number = MAX_COMPENSATION,
): number {
  const added = fraction > 0 ? value * fraction : 0;
  return Math.min(maxCompensation, Math.round(value + added));
}
