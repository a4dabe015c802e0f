import type { AskedFieldName } from '../../fields/answers.ts';
import { type AskedField, askedFields } from '../../fields/asked-fields.ts';
import type { Choice, DeclaredStep, Edge, Stage, Step } from '../engine/flow.ts';

/** Steps shared by several flows. Each flow adds the step's edges, progress and stage. */
type Own<Name extends string> = {
  readonly next?: readonly Edge<Name>[];
  readonly progress?: number;
  readonly stage?: Stage;
};

/** Returns a constructor of steps that share this data. */
const step =
  (shared: Omit<Step, 'next'>) =>
  <const Name extends string = never>(own: Own<Name>): DeclaredStep<Name> => ({
    ...shared,
    ...own,
  });

/** Returns a button per value of a field, each with the same further answers. Default: all values. */
const buttons = (
  field: AskedFieldName,
  values: readonly string[] = (askedFields[field] as AskedField).values ?? [],
  further: Choice = {},
): Choice[] => values.map((value) => ({ [field]: value, ...further }));

/** Returns the data of a step with buttons. */
const choice = (...choices: Choice[]) => ({ kind: 'choice', choices }) as const;

/** Returns a step with a button per value of a field: yes and no for most. */
export const oneOf = <const Name extends string = never>(field: AskedFieldName, own: Own<Name>) =>
  step(choice(...buttons(field)))(own);

const injuries = [
  'Back or Neck Pain',
  'Whiplash',
  'Broken Bones',
  'Head Injury',
  'Spinal Cord Injury',
  'Loss of Limb',
  'Cuts or Bruises',
  'Other',
];

/** The landing screen: the six accident types (docs/specification.md#start-steps). */
export const startPath = step(
  choice(
    ...buttons('accident_type', [
      'Car Accident',
      'Truck Accident',
      'Motorcycle Accident',
      'Pedestrian Accident',
      'Bicycle Accident',
      'Other',
    ]),
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

export const atFault = step(
  choice({ at_Fault: 'no' }, { at_Fault: 'yes' }, { partial_fault: 'yes', at_Fault: 'yes' }),
);

/** Whether the visitor was injured, without the kind of injury. */
export const wasUserInjured = step(choice(...buttons('physical_injury')));

/** The worst injury, or none, in one list (docs/specification.md#buttons). */
export const specificInjury = step(
  choice(...buttons('specific_injury', injuries, { physical_injury: 'Yes' }), {
    physical_injury: 'No',
  }),
);

/** The kind of treatment; no treatment sets `doctor_treatment` to no. */
export const typeOfMedicalTreatment = step(
  choice(...buttons('type_of_medical_treatment', undefined, { doctor_treatment: 'yes' }), {
    doctor_treatment: 'no',
  }),
);

export const policeReport = step(choice(...buttons('police_report')));

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
export const describeInjuries = step(choice(...buttons('injury_type', [...injuries, 'No Injury'])));

/** The description without the hit-and-run question of the v4 family. */
export const incidentDescription = step({ kind: 'description', asks: ['case_description'] });

/** The description, and whether it was a hit and run. */
export const descriptionWithHitAndRun = step({
  kind: 'description',
  asks: ['case_description'],
  choices: buttons('hit_and_run'),
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
export const sending = step({ kind: 'sending', ends: true });

/** The accident's date and fault, in flows with stages. */
export const dateAndFault = {
  WhenWasTheAccident: accidentDate({ stage: 'accident', next: ['AtFault'] }),
  AtFault: atFault({ stage: 'accident', next: ['WasUserInjured'] }),
};

/** The last two steps of flows with stages. */
export const nameThenPhone = {
  NameAndEmail: nameAndEmail({ stage: 'contact', next: ['PhoneAndZip'] }),
  PhoneAndZip: phoneAndZip({ stage: 'contact' }),
};

/** The steps from the lawyer question to the post, in flows with stages and without funding. */
export const lawyerToPhone = {
  HasLawyer: hasLawyer({ stage: 'case', next: ['IncidentDescription'] }),
  IncidentDescription: incidentDescription({ stage: 'case', next: ['NameAndEmail'] }),
  ...nameThenPhone,
};

const onInjury = { after: 'WasUserInjured', answer: { physical_injury: 'Yes' } } as const;

/** Loads the tracking pixel after Yes to injury. */
export const pixelOnInjury = { script: 'pixel', ...onInjury } as const;

/** Loads the v4 family's ad pixel after Yes to injury, for affiliate 389 only. */
export const adPixelOnInjury = { script: 'adPixel', affid: '389', ...onInjury } as const;
