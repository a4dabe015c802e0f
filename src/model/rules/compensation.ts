import type { Answers, AskedFieldName } from '../fields/answers.ts';

export const INITIAL_COMPENSATION = 5000;
const MAX_COMPENSATION = 250_000;
/** The gauge displays every larger value at the position of this value. */
const MARK_CAP = 249_500;
/** The slider moves in steps of this size. */
const STEP_DOLLARS = 100;
/** The distance between two steps of the slider, in blocks of the gauge. */
export const SLIDER_STEP_BLOCKS = 0.05;

/** A block of the gauge, with its range of values. */
type CompensationBand = {
  readonly level: number;
  readonly from: number;
  readonly to: number;
  readonly label: string;
};

export const compensationBands: readonly CompensationBand[] = [
  { level: 1, from: 0, to: 5000, label: 'Low Value' },
  { level: 2, from: 5001, to: 7000, label: 'Low to Mid Value' },
  { level: 3, from: 7001, to: 12_500, label: 'Mid Value' },
  { level: 4, from: 12_501, to: 25_000, label: 'Mid to High Value' },
  { level: 5, from: 25_001, to: 50_000, label: 'High Value' },
  { level: 6, from: 50_001, to: 100_000, label: 'Very High Value' },
  { level: 7, from: 100_001, to: 250_000, label: 'Extremely High Value' },
];

/** Returns the band for a value. */
export function compensationBand(value: number): CompensationBand {
  return compensationBands.find((band) => value <= band.to) ?? compensationBands.at(-1)!;
}

/** Returns the position of a value on the gauge, in blocks from the low end, and its level. */
export function markPosition(value: number) {
  const placed = value > MAX_COMPENSATION ? MARK_CAP : Math.max(0, value || 0);
  const { level, from, to } = compensationBand(placed);
  // Moves a value between two bands, such as 5000.4, to the start of the upper band.
  return { level, blocks: level - 1 + Math.max(0, (placed - from) / (to - from)) };
}

/** Returns the value at a position of the gauge. */
export function compensationAt(blocks: number): number {
  const index = Math.min(Math.floor(blocks), compensationBands.length - 1);
  const { from, to } = compensationBands[index] ?? compensationBands[0]!;
  const value = from + (to - from) * (blocks - index);
  return Math.max(1, Math.round(value / STEP_DOLLARS)) * STEP_DOLLARS;
}

/** Returns the value plus a fraction of the value. */
function raise(value: number, fraction: number): number {
  const added = fraction > 0 ? value * fraction : 0;
  return Math.min(MAX_COMPENSATION, Math.round(value + added));
}

/** The fraction by which each answer raises the estimate: 0.5 adds half. */
export type CompensationMultipliers = Readonly<
  Partial<Record<AskedFieldName, Readonly<Record<string, number>>>>
>;

const injuries = {
  'Back or Neck Pain': 0.4,
  'Broken Bones': 1.2,
  Whiplash: 0.25,
  'Head Injury': 2,
  'Spinal Cord Injury': 6,
  'Loss of Limb': 8,
};

/** The default multipliers (docs/specification.md#compensation-multipliers). */
export const compensationMultipliers: CompensationMultipliers = {
  accident_type: {
    'Truck Accident': 0.4,
    'Motorcycle Accident': 0.3,
    'Pedestrian Accident': 0.3,
    'Bicycle Accident': 0.2,
  },
  other_vehicle_type: { 'Commercial Truck': 0.4, Bus: 0.2 },
  at_Fault: { no: 0.15 },
  police_report: { yes: 0.1 },
  physical_injury: { Yes: 0.3 },
  specific_injury: injuries,
  injury_type: injuries,
  doctor_treatment: { yes: 0.5 },
  required_medical_treatment: { yes: 0.5 },
  type_of_medical_treatment: { 'Emergency Room': 0.2, Surgery: 1 },
  missed_work: { yes: 0.25 },
};

/** Returns the first value of the estimator, in dollars. */
export function startingCompensation(
  answers: Answers,
  multipliers: CompensationMultipliers,
): number {
  let value = INITIAL_COMPENSATION;
  for (const [field, fractions] of Object.entries(multipliers)) {
    value = raise(value, fractions[answers[field as AskedFieldName] ?? ''] ?? 0);
  }
  return value;
}

/** Returns the visitor's estimate, in dollars. */
export function estimateCompensation(
  answers: Answers,
  multipliers: CompensationMultipliers,
): number {
  const own = Number(answers.current_compensation);
  return own > 0 ? own : startingCompensation(answers, multipliers);
}
