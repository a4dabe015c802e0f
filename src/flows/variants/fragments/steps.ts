import type { Choice, Edge, Stage, Step } from '../../engine/flow.ts';

/** Steps shared by several flows. Each flow adds the step's edges, progress and stage. */
type Own<Name extends string> = {
  readonly next: readonly Edge<Name>[];
  readonly progress?: number;
  readonly stage?: Stage;
};

function step<const Name extends string>(
  shared: Omit<Step<Name>, 'next'>,
  own: Own<Name>,
): Step<Name> {
  return { ...shared, ...own };
}

/** Returns a step that asks one field with yes or no. */
export const yesOrNo = <const Name extends string>(field: keyof Choice, own: Own<Name>) =>
  step({ kind: 'choice', choices: [{ [field]: 'yes' }, { [field]: 'no' }] }, own);

/** The landing screen: the six accident types (docs/specification.md#start-steps). */
export const startPath = <const Name extends string>(own: Own<Name>) =>
  step(
    {
      kind: 'choice',
      choices: [
        { accident_type: 'Car Accident' },
        { accident_type: 'Truck Accident' },
        { accident_type: 'Motorcycle Accident' },
        { accident_type: 'Pedestrian Accident' },
        { accident_type: 'Bicycle Accident' },
        { accident_type: 'Other' },
      ],
    },
    own,
  );

/** The landing screen of Ep and VW3: one start button, which sets the accident type. */
export const startButton = <const Name extends string>(own: Own<Name>) =>
  step({ kind: 'start', sets: { accident_type: 'Car Accident' } }, own);

export const caseWorth = <const Name extends string>(own: Own<Name>) =>
  step({ kind: 'case-worth', asks: ['current_compensation'] }, own);

/** Month and year, and an optional day (docs/specification.md#accident-date-steps). */
export const accidentDate = <const Name extends string>(own: Own<Name>) =>
  step(
    { kind: 'accident-date', asks: ['injury_month', 'injury_year'], optional: ['injury_day'] },
    own,
  );

/** Month and year as drop-downs; the day is always 01. */
export const accidentMonth = <const Name extends string>(own: Own<Name>) =>
  step({ kind: 'accident-date', asks: ['injury_month', 'injury_year'] }, own);

export const otherVehicle = <const Name extends string>(own: Own<Name>) =>
  step(
    {
      kind: 'choice',
      choices: [
        { other_vehicle_type: 'Car' },
        { other_vehicle_type: 'SUV or Pickup' },
        { other_vehicle_type: 'Commercial Truck' },
        { other_vehicle_type: 'Motorcycle' },
        { other_vehicle_type: 'Bus' },
        { other_vehicle_type: 'Other' },
      ],
    },
    own,
  );

export const atFault = <const Name extends string>(own: Own<Name>) =>
  step(
    {
      kind: 'choice',
      choices: [{ at_Fault: 'no' }, { at_Fault: 'yes' }, { partial_fault: 'yes', at_Fault: 'yes' }],
    },
    own,
  );

/** Whether the visitor was injured, without the kind of injury. */
export const wasUserInjured = <const Name extends string>(own: Own<Name>) =>
  step({ kind: 'choice', choices: [{ physical_injury: 'Yes' }, { physical_injury: 'No' }] }, own);

/** The worst injury, or none, in one list (docs/decisions/0003-answers-by-step.md). */
export const specificInjury = <const Name extends string>(own: Own<Name>) =>
  step(
    {
      kind: 'choice',
      choices: [
        { specific_injury: 'Back or Neck Pain', physical_injury: 'Yes' },
        { specific_injury: 'Whiplash', physical_injury: 'Yes' },
        { specific_injury: 'Broken Bones', physical_injury: 'Yes' },
        { specific_injury: 'Head Injury', physical_injury: 'Yes' },
        { specific_injury: 'Spinal Cord Injury', physical_injury: 'Yes' },
        { specific_injury: 'Loss of Limb', physical_injury: 'Yes' },
        { specific_injury: 'Cuts or Bruises', physical_injury: 'Yes' },
        { specific_injury: 'Other', physical_injury: 'Yes' },
        { physical_injury: 'No' },
      ],
    },
    own,
  );

