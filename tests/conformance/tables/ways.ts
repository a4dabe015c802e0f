/**
 * Rules copied by hand from docs/specification.md. "#section" in a comment is a section of that
 * document.
 */
import type { FlowName } from './paths-and-ids.ts';

/** A part of a path: a string lists steps in order, and an array lists alternatives. */
export type PathPart = string | readonly string[];

/** Specification #v4-flow: the alternatives from WasUserInjured to the police report. */
const v4Injuries: PathPart = [
  '',
  'DidYouReceiveMedicalTreatment',
  'DidYouReceiveMedicalTreatment WillingToTreat',
  'ActiveInsurancePolicy DidYouReceiveMedicalTreatment',
  'ActiveInsurancePolicy DidYouReceiveMedicalTreatment WillingToTreat',
  'ActiveInsurancePolicy MissedWork DidYouReceiveMedicalTreatment',
  'ActiveInsurancePolicy MissedWork DidYouReceiveMedicalTreatment WillingToTreat',
  'ActiveInsurancePolicy MissedWork SpeakingWithADoctor DidYouReceiveMedicalTreatment',
  'ActiveInsurancePolicy MissedWork SpeakingWithADoctor DidYouReceiveMedicalTreatment WillingToTreat',
];

/** Specification #v4-flow: the alternatives from InterestedInFunding to the description. */
const funding = [
  'InterestedInFunding',
  'InterestedInFunding FundingAmount HasCaseBeenSettled',
  'InterestedInFunding FundingAmount HasCaseBeenSettled HasReceivedFunding',
  'InterestedInFunding FundingAmount HasCaseBeenSettled HasReceivedFunding LawFirmDetails',
];
const confirmedFunding: PathPart = [
  '',
  'ConfirmationHasLawyer',
  ...funding.map((steps) => `ConfirmationHasLawyer ${steps}`),
];

/** Specification #v4-flow: the steps after the description of a hit and run. */
const hitAndRun: PathPart = [
  '',
  'HitAndRunIdentified',
  'HitAndRunIdentified UninsuredMotoristCoverage',
];

const v4Middle: readonly PathPart[] = [
  'WhenWasTheAccident AtFault WasUserInjured',
  v4Injuries,
  'PoliceReportFiled HasLawyer',
];
const v4End: readonly PathPart[] = ['IncidentDescription', hitAndRun, 'NameAndEmail PhoneAndZip'];
/** Specification #flows: the steps of a one-to-one survey up to the step that asks the name. */
const toName: readonly PathPart[] = [
  'StartPath',
  ...v4Middle,
  confirmedFunding,
  'IncidentDescription',
  hitAndRun,
  'ZipCode NameAndEmail',
  ['', 'DateOfBirth'],
];
const medical: readonly PathPart[] = [
  'StartPath WereYouInAMotorVehicleAccident SocialDropWhenWasTheAccident',
  'DidYouRequireMedicalTreatment',
  ['WillYouRequireMedicalTreatment', 'TypeOfMedicalTreatment'],
  'AtFault HasLawyer IncidentDescription NameAndEmail PhoneAndZip',
];

