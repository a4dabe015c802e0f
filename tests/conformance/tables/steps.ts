/**
 * In these comments `#x` is the section of docs/specification.md which the rows repeat, and "ours"
 * marks our choice where the brief is silent.
 */
import { wireValues } from './constants.ts';
import type { FlowName } from './paths-and-ids.ts';

/** The fields that one answer button sets. */
export type Answer = Readonly<Record<string, string>>;

/** The fields that these steps ask, and the answers that they offer. */
export type StepRow = {
  readonly steps: readonly string[];
  /** The flows that the row applies to. Default: every flow without a row of its own. */
  readonly flows: readonly FlowName[] | undefined;
  /** Required fields in addition to those in `answers`. */
  readonly asks: readonly string[];
  readonly mayAsk: readonly string[];
  readonly answers: readonly Answer[];
  /** Answers that the step sets without asking. */
  readonly gives: Answer;
  /** Fields that a look-up fills after the step. */
  readonly finds: readonly string[];
};

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '');

/** Parses `a=x & b=y` into `{ a: 'x', b: 'y' }`. */
export function answerIn(text: string): Answer {
  return Object.fromEntries(text.split(' & ').map((pair) => pair.split('=')));
}

/**
 * Returns one answer for each value of `field=value/value`. Default values: the field's wire
 * values.
 */
function oneOf(text: string): readonly Answer[] {
  const [field = '', values] = text.split('=');
  return (values?.split('/') ?? wireValues[field] ?? []).map((value) => ({ [field]: value }));
}

/** Returns a row of the table. Fields that end with `?` are optional. */
function row(
  steps: string,
  fields: string,
  {
    answers = [],
    ...more
  }: Partial<Pick<StepRow, 'flows' | 'gives'>> & {
    answers?: readonly Answer[];
    finds?: string;
  } = {},
): StepRow {
  const named = wordsOf(fields);
  return {
    steps: wordsOf(steps),
    flows: more.flows,
    asks: named.filter((name) => !name.endsWith('?')),
    mayAsk: named.filter((name) => name.endsWith('?')).map((name) => name.slice(0, -1)),
    answers,
    gives: more.gives ?? {},
    finds: wordsOf(more.finds ?? ''),
  };
}

/** Returns the row of steps with these buttons. Each text is `field=value/value` or `a=x & b=y`. */
const buttons = (steps: string, ...texts: string[]): StepRow =>
  row(steps, '', {
    answers: texts.flatMap((text) => (text.includes('&') ? [answerIn(text)] : oneOf(text))),
  });

/** Limits a row to some flows. */
const only = (flows: readonly FlowName[], of: StepRow): StepRow => ({ ...of, flows });

const names = 'first_name last_name email';

/** A zip code gives the state; without one the visitor chooses the state (ours). */
const place = 'state state_choice';

/** #v4-flow: the flows with the hit-and-run steps. */
const withHitAndRun: readonly FlowName[] = [
  ...(['v4nv', 'v4nv-es', 'v4', 'v4-crash-comped', 'v7'] as const),
  ...(['one-to-one', 'one-to-one-fixed'] as const),
];

/**
 * The fields that each step asks and the answers that it offers. Names marked "ours" are part of
 * the wire contract, too.
 */
