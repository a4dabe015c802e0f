import type { AskedFieldName } from '../../fields/answers.ts';
import { askedFields, callWishNames } from '../../fields/asked-fields.ts';
import type { Choice, DeclaredStep, Edge, Stage, Step } from '../engine/flow.ts';

/** The parts of a step that each flow declares itself. */
type Own<Name extends string> = {
  readonly next?: readonly Edge<Name>[];
  readonly progress?: number;
  readonly stage?: Stage;
};

const step =
  (shared: Omit<Step, 'next'>) =>
  <const Name extends string = never>(own: Own<Name>): DeclaredStep<Name> => ({
    ...shared,
    ...own,
  });

const buttons = (
  field: AskedFieldName,
  values: readonly string[] = askedFields[field].values ?? [],
  further: Choice = {},
): Choice[] => values.map((value) => ({ [field]: value, ...further }));

const choice = (...choices: Choice[]) => ({ kind: 'choice', choices }) as const;

/** Returns a step with a button for each value of a field. */
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

/** The start screen, with a button for each accident type (docs/specification.md#start-steps). */
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

/** The start screen with a single button. */
export const startButton = step({ kind: 'start', sets: { accident_type: 'Car Accident' } });

export const caseWorth = step({ kind: 'case-worth', asks: ['current_compensation'] });

/** Asks for the date of the accident (docs/specification.md#accident-date-steps). */
export const accidentDate = step({
  kind: 'accident-date',
  asks: ['injury_month', 'injury_year'],
  optional: ['injury_day'],
});

export const accidentMonth = step({ kind: 'accident-date', asks: ['injury_month', 'injury_year'] });

export const atFault = step(
  choice({ at_Fault: 'no' }, { at_Fault: 'yes' }, { partial_fault: 'yes', at_Fault: 'yes' }),
);

export const wasUserInjured = step(choice(...buttons('physical_injury')));

/** Asks for the worst injury (docs/specification.md#buttons). */
export const specificInjury = step(
  choice(...buttons('specific_injury', injuries, { physical_injury: 'Yes' }), {
    physical_injury: 'No',
  }),
);

export const typeOfMedicalTreatment = step(
  choice(...buttons('type_of_medical_treatment', undefined, { doctor_treatment: 'yes' }), {
    doctor_treatment: 'no',
  }),
);

export const policeReport = step(choice(...buttons('police_report')));

/** Asks whether the visitor has a lawyer (docs/specification.md#lawyer-reason). */
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

export const describeInjuries = step(choice(...buttons('injury_type', [...injuries, 'No Injury'])));

export const incidentDescription = step({ kind: 'description', asks: ['case_description'] });

/** Asks for a description of the accident. */
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
  optional: callWishNames,
  finds: ['state', 'state_choice'],
  submits: true,
});

export const allPii = step({
  kind: 'contact',
  asks: ['first_name', 'last_name', 'email', 'phone', 'zip_code'],
  optional: callWishNames,
  finds: ['state', 'state_choice'],
  submits: true,
});

/** The last screen, while the page posts the lead (docs/specification.md#end-steps). */
export const sending = step({ kind: 'sending', ends: true });

export const dateAndFault = {
  WhenWasTheAccident: accidentDate({ stage: 'accident', next: ['AtFault'] }),
  AtFault: atFault({ stage: 'accident', next: ['WasUserInjured'] }),
};

/** The last two steps of flows with stages. */
export const nameThenPhone = {
  NameAndEmail: nameAndEmail({ stage: 'contact', next: ['PhoneAndZip'] }),
  PhoneAndZip: phoneAndZip({ stage: 'contact' }),
};

/** The steps from the lawyer question to the end of a flow. */
export const lawyerToPhone = {
  HasLawyer: hasLawyer({ stage: 'case', next: ['IncidentDescription'] }),
  IncidentDescription: incidentDescription({ stage: 'case', next: ['NameAndEmail'] }),
  ...nameThenPhone,
};

const onInjury = { after: 'WasUserInjured', answer: { physical_injury: 'Yes' } } as const;

export const pixelOnInjury = { script: 'pixel', ...onInjury } as const;

export const adPixelOnInjury = { script: 'adPixel', affid: '389', ...onInjury } as const;