/** Specification #flows: every path through each flow, without the step DateOfBirth. */
export const ways: Readonly<Record<FlowName, readonly PathPart[]>> = {
  A: [
    'StartPath AutoAccidentCaseWorth OtherDriversVehicleType WhenWasTheAccident AtFault WasUserInjured',
    ['TypeOfMedicalTreatment', 'PoliceReportFiled'],
    'HasLawyer IncidentDescription NameAndEmail PhoneAndZip',
  ],
  B: [
    'StartPath SocialDropPII OtherDriversVehicleType WhenWasTheAccident AtFault WasUserInjured',
    ['TypeOfMedicalTreatment', 'PoliceReportFiled'],
    'HasLawyer IncidentDescription PhoneAndZip',
  ],
  C: [
    'StartPath WhenWasTheAccident OtherDriversVehicleType AtFault WasUserInjured',
    'TypeOfMedicalTreatment PoliceReportFiled HasLawyer IncidentDescription NameAndEmail PhoneAndZip',
  ],
  D: [
    'WereYouInAMotorVehicleAccident SocialDropWhenWasTheAccident WasUserInjured',
    ['DidYouRequireMedicalTreatment', ''],
    'AtFault PoliceReportFiled HasLawyer IncidentDescription NameAndEmail PhoneAndZip',
  ],
  E: [
    'WereYouInAMotorVehicleAccident SocialDropWhenWasTheAccident HasLawyer AtFault',
    'NameAndEmail PhoneAndZip',
  ],
  dui: [
    'StartPath NameAndEmail AutoAccidentCaseWorth WhenWasTheAccident AtFault',
    [
      'WasUserInjured PoliceReportFiled HasLawyer IncidentDescription',
      'PendingDUICharges WasUserInjured PoliceReportFiled HasLawyer IncidentDescription',
      'PendingDUICharges TypeOfAlcoholTestPerformed UserHasDUI DUIIncidentDescription',
      'PendingDUICharges TypeOfAlcoholTestPerformed BACMeasuredByTest UserHasDUI DUIIncidentDescription',
    ],
    'PhoneAndZip',
  ],
  vw3: [
    'StartPath WhenWasTheAccidentVW3 AtFaultVW3 WasUserInjuredVW3',
    ['TypeOfMedicalTreatmentVW3', ''],
    'PoliceReportFiledVW3 HasLawyerVW3 IncidentDescriptionVW3 NameAndEmailVW3 PhoneAndZipVW3',
  ],
  tiktok: [
    'StartPath AutoAccidentCaseWorth WhenWasTheAccidentTikTok AtFault WasUserInjured',
    'PoliceReportFiledTikTok HasLawyer IncidentDescriptionTikTok NameAndEmailTikTok PhoneAndZipTikTok',
  ],
  'progress-bar': [
    'StartPath HowWasUserHurt WhenWasTheAccident AtFault DescribeInjuries PoliceReport HasAttorney',
    'Description EmailAndName ZipAndPhone End',
  ],
  short: [
    'StartPath WhenWasTheAccident AtFault HasLawyer DidYouReceiveMedicalTreatment',
    'NameAndEmail PhoneAndZip ThankYouStep',
  ],
  'medical-10': medical,
  'medical-5': medical,
  ticket: [
    'StartPathTicket StartTicketFlow TicketReceived SelectState SelectDate DoYouHaveAttorney',
    'IncidentDescription NameAndEmailTicket PhoneAndZip',
  ],
  benefits: ['StartPath SelectAgeGroup USCitizen SecuredBenefits'],
  'three-step': ['ShowQuestions FormFirstQuestions FormSecondQuestions FormThirdQuestions'],
  'one-page': [],
  v4nv: ['StartPath', ...v4Middle, confirmedFunding, ...v4End],
  'v4nv-es': ['StartPath', ...v4Middle, ...v4End],
  v4: ['StartPath AutoAccidentCaseWorth', ...v4Middle, confirmedFunding, ...v4End],
  'v4-crash-comped': ['StartPath AutoAccidentCaseWorth', ...v4Middle, ['', ...funding], ...v4End],
  'one-to-one': [...toName, ['PhoneAndBuyersConsent', 'PhoneAbbreviatedTCPA']],
  'one-to-one-fixed': [...toName, 'PhoneAndBuyersConsent'],
  rz: [
    'StartPath WhenWasTheAccident AtFault WasUserInjured',
    ['', 'DidYouReceiveMedicalTreatment', 'DidYouReceiveMedicalTreatment WillingToTreat'],
    'HasLawyer IncidentDescription NameAndEmail PhoneAndZip',
  ],
  group: [
    'StartPath WhenWasTheAccident AtFault AccidentResultInMedicalTreatment PoliceReportFiled HasLawyer',
    'NameAndEmail PhoneAndZip',
  ],
  ep: [
    'StartPath WhenWasTheAccident AtFault WasUserInjured',
    ['DidYouReceiveMedicalTreatment', ''],
    'PoliceReportFiled HasLawyer IncidentDescription NameAndEmail PhoneAndZip',
  ],
  v7: ['StartPath GetStartedFirstStep', ...v4Middle, ...v4End],
  sl: ['StartPath WhenWasTheAccident AtFault WasUserInjured NameAndEmail PhoneAndZip'],
  'sl-v2': [
    'NameAndEmail TypeOfAccident WhenWasTheAccident WasUserInjured PoliceReportFiled AtFault',
    'HasLawyer IncidentDescription PhoneAndZip',
  ],
};

