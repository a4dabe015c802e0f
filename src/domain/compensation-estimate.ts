import type { Answers, AskedFieldName } from './answers.ts';
import { compensationBand, INITIAL_COMPENSATION, raise } from './compensation.ts';

/**
 * What an answer adds to the estimate: field, then answer, then the fraction of the current value by
 * which it raises it (0.5: half as much again).
 */
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
 * The default table. The brief has none (docs/specification.md#compensation-multipliers), so these are
 * plausible proportions and no forecast: an injury and its treatment weigh most.
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
 * Returns where the estimator stands before the visitor moves it, in whole dollars: 5000 raised by the
 * multiplier of each answer, in the order of the table (docs/specification.md#compensation-estimator).
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
 * Returns the estimated settlement value of a case, in whole dollars: the value that the visitor has set
 * (AutoAccidentCaseWorth), else where the estimator starts.
 */
export function estimateCompensation(
  answers: Answers,
  multipliers: CompensationMultipliers,
): number {
  const own = Number(answers.current_compensation);
  return own > 0 ? own : startingCompensation(answers, multipliers);
}

/** The compensation level `cl` of a value: 1 to 7 (docs/specification.md#compensation-level). */
export function compensationLevel(dollars: number): number {
  return compensationBand(dollars).level;
}
