import { wireValues } from './constants.ts';
import type { FlowName } from './paths-and-ids.ts';

/** The fields that one answer button sets. */
export type Answer = Readonly<Record<string, string>>;

/** What these steps ask and offer. */
export type StepRow = {
  readonly steps: readonly string[];
  /** The flows that the row applies to. Default: every flow without a row of its own. */
  readonly flows?: readonly FlowName[];
  /** Required fields in addition to those in `answers`. */
  readonly asks?: readonly string[];
  readonly mayAsk?: readonly string[];
  readonly answers?: readonly Answer[];
  /** Answers that the step sets without asking. */
  readonly gives?: Answer;
  /** Answers that are looked up after the step. */
  readonly finds?: readonly string[];
};

/** Returns one answer for each value of a field, by default for its wire values. */
function oneOf(field: string, values = wireValues[field] ?? []): readonly Answer[] {
  return values.map((value) => ({ [field]: value }));
}

function yesNo(field: string): readonly Answer[] {
  return oneOf(field, ['yes', 'no']);
}

const names = ['first_name', 'last_name', 'email'];

/** A zip code gives the state, else the visitor chooses it (ours). */
const place = ['state', 'state_choice'];

/** Flows with the hit-and-run steps: docs/specification.md#v4-flow. */
const withHitAndRun: readonly FlowName[] = [
  'v4nv',
  'v4nv-es',
  'v4',
  'v4-crash-comped',
  'v7',
  'one-to-one',
  'one-to-one-fixed',
];

/**
 * The fields that each step asks and the answers that it offers. "Ours" marks names that the brief does not
 * give; they are part of the wire contract, too.
 */
