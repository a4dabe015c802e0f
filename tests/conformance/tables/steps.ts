/**
 * Rules copied by hand from docs/specification.md. "#section" in a comment is a section of that
 * document.
 */
import { wireValues } from './constants.ts';
import type { FlowName } from './paths-and-ids.ts';

/** The fields that one answer button sets. */
export type Answer = Readonly<Record<string, string>>;

/** One row of the table: some steps, with their fields and answers. */
export type StepRow = {
  readonly steps: readonly string[];
  /** The flows to which the row applies. Default: all flows without another row for the step. */
  readonly flows: readonly FlowName[] | undefined;
  /** Required fields that the visitor types or chooses. */
  readonly asks: readonly string[];
  readonly mayAsk: readonly string[];
  readonly answers: readonly Answer[];
  /** Answers that the step sets without asking. */
  readonly gives: Answer;
  /** Fields that the server looks up after the step. */
  readonly finds: readonly string[];
};

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '');

/** Parses `a=x & b=y` into `{ a: 'x', b: 'y' }`. */
export function answerIn(text: string): Answer {
  return Object.fromEntries(text.split(' & ').map((pair) => pair.split('=')));
}

/** Parses `field=value/value` into one answer for each value. */
function oneOf(text: string): readonly Answer[] {
  const [field = '', values] = text.split('=');
  return (values?.split('/') ?? wireValues[field] ?? []).map((value) => ({ [field]: value }));
}

/** Returns a row of the table. A field name that ends with `?` is optional. */
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

/** Returns the row for steps with answer buttons. */
const buttons = (steps: string, ...texts: string[]): StepRow =>
  row(steps, '', {
    answers: texts.flatMap((text) => (text.includes('&') ? [answerIn(text)] : oneOf(text))),
  });

const only = (flows: readonly FlowName[], of: StepRow): StepRow => ({ ...of, flows });

const names = 'first_name last_name email';

const place = 'state state_choice';
const wishes = 'call_language? call_time?';

/** Specification #v4-flow: the flows with the hit-and-run steps. */
const withHitAndRun: readonly FlowName[] = [
  ...(['v4nv', 'v4nv-es', 'v4', 'v4-crash-comped', 'v7'] as const),
  ...(['one-to-one', 'one-to-one-fixed'] as const),
];

