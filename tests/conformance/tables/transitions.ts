/**
 * Rules copied by hand from docs/specification.md. "#section" in a comment is a section of that
 * document.
 */
import type { FlowName } from './paths-and-ids.ts';
import { type Answer, answerIn } from './steps.ts';

/** A step, its answers, and the step that follows. */
export type Transition = readonly [
  step: string,
  answers: Answer,
  next: string,
  /** The number of days since the accident. */
  daysAgo?: number,
];

/** Transitions, and the flows to which the transitions apply. */
export type Branches = {
  readonly flows: readonly FlowName[];
  /** The page to which these transitions apply. Default: every page of the flows. */
  readonly page?: { readonly path?: string; readonly combinedLastStep?: true };
  readonly lines: readonly Transition[];
};

/** Parses lines such as `Step: answer & answer > Next, 14 days ago`. */
function linesOf(text: string): readonly Transition[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const found = /^(\w+): (.*?) ?> (\w+)(?:, (\d+) days ago)?$/.exec(line.trim());
      if (!found) throw new Error(`no transition: ${line}`);
      const [, step = '', answers = '', next = '', days] = found;
      const given = answers === '' ? {} : answerIn(answers);
      return days === undefined ? [step, given, next] : [step, given, next, Number(days)];
    });
}

/** Returns the line once for each value. The value replaces `*`. */
const forEach = (values: string, line: string) =>
  values
    .split('/')
    .map((value) => line.replace('*', value))
    .join('\n');

/** Specification #flow-conditions: the injuries that lead to the insurance question. */
const severeInjuries =
  'Back or Neck Pain/Broken Bones/Whiplash/Head Injury/Spinal Cord Injury/Loss of Limb';

/** The v4 flows in which the step NameAndEmail follows the step IncidentDescription. */
const v4WithName: readonly FlowName[] = ['v4nv', 'v4nv-es', 'v4', 'v4-crash-comped', 'v7'];
const oneToOne: readonly FlowName[] = ['one-to-one', 'one-to-one-fixed'];
/** Specification #flows: the flows with "the v4 logic". */
const v4Logic: readonly FlowName[] = [...v4WithName, ...oneToOne];
/** Specification #v4-flow: flows that ask a visitor to confirm that the visitor has a lawyer. */
const v4Confirming: readonly FlowName[] = ['v4nv', 'v4', ...oneToOne];

/** Returns the transitions after a hit and run, which end at the step `after`. */
const hitAndRun = (after: string) =>
  linesOf(`
    IncidentDescription: hit_and_run=yes > HitAndRunIdentified
    IncidentDescription: hit_and_run=no > ${after}
    HitAndRunIdentified: hit_and_run_identified=yes > ${after}
    HitAndRunIdentified: hit_and_run_identified=no > UninsuredMotoristCoverage
    UninsuredMotoristCoverage: uninsured_motorist_coverage=yes > ${after}`);

/** Specification #over-two-years: the transitions of a visitor who has a lawyer. */
const lawyer = (step: string, next: string) =>
  linesOf(`
    ${step}: with_Lawyer=yes > ${next}, 729 days ago
    ${step}: with_Lawyer=yes > IncidentDescription, 730 days ago
    ${step}: with_Lawyer=yes & accident_date_button=Over 2 Years > IncidentDescription, 729 days ago
    ${step}: with_Lawyer=yes & accident_date_button=Within 2 Years > ${next}, 729 days ago
    ${step}: with_Lawyer=no > IncidentDescription, 729 days ago`);