/** Flows that ask the date of birth in some US states. */
export const flowsWithDateOfBirth: readonly FlowName[] = [
  ...(['v4nv', 'v4nv-es', 'v4', 'v4-crash-comped', 'v7', 'group'] as const),
];

const medicalPercentages =
  'WereYouInAMotorVehicleAccident 16 SocialDropWhenWasTheAccident 20 DidYouRequireMedicalTreatment 25 ' +
  'AtFault 40 HasLawyer 60 IncidentDescription 85 NameAndEmail 90 PhoneAndZip 95';

/** Specification #progress: maps a flow to the percentage at each step. */
const percentageTexts: Readonly<Partial<Record<FlowName, string>>> = {
  B:
    'StartPath 10 OtherDriversVehicleType 20 WhenWasTheAccident 30 AtFault 40 WasUserInjured 50 ' +
    'TypeOfMedicalTreatment 60 PoliceReportFiled 70 HasLawyer 80 IncidentDescription 90 PhoneAndZip 98',
  C:
    'StartPath 5 WhenWasTheAccident 10 OtherDriversVehicleType 30 AtFault 40 WasUserInjured 55 ' +
    'TypeOfMedicalTreatment 70 PoliceReportFiled 80 HasLawyer 95 IncidentDescription 98 NameAndEmail 99',
  D:
    'WereYouInAMotorVehicleAccident 10 SocialDropWhenWasTheAccident 20 WasUserInjured 30 ' +
    'DidYouRequireMedicalTreatment 40 AtFault 50 PoliceReportFiled 60 HasLawyer 70 ' +
    'IncidentDescription 80 NameAndEmail 90 PhoneAndZip 95',
  E:
    'WereYouInAMotorVehicleAccident 5 SocialDropWhenWasTheAccident 8 HasLawyer 10 AtFault 85 ' +
    'NameAndEmail 50 PhoneAndZip 95',
  'medical-10': `StartPath 10 ${medicalPercentages}`,
  'medical-5': `StartPath 5 ${medicalPercentages}`,
  'progress-bar':
    'StartPath 0 HowWasUserHurt 10 WhenWasTheAccident 18 AtFault 27 DescribeInjuries 36 PoliceReport 45 ' +
    'HasAttorney 54 Description 63 EmailAndName 87 ZipAndPhone 95 End 100',
  'sl-v2':
    'NameAndEmail 12 TypeOfAccident 25 WhenWasTheAccident 36 WasUserInjured 45 PoliceReportFiled 68 ' +
    'AtFault 72 HasLawyer 87 IncidentDescription 95 PhoneAndZip 98',
};

/** Returns the percentage at each step, or undefined if the flow has no percentages. */
export function percentagesOf(flow: FlowName): Readonly<Record<string, number>> | undefined {
  const pairs = percentageTexts[flow]?.matchAll(/(\w+) (\d+)/g);
  return (
    pairs && Object.fromEntries([...pairs].map(([, step, percent]) => [step, Number(percent)]))
  );
}

/** Specification #progress: the flows with "numbered steps, up to four labelled positions". */
export const numberedFlows: readonly FlowName[] = [
  ...flowsWithDateOfBirth,
  ...(['rz', 'ep', 'one-to-one', 'one-to-one-fixed'] as const),
];
export const NUMBERED_POSITIONS = ['Accident', 'Injuries', 'Case', 'Contact'];