/** The fields and answers of each step. */
export const stepTable: readonly StepRow[] = [
  // Specification #start-steps, #flows: the start buttons set accident_type.
  buttons('StartPath TypeOfAccident ShowQuestions', 'accident_type'),
  // Specification #start-steps: the step sets accident_type to Car Accident.
  row('StartPath', '', { flows: ['ep', 'vw3'], gives: { accident_type: 'Car Accident' } }),
  // The brief names no field for this start button, so the button sets no field.
  row('StartPath', '', { flows: ['benefits'] }),
  row('GetStartedFirstStep', ''),
  // Specification #steps-and-flows: the step asks the kind of ticket. We chose the field and the
  // values.
  buttons(
    'StartPathTicket',
    'ticket_type=Speeding/Red Light or Stop Sign/Careless Driving/Phone Use/License or Insurance/Other',
  ),
  // The brief does not name the field of this step. We chose the name motor_vehicle_accident.
  buttons('WereYouInAMotorVehicleAccident StartTicketFlow', 'motor_vehicle_accident=yes/no'),
  buttons('TicketReceived', 'ticket_received=yes/no'),
  // The brief names the field current_compensation, but no step for it. We chose this step.
  row('AutoAccidentCaseWorth', 'current_compensation'),
  // The brief does not describe this step. We chose its field and its values.
  buttons(
    'OtherDriversVehicleType',
    'other_vehicle_type=Car/SUV or Pickup/Commercial Truck/Motorcycle/Bus/Other',
  ),

  // Specification #accident-date-steps: these steps ask the date of the accident.
  row(
    'WhenWasTheAccident WhenWasTheAccidentVW3 WhenWasTheAccidentTikTok SelectDate',
    'injury_month injury_year injury_day?',
  ),
  // Specification #accident-date-steps: this step has one drop-down for month and year.
  row('SocialDropWhenWasTheAccident', 'injury_month injury_year'),
  // Specification #steps-and-flows: the step asks in which US state the accident was.
  row('SelectState', 'state_accident_occurred'),

  // Specification #steps-and-flows: these steps ask who was at fault.
  buttons('AtFault AtFaultVW3', 'at_Fault', 'partial_fault=yes & at_Fault=yes'),

  // Specification #injury-steps: the answers are Yes and No.
  buttons('WasUserInjured WasUserInjuredVW3 HowWasUserHurt', 'physical_injury'),
  // Specification #injury-steps: each button names an injury.
  only(
    [...withHitAndRun, 'rz', 'ep'],
    row('WasUserInjured', '', {
      answers: [
        ...oneOf('specific_injury').map((answer) => ({ ...answer, physical_injury: 'Yes' })),
        { physical_injury: 'No' },
      ],
    }),
  ),
  // Specification #field-checks: injury_type is required. We chose its values.
  buttons('DescribeInjuries', 'injury_type'),

  // Specification #steps-and-flows: these steps ask about treatment.
  buttons('DidYouReceiveMedicalTreatment AccidentResultInMedicalTreatment', 'doctor_treatment'),
  // Specification #steps-and-flows: the step asks if treatment was required.
  buttons('DidYouRequireMedicalTreatment', 'required_medical_treatment'),
  // The brief does not name the fields about planned treatment. We chose the names.
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
  // Specification #injury-steps: these steps ask about insurance, missed work and a doctor.
  buttons('ActiveInsurancePolicy', 'active_insurance_policy=yes/no'),
  buttons('MissedWork', 'missed_work=yes/no'),
  buttons('SpeakingWithADoctor', 'speaking_with_doctor=yes/no'),

  // Specification #steps-and-flows: these steps ask about the police report.
  buttons(
    'PoliceReportFiled PoliceReportFiledVW3 PoliceReportFiledTikTok PoliceReport',
    'police_report',
  ),

  // Specification #steps-and-flows: these steps ask if the visitor has a lawyer.
  buttons(
    'HasLawyer HasLawyerVW3 HasAttorney DoYouHaveAttorney',
    'with_Lawyer',
    'lawyer_redirect_reason=have_attorney|yes_but_I_want_a_new_lawyer & with_Lawyer=yes',
  ),
  // Specification #v4-flow: the step asks visitors with a lawyer to confirm that they have a
  // lawyer.
  buttons('ConfirmationHasLawyer', 'with_Lawyer'),
  // Specification #steps-and-flows: these steps ask about funding for the time before the
  // settlement.
  buttons('InterestedInFunding', 'interested_in_psf=yes/no'),
  buttons('HasCaseBeenSettled', 'settled_case=yes/no'),
  buttons('HasReceivedFunding', 'prior_funding=yes/no'),
  // The brief does not name the fields about the details of funding. We chose the names.
  buttons('FundingAmount', 'funding_amount=under_2500/2500_to_5000/5000_to_10000/over_10000'),
  row('LawFirmDetails', 'law_firm_name law_firm_phone?'),

  // Specification #steps-and-flows: these steps ask about driving under the influence (DUI).
  buttons('PendingDUICharges', 'pending_dui_charges'),
  buttons(
    'TypeOfAlcoholTestPerformed',
    'type_of_alcohol_test_performed=breath_test/blood_test/urine_test/field_sobriety_test',
    'type_of_alcohol_test_performed=no_test & bac_level=dont_know',
    'type_of_alcohol_test_performed=refused_test & bac_level=dont_know',
  ),
  buttons('BACMeasuredByTest', 'bac_level'),
  buttons('UserHasDUI', 'prior_alcohol_related_offense'),

  // Specification #description-steps: these steps ask for a description of the accident.
  row(
    'IncidentDescription IncidentDescriptionVW3 IncidentDescriptionTikTok DUIIncidentDescription Description',
    'case_description',
  ),
  // We chose to ask hit_and_run at this step, because later steps depend on the answer.
  only(
    withHitAndRun,
    row('IncidentDescription', 'case_description', { answers: oneOf('hit_and_run') }),
  ),
  // Specification #description-steps: asked after a hit and run.
  buttons('HitAndRunIdentified', 'hit_and_run_identified=yes/no'),
  buttons('UninsuredMotoristCoverage', 'uninsured_motorist_coverage=yes/no'),

  // Specification #contact-steps: these steps ask for the visitor's name and e-mail address.
  row('NameAndEmail NameAndEmailVW3 NameAndEmailTikTok EmailAndName SocialDropPII', names),
  // Specification #field-checks: a ticket requires a postal address. We chose to ask the address
  // here.
  row('NameAndEmailTicket', `${names} address`),
  // The brief does not name the fields of the date of birth. We chose three fields.
  row('DateOfBirth', 'date_of_birth_month date_of_birth_day date_of_birth_year'),
  // Specification #contact-steps: these steps ask for the visitor's phone number and zip code.
  // We chose to ask for the language and the time of the call too.
  row('PhoneAndZip PhoneAndZipVW3 PhoneAndZipTikTok ZipAndPhone', `phone zip_code ${wishes}`, {
    finds: place,
  }),
  // Specification #v4-flow: only paths with the combined-last-step marker have this step.
  row('AllPii', `${names} phone zip_code ${wishes}`, { finds: place }),

  // Specification #flows: the server returns law firms for the zip code.
  row('ZipCode', 'zip_code', {
    finds: `${place} 1_to_1_consent displayed_buyers displayed_buyer_ids`,
  }),
  row('PhoneAndBuyersConsent', `phone selected_buyers? ${wishes}`),
  row('PhoneAbbreviatedTCPA', `phone ${wishes}`),

  // Specification #flows lists the fields of each form.
  row('FormFirstQuestions', 'physical_injury police_report'),
  row(
    'FormSecondQuestions',
    'zip_code case_description injury_month injury_year doctor_treatment when_seek_medical_treatment',
    { finds: place },
  ),
  row('FormThirdQuestions', `${names} phone address ${wishes}`),

  // Specification #field-checks lists the required fields. We chose the name of the step.
  row(
    'OnePageForm',
    `accident_type injury_year at_Fault physical_injury injury_type police_report with_Lawyer
     case_description ${names} phone zip_code ${wishes}`,
    { finds: place, gives: { injury_month: '01' } },
  ),

  // Specification #steps-and-flows: these steps ask age group and citizenship. We chose the values.
  buttons('SelectAgeGroup', 'ageGroup=under_18/18_to_25/26_to_49/50_to_64/65_or_more'),
  buttons('USCitizen', 'isUSCitizen=yes/no'),

  // Specification #end-steps: these steps ask nothing.
  row('End ThankYouStep SecuredBenefits Disqualified', ''),
];
