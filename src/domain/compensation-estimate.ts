import type { Answers, AskedFieldName } from './answers.ts';
import { compensationBand, INITIAL_COMPENSATION, raise } from './compensation.ts';

/** By field and answer, the fraction by which the answer raises the estimate: 0.5 adds half. */
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

/**
 * The default multipliers (docs/specification.md#compensation-multipliers). The brief gives none, so
 * these are plausible proportions, not a forecast: an injury and its treatment weigh most.
 */
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

/**
 * Returns the estimator's initial position in whole dollars: 5000 raised by the multiplier of each
 * answer, in the order of the table (docs/specification.md#compensation-estimator).
 */
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

/**
 * Returns the estimated settlement value in whole dollars: the value that the visitor set at
 * AutoAccidentCaseWorth, else the estimator's initial position.
 */
export function estimateCompensation(
  answers: Answers,
  multipliers: CompensationMultipliers,
): number {
  const own = Number(answers.current_compensation);
  return own > 0 ? own : startingCompensation(answers, multipliers);
}

/** Returns the compensation level `cl` of a value, 1 to 7 (docs/specification.md#compensation-level). */
export function compensationLevel(dollars: number): number {
  return compensationBand(dollars).level;
}
