import type { FlowName } from './paths-and-ids.ts';

/** One line of a transition table: at this step, with these answers, that step follows. */
export type Transition = readonly [
  flow: FlowName,
  step: string,
  answers: Readonly<Record<string, string>>,
  /** Days between the accident and today, where the line depends on it. */
  daysAgo: number,
  next: string,
];

/** D1 4 and D2 4: which answer leads where, in every flow with a branch. */
export const transitions: readonly Transition[] = [
  ['A', 'WasUserInjured', { physical_injury: 'Yes' }, 100, 'TypeOfMedicalTreatment'],
  ['A', 'WasUserInjured', { physical_injury: 'No' }, 100, 'PoliceReportFiled'],
  ['B', 'WasUserInjured', { physical_injury: 'Yes' }, 100, 'TypeOfMedicalTreatment'],
  ['B', 'WasUserInjured', { physical_injury: 'No' }, 100, 'PoliceReportFiled'],
  ['C', 'WasUserInjured', { physical_injury: 'No' }, 100, 'TypeOfMedicalTreatment'],
  ['D', 'WasUserInjured', { physical_injury: 'Yes' }, 100, 'DidYouRequireMedicalTreatment'],
  ['D', 'WasUserInjured', { physical_injury: 'No' }, 100, 'AtFault'],
  ['dui', 'AtFault', { at_Fault: 'yes' }, 100, 'PendingDUICharges'],
  ['dui', 'AtFault', { at_Fault: 'no' }, 100, 'WasUserInjured'],
  ['dui', 'PendingDUICharges', { pending_dui_charges: 'yes' }, 100, 'TypeOfAlcoholTestPerformed'],
  ['dui', 'PendingDUICharges', { pending_dui_charges: 'no' }, 100, 'WasUserInjured'],
  ...['no_test', 'refused_test'].map(
    (test): Transition => [
      'dui',
      'TypeOfAlcoholTestPerformed',
      { type_of_alcohol_test_performed: test },
      100,
      'UserHasDUI',
    ],
  ),
  ...['breath_test', 'blood_test', 'urine_test', 'field_sobriety_test'].map(
    (test): Transition => [
      'dui',
      'TypeOfAlcoholTestPerformed',
      { type_of_alcohol_test_performed: test },
      100,
      'BACMeasuredByTest',
    ],
  ),
  ['vw3', 'WasUserInjuredVW3', { physical_injury: 'Yes' }, 100, 'TypeOfMedicalTreatmentVW3'],
  ['vw3', 'WasUserInjuredVW3', { physical_injury: 'No' }, 100, 'PoliceReportFiledVW3'],
  ...(['medical-10', 'medical-5'] as const).flatMap((flow): Transition[] => [
    [
      flow,
      'DidYouRequireMedicalTreatment',
      { required_medical_treatment: 'no' },
      100,
      'WillYouRequireMedicalTreatment',
    ],
    [
      flow,
      'DidYouRequireMedicalTreatment',
      { required_medical_treatment: 'yes' },
      100,
      'TypeOfMedicalTreatment',
    ],
  ]),
  ['rz', 'WasUserInjured', { physical_injury: 'Yes' }, 100, 'DidYouReceiveMedicalTreatment'],
  ['rz', 'WasUserInjured', { physical_injury: 'No' }, 100, 'HasLawyer'],
  ['rz', 'DidYouReceiveMedicalTreatment', { doctor_treatment: 'no' }, 14, 'WillingToTreat'],
  ['rz', 'DidYouReceiveMedicalTreatment', { doctor_treatment: 'no' }, 15, 'HasLawyer'],
  ['rz', 'DidYouReceiveMedicalTreatment', { doctor_treatment: 'yes' }, 14, 'HasLawyer'],
  ['ep', 'WasUserInjured', { physical_injury: 'Yes' }, 100, 'DidYouReceiveMedicalTreatment'],
  ['ep', 'WasUserInjured', { physical_injury: 'No' }, 100, 'PoliceReportFiled'],
  ['ep', 'DidYouReceiveMedicalTreatment', { doctor_treatment: 'no' }, 5, 'PoliceReportFiled'],
  ['ep', 'HasLawyer', { with_Lawyer: 'yes' }, 100, 'IncidentDescription'],
  ['rz', 'HasLawyer', { with_Lawyer: 'yes' }, 100, 'IncidentDescription'],
  ['group', 'HasLawyer', { with_Lawyer: 'yes' }, 100, 'NameAndEmail'],
  ['v7', 'HasLawyer', { with_Lawyer: 'yes' }, 100, 'IncidentDescription'],
  ...(['v4nv', 'v4nv-es', 'v4', 'v4-crash-comped', 'v7'] as const).flatMap((flow): Transition[] => [
    ...[
      'Back or Neck Pain',
      'Broken Bones',
      'Whiplash',
      'Head Injury',
      'Spinal Cord Injury',
      'Loss of Limb',
    ].map(
      (specific_injury): Transition => [
        flow,
        'WasUserInjured',
        { at_Fault: 'yes', physical_injury: 'Yes', specific_injury },
        300,
        'ActiveInsurancePolicy',
      ],
    ),
    [
      flow,
      'WasUserInjured',
      { at_Fault: 'yes', physical_injury: 'Yes', specific_injury: 'Whiplash' },
      430,
      'DidYouReceiveMedicalTreatment',
    ],
    [
      flow,
      'WasUserInjured',
      { at_Fault: 'no', physical_injury: 'Yes', specific_injury: 'Whiplash' },
      300,
      'DidYouReceiveMedicalTreatment',
    ],
    [flow, 'WasUserInjured', { at_Fault: 'yes', physical_injury: 'No' }, 300, 'PoliceReportFiled'],
    [flow, 'DidYouReceiveMedicalTreatment', { doctor_treatment: 'no' }, 14, 'WillingToTreat'],
    [flow, 'DidYouReceiveMedicalTreatment', { doctor_treatment: 'no' }, 15, 'PoliceReportFiled'],
    [flow, 'IncidentDescription', { hit_and_run: 'yes' }, 100, 'HitAndRunIdentified'],
    [flow, 'IncidentDescription', { hit_and_run: 'no' }, 100, 'NameAndEmail'],
    [
      flow,
      'HitAndRunIdentified',
      { hit_and_run_identified: 'no' },
      100,
      'UninsuredMotoristCoverage',
    ],
    [flow, 'HitAndRunIdentified', { hit_and_run_identified: 'yes' }, 100, 'NameAndEmail'],
  ]),
  ...(['v4nv', 'v4'] as const).flatMap((flow): Transition[] => [
    [flow, 'HasLawyer', { with_Lawyer: 'yes' }, 729, 'ConfirmationHasLawyer'],
    [flow, 'HasLawyer', { with_Lawyer: 'yes' }, 730, 'IncidentDescription'],
    [
      flow,
      'HasLawyer',
      { with_Lawyer: 'yes', accident_date_button: 'Over 2 Years' },
      729,
      'IncidentDescription',
    ],
    [flow, 'HasLawyer', { with_Lawyer: 'no' }, 729, 'IncidentDescription'],
  ]),
  ['v4-crash-comped', 'HasLawyer', { with_Lawyer: 'yes' }, 729, 'InterestedInFunding'],
  ['v4nv-es', 'HasLawyer', { with_Lawyer: 'yes' }, 729, 'IncidentDescription'],
];