/** The transitions that docs/specification.md describes. */
export const transitions: readonly Branches[] = [
  // Specification #flows: the next step depends on the answers about fault, charges and the alcohol
  // test.
  {
    flows: ['dui'],
    lines: linesOf(`
      AtFault: at_Fault=yes > PendingDUICharges
      AtFault: at_Fault=no > WasUserInjured
      PendingDUICharges: pending_dui_charges=yes > TypeOfAlcoholTestPerformed
      PendingDUICharges: pending_dui_charges=no > WasUserInjured
      ${forEach(
        'no_test/refused_test',
        'TypeOfAlcoholTestPerformed: type_of_alcohol_test_performed=* > UserHasDUI',
      )}
      ${forEach(
        'breath_test/blood_test/urine_test/field_sobriety_test',
        'TypeOfAlcoholTestPerformed: type_of_alcohol_test_performed=* > BACMeasuredByTest',
      )}`),
  },
  // Specification #flows: the next step depends on the answer about required treatment.
  {
    flows: ['medical-10', 'medical-5'],
    lines: linesOf(`
      DidYouRequireMedicalTreatment: required_medical_treatment=no > WillYouRequireMedicalTreatment
      DidYouRequireMedicalTreatment: required_medical_treatment=yes > TypeOfMedicalTreatment`),
  },
  // Specification #flows: the first steps of the flow `group`.
  {
    flows: ['group'],
    page: { path: '/elsewhere' },
    lines: linesOf(`
      StartPath: > AutoAccidentCaseWorth
      AutoAccidentCaseWorth: > WhenWasTheAccident`),
  },
  // Specification #flows: the next step depends on the answers about injury, treatment and
  // hit_and_run.
  {
    flows: ['rz'],
    lines: linesOf(`
      WasUserInjured: physical_injury=Yes > DidYouReceiveMedicalTreatment
      WasUserInjured: physical_injury=No > HasLawyer
      DidYouReceiveMedicalTreatment: doctor_treatment=no > WillingToTreat, 14 days ago
      DidYouReceiveMedicalTreatment: doctor_treatment=no > HasLawyer, 15 days ago
      DidYouReceiveMedicalTreatment: doctor_treatment=yes > HasLawyer, 14 days ago
      IncidentDescription: hit_and_run=yes > NameAndEmail`),
  },
  // Specification #flows: the next step depends on the answers about injury and hit_and_run.
  {
    flows: ['ep'],
    lines: linesOf(`
      WasUserInjured: physical_injury=Yes > DidYouReceiveMedicalTreatment
      WasUserInjured: physical_injury=No > PoliceReportFiled
      IncidentDescription: hit_and_run=yes > NameAndEmail`),
  },
  // Specification #v4-flow: the transitions between the steps about injuries.
  {
    flows: v4Logic,
    lines: linesOf(`
      ${forEach(
        severeInjuries,
        'WasUserInjured: at_Fault=yes & physical_injury=Yes & specific_injury=* > ActiveInsurancePolicy, 395 days ago',
      )}
      ${forEach(
        'Cuts or Bruises/Other',
        'WasUserInjured: at_Fault=yes & physical_injury=Yes & specific_injury=* > DidYouReceiveMedicalTreatment',
      )}
      WasUserInjured: at_Fault=yes & physical_injury=Yes & specific_injury=Whiplash > DidYouReceiveMedicalTreatment, 396 days ago
      WasUserInjured: at_Fault=no & physical_injury=Yes & specific_injury=Whiplash > DidYouReceiveMedicalTreatment
      WasUserInjured: at_Fault=yes & physical_injury=No > PoliceReportFiled
      WasUserInjured: at_Fault=no & physical_injury=No > PoliceReportFiled
      ActiveInsurancePolicy: active_insurance_policy=yes > MissedWork
      ActiveInsurancePolicy: active_insurance_policy=no > DidYouReceiveMedicalTreatment
      MissedWork: missed_work=yes > SpeakingWithADoctor
      MissedWork: missed_work=no > DidYouReceiveMedicalTreatment
      DidYouReceiveMedicalTreatment: doctor_treatment=no > WillingToTreat, 14 days ago
      DidYouReceiveMedicalTreatment: doctor_treatment=no > PoliceReportFiled, 15 days ago
      DidYouReceiveMedicalTreatment: doctor_treatment=yes > PoliceReportFiled, 14 days ago`),
  },
  // Specification #v4-flow: the transitions between the steps about a lawyer.
  {
    flows: v4Confirming,
    lines: [
      ...lawyer('HasLawyer', 'ConfirmationHasLawyer'),
      ...lawyer('ConfirmationHasLawyer', 'InterestedInFunding'),
    ],
  },
  { flows: ['v4-crash-comped'], lines: lawyer('HasLawyer', 'InterestedInFunding') },
  // Specification #v4-flow: the transitions between the steps about funding.
  {
    flows: [...v4Confirming, 'v4-crash-comped'],
    lines: linesOf(`
      InterestedInFunding: interested_in_psf=yes > FundingAmount
      InterestedInFunding: interested_in_psf=no > IncidentDescription
      HasCaseBeenSettled: settled_case=yes > IncidentDescription
      HasCaseBeenSettled: settled_case=no > HasReceivedFunding
      HasReceivedFunding: prior_funding=yes > IncidentDescription
      HasReceivedFunding: prior_funding=no > LawFirmDetails`),
  },
  // Specification #v4-flow: the transitions after a hit and run.
  { flows: v4WithName, lines: hitAndRun('NameAndEmail') },
  { flows: v4WithName, page: { combinedLastStep: true }, lines: hitAndRun('AllPii') },
  { flows: oneToOne, lines: hitAndRun('ZipCode') },
  // Specification #date-of-birth: in some US states, NameAndEmail leads to DateOfBirth.
  {
    flows: [...v4WithName, 'group'],
    lines: linesOf(`
      NameAndEmail: state=AL > DateOfBirth
      NameAndEmail: state=NE > DateOfBirth
      NameAndEmail: state=NY > PhoneAndZip
      NameAndEmail: > PhoneAndZip
      DateOfBirth: state=NE > PhoneAndZip`),
  },
  { flows: ['rz', 'ep'], lines: linesOf('NameAndEmail: state=NE > PhoneAndZip') },
  // Specification #flows: with the consent to law firms, the last step is PhoneAndBuyersConsent.
  {
    flows: oneToOne,
    lines: linesOf(`
      NameAndEmail: state=NE & 1_to_1_consent=yes > DateOfBirth
      NameAndEmail: state=NY & 1_to_1_consent=yes > PhoneAndBuyersConsent
      DateOfBirth: state=NE & 1_to_1_consent=yes > PhoneAndBuyersConsent`),
  },
  {
    flows: ['one-to-one'],
    lines: linesOf(`
      NameAndEmail: state=NE & 1_to_1_consent=no > DateOfBirth
      NameAndEmail: state=NY & 1_to_1_consent=no > PhoneAbbreviatedTCPA
      DateOfBirth: state=NE & 1_to_1_consent=no > PhoneAbbreviatedTCPA`),
  },
];