export const stepTable: readonly StepRow[] = [
  // #start-steps, #slv2.
  { steps: ['StartPath', 'TypeOfAccident', 'ShowQuestions'], answers: oneOf('accident_type') },
  // #start-steps: accident_type is Car Accident.
  { steps: ['StartPath'], flows: ['ep', 'vw3'], gives: { accident_type: 'Car Accident' } },
  // Ours: a start button.
  { steps: ['StartPath'], flows: ['benefits'] },
  { steps: ['GetStartedFirstStep'] },
  // #ticket-steps: field and values ours.
  {
    steps: ['StartPathTicket'],
    answers: oneOf('ticket_type', [
      'Speeding',
      'Red Light or Stop Sign',
      'Careless Driving',
      'Phone Use',
      'License or Insurance',
      'Other',
    ]),
  },
  // Ours: the brief names no field.
  {
    steps: ['WereYouInAMotorVehicleAccident', 'StartTicketFlow'],
    answers: yesNo('motor_vehicle_accident'),
  },
  { steps: ['TicketReceived'], answers: yesNo('ticket_received') },
  // The brief names the estimator's field; asking it here is ours.
  { steps: ['AutoAccidentCaseWorth'], asks: ['current_compensation'] },
  // Ours.
  {
    steps: ['OtherDriversVehicleType'],
    answers: oneOf('other_vehicle_type', [
      'Car',
      'SUV or Pickup',
      'Commercial Truck',
      'Motorcycle',
      'Bus',
      'Other',
    ]),
  },

  // #accident-date-steps; for a ticket's SelectDate ours.
  {
    steps: [
      'WhenWasTheAccident',
      'WhenWasTheAccidentVW3',
      'WhenWasTheAccidentTikTok',
      'SelectDate',
    ],
    asks: ['injury_month', 'injury_year'],
    mayAsk: ['injury_day'],
  },
  // #accident-date-steps: a drop-down of month and year.
  { steps: ['SocialDropWhenWasTheAccident'], asks: ['injury_month', 'injury_year'] },
  // #ticket-steps.
  { steps: ['SelectState'], asks: ['state_accident_occurred'] },

  // #accident-steps; that a partial fault is also a yes is ours.
  {
    steps: ['AtFault', 'AtFaultVW3'],
    answers: [...yesNo('at_Fault'), { partial_fault: 'yes', at_Fault: 'yes' }],
  },

  // #injury-steps: physical_injury (Yes/No); for HowWasUserHurt ours.
  {
    steps: ['WasUserInjured', 'WasUserInjuredVW3', 'HowWasUserHurt'],
    answers: [{ physical_injury: 'Yes' }, { physical_injury: 'No' }],
  },
  // #injury-steps; in rz and Ep ours.
  {
    steps: ['WasUserInjured'],
    flows: [...withHitAndRun, 'rz', 'ep'],
    answers: [
      ...oneOf('specific_injury').map((answer) => ({ ...answer, physical_injury: 'Yes' })),
      { physical_injury: 'No' },
    ],
  },
  // #field-checks: injury_type is required; its values are ours.
  {
    steps: ['DescribeInjuries'],
    answers: oneOf('injury_type'),
  },

  // #treatment-steps; for AccidentResultInMedicalTreatment ours.
  {
    steps: ['DidYouReceiveMedicalTreatment', 'AccidentResultInMedicalTreatment'],
    answers: yesNo('doctor_treatment'),
  },
  // #treatment-steps.
  { steps: ['DidYouRequireMedicalTreatment'], answers: yesNo('required_medical_treatment') },
  // Ours.
  { steps: ['WillYouRequireMedicalTreatment'], answers: yesNo('will_require_medical_treatment') },
  { steps: ['WillingToTreat'], answers: yesNo('willing_to_treat') },
  {
    steps: ['TypeOfMedicalTreatment', 'TypeOfMedicalTreatmentVW3'],
    answers: [
      { type_of_medical_treatment: 'Emergency Room', doctor_treatment: 'yes' },
      { type_of_medical_treatment: 'Doctor or Clinic', doctor_treatment: 'yes' },
      { type_of_medical_treatment: 'Chiropractor or Physical Therapy', doctor_treatment: 'yes' },
      { type_of_medical_treatment: 'Surgery', doctor_treatment: 'yes' },
      { doctor_treatment: 'no' },
    ],
  },
  // #injury-steps.
  { steps: ['ActiveInsurancePolicy'], answers: yesNo('active_insurance_policy') },
  { steps: ['MissedWork'], answers: yesNo('missed_work') },
  { steps: ['SpeakingWithADoctor'], answers: yesNo('speaking_with_doctor') },

  // #accident-steps.
  {
    steps: ['PoliceReportFiled', 'PoliceReportFiledVW3', 'PoliceReportFiledTikTok', 'PoliceReport'],
    answers: yesNo('police_report'),
  },

  // #lawyer-and-funding-steps, #lawyer-reason.
  {
    steps: ['HasLawyer', 'HasLawyerVW3', 'HasAttorney', 'DoYouHaveAttorney'],
    answers: [
      ...yesNo('with_Lawyer'),
      { lawyer_redirect_reason: 'have_attorney|yes_but_I_want_a_new_lawyer', with_Lawyer: 'yes' },
    ],
  },
  // #v4-flow: "repeats the check".
  { steps: ['ConfirmationHasLawyer'], answers: yesNo('with_Lawyer') },
  // #lawyer-and-funding-steps.
  { steps: ['InterestedInFunding'], answers: yesNo('interested_in_psf') },
  { steps: ['HasCaseBeenSettled'], answers: yesNo('settled_case') },
  { steps: ['HasReceivedFunding'], answers: yesNo('prior_funding') },
  // Ours.
  {
    steps: ['FundingAmount'],
    answers: oneOf('funding_amount', ['under_2500', '2500_to_5000', '5000_to_10000', 'over_10000']),
  },
  { steps: ['LawFirmDetails'], asks: ['law_firm_name'], mayAsk: ['law_firm_phone'] },

  // #dui-steps.
  { steps: ['PendingDUICharges'], answers: yesNo('pending_dui_charges') },
  {
    steps: ['TypeOfAlcoholTestPerformed'],
    answers: [
      ...oneOf('type_of_alcohol_test_performed', [
        'breath_test',
        'blood_test',
        'urine_test',
        'field_sobriety_test',
      ]),
      { type_of_alcohol_test_performed: 'no_test', bac_level: 'dont_know' },
      { type_of_alcohol_test_performed: 'refused_test', bac_level: 'dont_know' },
    ],
  },
  {
    steps: ['BACMeasuredByTest'],
    answers: oneOf('bac_level'),
  },
  { steps: ['UserHasDUI'], answers: yesNo('prior_alcohol_related_offense') },

  // #description-steps.
  {
    steps: [
      'IncidentDescription',
      'IncidentDescriptionVW3',
      'IncidentDescriptionTikTok',
      'DUIIncidentDescription',
      'Description',
    ],
    asks: ['case_description'],
  },
  // #description-steps: the step uses hit_and_run; asking it here is ours.
  {
    steps: ['IncidentDescription'],
    flows: withHitAndRun,
    asks: ['case_description'],
    answers: yesNo('hit_and_run'),
  },
  // #description-steps.
  { steps: ['HitAndRunIdentified'], answers: yesNo('hit_and_run_identified') },
  { steps: ['UninsuredMotoristCoverage'], answers: yesNo('uninsured_motorist_coverage') },

  // #contact-steps.
  {
    steps: [
      'NameAndEmail',
      'NameAndEmailVW3',
      'NameAndEmailTikTok',
      'EmailAndName',
      'SocialDropPII',
    ],
    asks: names,
  },
  // #field-checks: the ticket validation requires an address; asking it here is ours.
  { steps: ['NameAndEmailTicket'], asks: [...names, 'address'] },
  // Ours.
  {
    steps: ['DateOfBirth'],
    asks: ['date_of_birth_month', 'date_of_birth_day', 'date_of_birth_year'],
  },
  // #contact-steps.
  {
    steps: ['PhoneAndZip', 'PhoneAndZipVW3', 'PhoneAndZipTikTok', 'ZipAndPhone'],
    asks: ['phone', 'zip_code'],
    finds: place,
  },
  // #v4-flow: with the combined-last-step marker.
  { steps: ['AllPii'], asks: [...names, 'phone', 'zip_code'], finds: place },

  // #one-to-one-flow; displayed_buyer_ids is ours.
  {
    steps: ['ZipCode'],
    asks: ['zip_code'],
    finds: [...place, '1_to_1_consent', 'displayed_buyers', 'displayed_buyer_ids'],
  },
  { steps: ['PhoneAndBuyersConsent'], asks: ['phone'], mayAsk: ['selected_buyers'] },
  { steps: ['PhoneAbbreviatedTCPA'], asks: ['phone'] },

  // #three-step-form: the fields of each step; the place of the address is ours.
  { steps: ['FormFirstQuestions'], asks: ['physical_injury', 'police_report'] },
  {
    steps: ['FormSecondQuestions'],
    asks: [
      'zip_code',
      'case_description',
      'injury_month',
      'injury_year',
      'doctor_treatment',
      'when_seek_medical_treatment',
    ],
    finds: place,
  },
  { steps: ['FormThirdQuestions'], asks: [...names, 'phone', 'address'] },

  // #field-checks: required fields; #one-page-form: year-01-01. The step's name is ours.
  {
    steps: ['OnePageForm'],
    asks: [
      'accident_type',
      'injury_year',
      'at_Fault',
      'physical_injury',
      'injury_type',
      'police_report',
      'with_Lawyer',
      'case_description',
      ...names,
      'phone',
      'zip_code',
    ],
    finds: place,
    gives: { injury_month: '01' },
  },

  // #benefits-steps: the values are ours.
  {
    steps: ['SelectAgeGroup'],
    answers: oneOf('ageGroup', ['under_18', '18_to_25', '26_to_49', '50_to_64', '65_or_more']),
  },
  { steps: ['USCitizen'], answers: yesNo('isUSCitizen') },

  // #end-steps. Nothing is asked.
  { steps: ['End', 'ThankYouStep', 'SecuredBenefits', 'Disqualified'] },
];