/** The kind of treatment; no treatment sets `doctor_treatment` to no. */
export const typeOfMedicalTreatment = <const Name extends string>(own: Own<Name>) =>
  step(
    {
      kind: 'choice',
      choices: [
        { type_of_medical_treatment: 'Emergency Room', doctor_treatment: 'yes' },
        { type_of_medical_treatment: 'Doctor or Clinic', doctor_treatment: 'yes' },
        { type_of_medical_treatment: 'Chiropractor or Physical Therapy', doctor_treatment: 'yes' },
        { type_of_medical_treatment: 'Surgery', doctor_treatment: 'yes' },
        { doctor_treatment: 'no' },
      ],
    },
    own,
  );

export const receivedTreatment = <const Name extends string>(own: Own<Name>) =>
  yesOrNo('doctor_treatment', own);

export const requiredTreatment = <const Name extends string>(own: Own<Name>) =>
  yesOrNo('required_medical_treatment', own);

export const willingToTreat = <const Name extends string>(own: Own<Name>) =>
  yesOrNo('willing_to_treat', own);

export const policeReport = <const Name extends string>(own: Own<Name>) =>
  yesOrNo('police_report', own);

/** Answers: yes; yes, but wants a new one; no (docs/specification.md#lawyer-reason). */
export const hasLawyer = <const Name extends string>(own: Own<Name>) =>
  step(
    {
      kind: 'choice',
      choices: [
        { with_Lawyer: 'yes' },
        {
          lawyer_redirect_reason: 'have_attorney|yes_but_I_want_a_new_lawyer',
          with_Lawyer: 'yes',
        },
        { with_Lawyer: 'no' },
      ],
    },
    own,
  );

/** The kind of injury, or none. */
export const describeInjuries = <const Name extends string>(own: Own<Name>) =>
  step(
    {
      kind: 'choice',
      choices: [
        { injury_type: 'Back or Neck Pain' },
        { injury_type: 'Whiplash' },
        { injury_type: 'Broken Bones' },
        { injury_type: 'Head Injury' },
        { injury_type: 'Spinal Cord Injury' },
        { injury_type: 'Loss of Limb' },
        { injury_type: 'Cuts or Bruises' },
        { injury_type: 'Other' },
        { injury_type: 'No Injury' },
      ],
    },
    own,
  );

export const motorVehicleAccident = <const Name extends string>(own: Own<Name>) =>
  yesOrNo('motor_vehicle_accident', own);

/** The description without the hit-and-run question of the v4 family. */
export const incidentDescription = <const Name extends string>(own: Own<Name>) =>
  step({ kind: 'description', asks: ['case_description'] }, own);

/** The description, and whether it was a hit and run. */
export const descriptionWithHitAndRun = <const Name extends string>(own: Own<Name>) =>
  step(
    {
      kind: 'description',
      asks: ['case_description'],
      choices: [{ hit_and_run: 'yes' }, { hit_and_run: 'no' }],
    },
    own,
  );

export const nameAndEmail = <const Name extends string>(own: Own<Name>) =>
  step({ kind: 'form', asks: ['first_name', 'last_name', 'email'] }, own);

export const dateOfBirth = <const Name extends string>(own: Own<Name>) =>
  step(
    {
      kind: 'date-of-birth',
      asks: ['date_of_birth_month', 'date_of_birth_day', 'date_of_birth_year'],
    },
    own,
  );

export const phoneAndZip = <const Name extends string>(own: Own<Name>) =>
  step({ kind: 'contact', asks: ['phone', 'zip_code'], submits: true }, own);

export const allPii = <const Name extends string>(own: Own<Name>) =>
  step(
    {
      kind: 'contact',
      asks: ['first_name', 'last_name', 'email', 'phone', 'zip_code'],
      submits: true,
    },
    own,
  );

/** Shown until the lead is sent and the thank-you page loads (docs/specification.md#end-steps). */
export const sending = (own: {
  readonly progress?: number;
  readonly stage?: Stage;
}): Step<never> => ({ kind: 'sending', ends: true, next: [], ...own });
