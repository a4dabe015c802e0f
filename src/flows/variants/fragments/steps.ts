import type { Choice, Edge, Stage, Step } from '../../engine/flow.ts';

/** Steps shared by several flows. Each flow adds the step's edges, progress and stage. */
type Own<Name extends string> = {
  readonly next: readonly Edge<Name>[];
  readonly progress?: number;
  readonly stage?: Stage;
};

/** Returns a constructor of steps that share this data. */
const step =
  (shared: Omit<Step, 'next'>) =>
  <const Name extends string>(own: Own<Name>): Step<Name> => ({ ...shared, ...own });

/** Returns the data of a step with buttons. */
const choice = (...choices: Choice[]) => ({ kind: 'choice', choices }) as const;

const askYesOrNo = (field: keyof Choice) => step(choice({ [field]: 'yes' }, { [field]: 'no' }));

/** Returns a step that asks one field with yes or no. */
export const yesOrNo = <const Name extends string>(field: keyof Choice, own: Own<Name>) =>
  askYesOrNo(field)(own);

/** The landing screen: the six accident types (docs/specification.md#start-steps). */
export const startPath = step(
  choice(
    { accident_type: 'Car Accident' },
    { accident_type: 'Truck Accident' },
    { accident_type: 'Motorcycle Accident' },
    { accident_type: 'Pedestrian Accident' },
    { accident_type: 'Bicycle Accident' },
    { accident_type: 'Other' },
  ),
);

/** The landing screen of Ep and VW3: one start button, which sets the accident type. */
export const startButton = step({ kind: 'start', sets: { accident_type: 'Car Accident' } });

export const caseWorth = step({ kind: 'case-worth', asks: ['current_compensation'] });

/** Month and year, and an optional day (docs/specification.md#accident-date-steps). */
export const accidentDate = step({
  kind: 'accident-date',
  asks: ['injury_month', 'injury_year'],
  optional: ['injury_day'],
});

/** Month and year as drop-downs; the day is always 01. */
export const accidentMonth = step({ kind: 'accident-date', asks: ['injury_month', 'injury_year'] });

export const otherVehicle = step(
  choice(
    { other_vehicle_type: 'Car' },
    { other_vehicle_type: 'SUV or Pickup' },
    { other_vehicle_type: 'Commercial Truck' },
    { other_vehicle_type: 'Motorcycle' },
    { other_vehicle_type: 'Bus' },
    { other_vehicle_type: 'Other' },
  ),
);

export const atFault = step(
  choice({ at_Fault: 'no' }, { at_Fault: 'yes' }, { partial_fault: 'yes', at_Fault: 'yes' }),
);

/** Whether the visitor was injured, without the kind of injury. */
export const wasUserInjured = step(choice({ physical_injury: 'Yes' }, { physical_injury: 'No' }));

/** The worst injury, or none, in one list (docs/specification.md#buttons). */
export const specificInjury = step(
  choice(
    { specific_injury: 'Back or Neck Pain', physical_injury: 'Yes' },
    { specific_injury: 'Whiplash', physical_injury: 'Yes' },
    { specific_injury: 'Broken Bones', physical_injury: 'Yes' },
    { specific_injury: 'Head Injury', physical_injury: 'Yes' },
    { specific_injury: 'Spinal Cord Injury', physical_injury: 'Yes' },
    { specific_injury: 'Loss of Limb', physical_injury: 'Yes' },
    { specific_injury: 'Cuts or Bruises', physical_injury: 'Yes' },
    { specific_injury: 'Other', physical_injury: 'Yes' },
    { physical_injury: 'No' },
  ),
);

/** The kind of treatment; no treatment sets `doctor_treatment` to no. */
export const typeOfMedicalTreatment = step(
  choice(
    { type_of_medical_treatment: 'Emergency Room', doctor_treatment: 'yes' },
    { type_of_medical_treatment: 'Doctor or Clinic', doctor_treatment: 'yes' },
    { type_of_medical_treatment: 'Chiropractor or Physical Therapy', doctor_treatment: 'yes' },
    { type_of_medical_treatment: 'Surgery', doctor_treatment: 'yes' },
    { doctor_treatment: 'no' },
  ),
);

export const receivedTreatment = askYesOrNo('doctor_treatment');

export const requiredTreatment = askYesOrNo('required_medical_treatment');

export const willingToTreat = askYesOrNo('willing_to_treat');

export const policeReport = askYesOrNo('police_report');

/** Answers: yes; yes, but wants a new one; no (docs/specification.md#lawyer-reason). */
export const hasLawyer = step(
  choice(
    { with_Lawyer: 'yes' },
    {
      lawyer_redirect_reason: 'have_attorney|yes_but_I_want_a_new_lawyer',
      with_Lawyer: 'yes',
    },
    { with_Lawyer: 'no' },
  ),
);

/** The kind of injury, or none. */
export const describeInjuries = step(
  choice(
    { injury_type: 'Back or Neck Pain' },
    { injury_type: 'Whiplash' },
    { injury_type: 'Broken Bones' },
    { injury_type: 'Head Injury' },
    { injury_type: 'Spinal Cord Injury' },
    { injury_type: 'Loss of Limb' },
    { injury_type: 'Cuts or Bruises' },
    { injury_type: 'Other' },
    { injury_type: 'No Injury' },
  ),
);

export const motorVehicleAccident = askYesOrNo('motor_vehicle_accident');

/** The description without the hit-and-run question of the v4 family. */
export const incidentDescription = step({ kind: 'description', asks: ['case_description'] });

/** The description, and whether it was a hit and run. */
export const descriptionWithHitAndRun = step({
  kind: 'description',
  asks: ['case_description'],
  choices: [{ hit_and_run: 'yes' }, { hit_and_run: 'no' }],
});

export const nameAndEmail = step({ kind: 'form', asks: ['first_name', 'last_name', 'email'] });

export const dateOfBirth = step({
  kind: 'date-of-birth',
  asks: ['date_of_birth_month', 'date_of_birth_day', 'date_of_birth_year'],
});

export const phoneAndZip = step({
  kind: 'contact',
  asks: ['phone', 'zip_code'],
  finds: ['state', 'state_choice'],
  submits: true,
});

export const allPii = step({
  kind: 'contact',
  asks: ['first_name', 'last_name', 'email', 'phone', 'zip_code'],
  finds: ['state', 'state_choice'],
  submits: true,
});

/** Shown until the lead is sent and the thank-you page loads (docs/specification.md#end-steps). */
export const sending = (own: {
  readonly progress?: number;
  readonly stage?: Stage;
}): Step<never> => ({ kind: 'sending', ends: true, next: [], ...own });

/** The accident's date and fault, in flows with stages. */
export const dateAndFault = {
  WhenWasTheAccident: accidentDate({ stage: 'accident', next: ['AtFault'] }),
  AtFault: atFault({ stage: 'accident', next: ['WasUserInjured'] }),
};

/** The last two steps of flows with stages. */
export const nameThenPhone = {
  NameAndEmail: nameAndEmail({ stage: 'contact', next: ['PhoneAndZip'] }),
  PhoneAndZip: phoneAndZip({ stage: 'contact', next: [] }),
};

/** The steps from the lawyer question to the post, in flows with stages and without funding. */
export const lawyerToPhone = {
  HasLawyer: hasLawyer({ stage: 'case', next: ['IncidentDescription'] }),
  IncidentDescription: incidentDescription({ stage: 'case', next: ['NameAndEmail'] }),
  ...nameThenPhone,
};