export const stepTable: readonly StepRow[] = [
  // #start-steps, #flows
  buttons('StartPath TypeOfAccident ShowQuestions', 'accident_type'),
  // #start-steps: the step sets accident_type to Car Accident.
  row('StartPath', '', { flows: ['ep', 'vw3'], gives: { accident_type: 'Car Accident' } }),
  // Ours: a start button without a field.
  row('StartPath', '', { flows: ['benefits'] }),
  row('GetStartedFirstStep', ''),
  // #steps-and-flows; the field and its values are ours.
  buttons(
    'StartPathTicket',
    'ticket_type=Speeding/Red Light or Stop Sign/Careless Driving/Phone Use/License or Insurance/Other',
  ),
  // The field's name is ours.
  buttons('WereYouInAMotorVehicleAccident StartTicketFlow', 'motor_vehicle_accident=yes/no'),
  buttons('TicketReceived', 'ticket_received=yes/no'),
  // The brief names the estimator's field; that this step asks it is ours.
  row('AutoAccidentCaseWorth', 'current_compensation'),
  // The fields are ours.
  buttons(
    'OtherDriversVehicleType',
    'other_vehicle_type=Car/SUV or Pickup/Commercial Truck/Motorcycle/Bus/Other',
  ),

  // #accident-date-steps; the fields of the ticket's SelectDate are ours.
  row(
    'WhenWasTheAccident WhenWasTheAccidentVW3 WhenWasTheAccidentTikTok SelectDate',
    'injury_month injury_year injury_day?',
  ),
  // #accident-date-steps: one drop-down for month and year.
  row('SocialDropWhenWasTheAccident', 'injury_month injury_year'),
  // #steps-and-flows
  row('SelectState', 'state_accident_occurred'),

  // #steps-and-flows; that a partial fault also sets at_Fault to yes is ours.
  buttons('AtFault AtFaultVW3', 'at_Fault', 'partial_fault=yes & at_Fault=yes'),

  // #injury-steps: physical_injury is Yes or No; the field of HowWasUserHurt is ours.
  buttons('WasUserInjured WasUserInjuredVW3 HowWasUserHurt', 'physical_injury'),
  // #injury-steps; the field in the flows rz and Ep is ours.
  only(
    [...withHitAndRun, 'rz', 'ep'],
    row('WasUserInjured', '', {
      answers: [
        ...oneOf('specific_injury').map((answer) => ({ ...answer, physical_injury: 'Yes' })),
        { physical_injury: 'No' },
      ],
    }),
  ),
  // #field-checks: injury_type is required; its values are ours.
  buttons('DescribeInjuries', 'injury_type'),

  // #steps-and-flows; the field of AccidentResultInMedicalTreatment is ours.
  buttons('DidYouReceiveMedicalTreatment AccidentResultInMedicalTreatment', 'doctor_treatment'),
  // #steps-and-flows
  buttons('DidYouRequireMedicalTreatment', 'required_medical_treatment'),
  // The field is ours.
  buttons('WillYouRequireMedicalTreatment', 'will_require_medical_treatment=yes/no'),
  buttons('WillingToTreat', 'willing_to_treat=yes/no'),
  buttons(
    'TypeOfMedicalTreatment TypeOfMedicalTreatmentVW3',
    'type_of_medical_treatment=Emergency Room & doctor_treatment=yes',
    'type_of_medical_treatment=Doctor or Clinic & doctor_treatment=yes',
    'type_of_medical_treatment=Chiropractor or Physical Therapy & doctor_treatment=yes',
    'type_of_medical_treatment=Surgery & doctor_treatment=yes',
    'doctor_treatment=no',
  ),
  // #injury-steps
  buttons('ActiveInsurancePolicy', 'active_insurance_policy=yes/no'),
  buttons('MissedWork', 'missed_work=yes/no'),
  buttons('SpeakingWithADoctor', 'speaking_with_doctor=yes/no'),

  // #steps-and-flows
  buttons(
    'PoliceReportFiled PoliceReportFiledVW3 PoliceReportFiledTikTok PoliceReport',
    'police_report',
  ),

  // #steps-and-flows, #lawyer-reason
  buttons(
    'HasLawyer HasLawyerVW3 HasAttorney DoYouHaveAttorney',
    'with_Lawyer',
    'lawyer_redirect_reason=have_attorney|yes_but_I_want_a_new_lawyer & with_Lawyer=yes',
  ),
  // #v4-flow: the step asks about the lawyer again.
  buttons('ConfirmationHasLawyer', 'with_Lawyer'),
  // #steps-and-flows
  buttons('InterestedInFunding', 'interested_in_psf=yes/no'),
  buttons('HasCaseBeenSettled', 'settled_case=yes/no'),
  buttons('HasReceivedFunding', 'prior_funding=yes/no'),
  // The field and its values are ours.
  buttons('FundingAmount', 'funding_amount=under_2500/2500_to_5000/5000_to_10000/over_10000'),
  row('LawFirmDetails', 'law_firm_name law_firm_phone?'),

  // #steps-and-flows
  buttons('PendingDUICharges', 'pending_dui_charges'),
  buttons(
    'TypeOfAlcoholTestPerformed',
    'type_of_alcohol_test_performed=breath_test/blood_test/urine_test/field_sobriety_test',
    'type_of_alcohol_test_performed=no_test & bac_level=dont_know',
    'type_of_alcohol_test_performed=refused_test & bac_level=dont_know',
  ),
  buttons('BACMeasuredByTest', 'bac_level'),
  buttons('UserHasDUI', 'prior_alcohol_related_offense'),

  // #description-steps
  row(
    'IncidentDescription IncidentDescriptionVW3 IncidentDescriptionTikTok DUIIncidentDescription Description',
    'case_description',
  ),
  // #description-steps: the step reads hit_and_run; that it also asks it is ours.
  only(
    withHitAndRun,
    row('IncidentDescription', 'case_description', { answers: oneOf('hit_and_run') }),
  ),
  // #description-steps
  buttons('HitAndRunIdentified', 'hit_and_run_identified=yes/no'),
  buttons('UninsuredMotoristCoverage', 'uninsured_motorist_coverage=yes/no'),

  // #contact-steps
  row('NameAndEmail NameAndEmailVW3 NameAndEmailTikTok EmailAndName SocialDropPII', names),
  // #field-checks: a ticket requires an address; that this step asks it is ours.
  row('NameAndEmailTicket', `${names} address`),
  // The fields are ours.
  row('DateOfBirth', 'date_of_birth_month date_of_birth_day date_of_birth_year'),
  // #contact-steps
  row('PhoneAndZip PhoneAndZipVW3 PhoneAndZipTikTok ZipAndPhone', 'phone zip_code', {
    finds: place,
  }),
  // #v4-flow: the step of paths with the combined-last-step marker.
  row('AllPii', `${names} phone zip_code`, { finds: place }),

  // #flows; displayed_buyer_ids is ours.
  row('ZipCode', 'zip_code', {
    finds: `${place} 1_to_1_consent displayed_buyers displayed_buyer_ids`,
  }),
  row('PhoneAndBuyersConsent', 'phone selected_buyers?'),
  row('PhoneAbbreviatedTCPA', 'phone'),

  // #flows: the fields of each step; the step that asks the address is ours.
  row('FormFirstQuestions', 'physical_injury police_report'),
  row(
    'FormSecondQuestions',
    'zip_code case_description injury_month injury_year doctor_treatment when_seek_medical_treatment',
    { finds: place },
  ),
  row('FormThirdQuestions', `${names} phone address`),

  // #field-checks: the required fields; #one-page-form: the date is year-01-01. The step's name is
  // ours.
  row(
    'OnePageForm',
    `accident_type injury_year at_Fault physical_injury injury_type police_report with_Lawyer
     case_description ${names} phone zip_code`,
    { finds: place, gives: { injury_month: '01' } },
  ),

  // #steps-and-flows; the values are ours.
  buttons('SelectAgeGroup', 'ageGroup=under_18/18_to_25/26_to_49/50_to_64/65_or_more'),
  buttons('USCitizen', 'isUSCitizen=yes/no'),

  // #end-steps: these steps ask nothing.
  row('End ThankYouStep SecuredBenefits Disqualified', ''),
];
