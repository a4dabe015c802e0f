/**
 * The tables of the two specification documents, and of the readings where the documents leave a
 * value open, typed in by hand from their text. Nothing here is taken from the code, and nothing here
 * imports it: the tests beside this file hold the code against it.
 *
 * D1 and D2 are the documents with their section, R the readings.
 */

/** One survey as the documents have it. */
export type SurveyTableRow = {
  readonly path: string;
  /** Key of `ways`: the order of its steps. */
  readonly flow: FlowName;
  readonly offerId: number;
  readonly affiliateId: number;
  readonly language: 'en' | 'es';
  readonly thankYouPath: string;
};

/** A stretch of a way: one step, or alternatives of which a visitor passes exactly one. */
export type Stretch = string | readonly (readonly string[])[];

/** D1 9: lead source and affiliate of a path that names none. */
export const DEFAULT_OFFER_ID = 81;
export const DEFAULT_AFFILIATE_ID = 1;
/** D1 9: the affiliate of a lead that has come without one. */
export const AFFILIATE_ID_WHEN_EMPTY_AT_POST = 10;

/** D1 9, "Offer id by path". */
const offerIdByPath: Readonly<Record<string, number>> = {
  '/yt': 56,
  '/survey-google': 57,
  '/g': 57,
  '/g2': 101,
  '/f': 102,
  '/survey/es': 85,
  '/survey/vw': 86,
  '/survey/tt': 80,
  '/survey/yt': 112,
  '/survey/insta': 113,
  '/survey/fb': 114,
  '/survey/v4nv-ep': 196,
  '/survey-sd/v4': 152,
  '/survey-sd/v3b': 152,
  '/survey/v6': 160,
  '/survey/v4nv-rz': 188,
  '/survey-sl': 235,
  '/form': 101,
};

/** D1 9, "Affiliate id by path". */
const affiliateIdByPath: Readonly<Record<string, number>> = {
  '/survey/ig': 107,
  '/survey/tt': 252,
  '/survey/yt': 252,
  '/survey/insta': 252,
  '/survey/fb': 252,
  '/survey-sd/v4': 340,
  '/survey-sd/v3b': 340,
};

/** D1 2 and D2 2, "Thank-you destinations"; every other path has the first. */
export const DEFAULT_THANK_YOU_PATH = '/survey-thank-you/';
const thankYouByPath: Readonly<Record<string, string>> = {
  '/survey-sd/v3b': '/survey-thank-you-v3b/',
  '/survey/v5nv': '/survey-v5-thank-you/',
  '/survey/v7': '/survey-thank-you-v7/',
  '/ticket': '/ticket-thank-you/',
};

/** D1 2 and D2 2: the Spanish pages. */
const spanishPaths = ['/survey/v4nv-es', '/survey/es'];

/** R, "Surveys and paths": both tables, row by row. */
const flowByPath = {
  '/survey/v4nv': 'v4nv',
  '/survey/v4nv-ep': 'ep',
  '/survey/v4nv-rz': 'rz',
  '/survey/v4nv-es': 'v4nv-es',
  '/survey/v4nv-d1': 'one-to-one-fixed',
  '/survey/v4nv-d2': 'one-to-one-fixed',
  '/survey/v4nv-x1': 'one-to-one-fixed',
  '/survey/v6': 'one-to-one',
  '/survey/es': 'vw3',
  '/survey/vw': 'vw3',
  '/survey/tt': 'tiktok',
  '/survey/yt': 'tiktok',
  '/survey/insta': 'tiktok',
  '/survey/fb': 'tiktok',
  '/survey-sd/v3': 'D',
  '/survey-sd/v3b': 'B',
  '/survey-sd/v4': 'E',
  '/survey-sl': 'sl',
  '/yt': 'A',
  '/g': 'A',
  '/g2': 'C',
  '/survey-google': 'C',
  '/f': 'three-step',
  '/form': 'one-page',
  '/survey/ig': 'medical-10',
  '/survey/v2': 'medical-5',
  '/survey/v3': 'C',
  '/survey/v4': 'v4',
  '/survey/v5': 'v4-crash-comped',
  '/survey/v5nv': 'v4',
  '/survey/v4g': 'group',
  '/survey/v7': 'v7',
  '/survey/dui': 'dui',
  '/survey/progress': 'progress-bar',
  '/survey/short': 'short',
  '/survey/short-b': 'short',
  '/survey-sl/v2': 'sl-v2',
  '/ticket': 'ticket',
  '/benefits': 'benefits',
} as const satisfies Readonly<Record<string, string>>;

/** Name of a flow of the documents. */
export type FlowName = (typeof flowByPath)[keyof typeof flowByPath];

/** Every survey of the documents. */
export const surveyTable: readonly SurveyTableRow[] = Object.entries(flowByPath).map(
  ([path, flow]) => ({
    path,
    flow,
    offerId: offerIdByPath[path] ?? DEFAULT_OFFER_ID,
    affiliateId: affiliateIdByPath[path] ?? DEFAULT_AFFILIATE_ID,
    language: spanishPaths.includes(path) ? 'es' : 'en',
    thankYouPath: thankYouByPath[path] ?? DEFAULT_THANK_YOU_PATH,
  }),
);

/** D2 4, "v4 family", from WasUserInjured to the police report: the injury and treatment branches. */
const v4Injuries: Stretch = [
  [],
  ['DidYouReceiveMedicalTreatment'],
  ['DidYouReceiveMedicalTreatment', 'WillingToTreat'],
  ['ActiveInsurancePolicy', 'DidYouReceiveMedicalTreatment'],
  ['ActiveInsurancePolicy', 'DidYouReceiveMedicalTreatment', 'WillingToTreat'],
  ['ActiveInsurancePolicy', 'MissedWork', 'DidYouReceiveMedicalTreatment'],
  ['ActiveInsurancePolicy', 'MissedWork', 'DidYouReceiveMedicalTreatment', 'WillingToTreat'],
  ['ActiveInsurancePolicy', 'MissedWork', 'SpeakingWithADoctor', 'DidYouReceiveMedicalTreatment'],
  [
    'ActiveInsurancePolicy',
    'MissedWork',
    'SpeakingWithADoctor',
    'DidYouReceiveMedicalTreatment',
    'WillingToTreat',
  ],
];

/** D2 4: the funding branch, from InterestedInFunding to the description. */
const funding: readonly (readonly string[])[] = [
  ['InterestedInFunding'],
  ['InterestedInFunding', 'FundingAmount', 'HasCaseBeenSettled'],
  ['InterestedInFunding', 'FundingAmount', 'HasCaseBeenSettled', 'HasReceivedFunding'],
  [
    'InterestedInFunding',
    'FundingAmount',
    'HasCaseBeenSettled',
    'HasReceivedFunding',
    'LawFirmDetails',
  ],
];
const confirmedFunding: Stretch = [
  [],
  ['ConfirmationHasLawyer'],
  ...funding.map((steps) => ['ConfirmationHasLawyer', ...steps]),
];
const directFunding: Stretch = [[], ...funding];

/** D2 4: what follows the description of a hit and run. */
const hitAndRun: Stretch = [
  [],
  ['HitAndRunIdentified'],
  ['HitAndRunIdentified', 'UninsuredMotoristCoverage'],
];

const v4Middle: readonly Stretch[] = [
  'WhenWasTheAccident',
  'AtFault',
  'WasUserInjured',
  v4Injuries,
  'PoliceReportFiled',
  'HasLawyer',
];
const v4End: readonly Stretch[] = ['IncidentDescription', hitAndRun, 'NameAndEmail', 'PhoneAndZip'];
/** D2 4, "One-to-one buyer consent variant": the zip code is asked before name and phone. */
const toName: readonly Stretch[] = [
  'StartPath',
  ...v4Middle,
  confirmedFunding,
  'IncidentDescription',
  hitAndRun,
  'ZipCode',
  'NameAndEmail',
  [[], ['DateOfBirth']],
];
const medical: readonly Stretch[] = [
  'StartPath',
  'WereYouInAMotorVehicleAccident',
  'SocialDropWhenWasTheAccident',
  'DidYouRequireMedicalTreatment',
  [['WillYouRequireMedicalTreatment'], ['TypeOfMedicalTreatment']],
  'AtFault',
  'HasLawyer',
  'IncidentDescription',
  'NameAndEmail',
  'PhoneAndZip',
];

/**
 * Every way through each flow (D1 4; D2 2 and 4; R, "Steps"), of a visitor whose state is not on the
 * date-of-birth list. The one-page form is "a single form": its step has no name in the documents.
 * In the one-to-one surveys the zip code comes before, and with it either state.
 */
export const ways: Readonly<Record<FlowName, readonly Stretch[]>> = {
  A: [
    'StartPath',
    'AutoAccidentCaseWorth',
    'OtherDriversVehicleType',
    'WhenWasTheAccident',
    'AtFault',
    'WasUserInjured',
    [['TypeOfMedicalTreatment'], ['PoliceReportFiled']],
    'HasLawyer',
    'IncidentDescription',
    'NameAndEmail',
    'PhoneAndZip',
  ],
  B: [
    'StartPath',
    'SocialDropPII',
    'OtherDriversVehicleType',
    'WhenWasTheAccident',
    'AtFault',
    'WasUserInjured',
    [['TypeOfMedicalTreatment'], ['PoliceReportFiled']],
    'HasLawyer',
    'IncidentDescription',
    'PhoneAndZip',
  ],
  C: [
    'StartPath',
    'WhenWasTheAccident',
    'OtherDriversVehicleType',
    'AtFault',
    'WasUserInjured',
    'TypeOfMedicalTreatment',
    'PoliceReportFiled',
    'HasLawyer',
    'IncidentDescription',
    'NameAndEmail',
    'PhoneAndZip',
  ],
  D: [
    'WereYouInAMotorVehicleAccident',
    'SocialDropWhenWasTheAccident',
    'WasUserInjured',
    [['DidYouRequireMedicalTreatment'], []],
    'AtFault',
    'PoliceReportFiled',
    'HasLawyer',
    'IncidentDescription',
    'NameAndEmail',
    'PhoneAndZip',
  ],
  E: [
    'WereYouInAMotorVehicleAccident',
    'SocialDropWhenWasTheAccident',
    'HasLawyer',
    'AtFault',
    'NameAndEmail',
    'PhoneAndZip',
  ],
  dui: [
    'StartPath',
    'NameAndEmail',
    'AutoAccidentCaseWorth',
    'WhenWasTheAccident',
    'AtFault',
    [
      ['WasUserInjured', 'PoliceReportFiled', 'HasLawyer', 'IncidentDescription'],
      [
        'PendingDUICharges',
        'WasUserInjured',
        'PoliceReportFiled',
        'HasLawyer',
        'IncidentDescription',
      ],
      ['PendingDUICharges', 'TypeOfAlcoholTestPerformed', 'UserHasDUI', 'DUIIncidentDescription'],
      [
        'PendingDUICharges',
        'TypeOfAlcoholTestPerformed',
        'BACMeasuredByTest',
        'UserHasDUI',
        'DUIIncidentDescription',
      ],
    ],
    'PhoneAndZip',
  ],
  vw3: [
    'StartPath',
    'WhenWasTheAccidentVW3',
    'AtFaultVW3',
    'WasUserInjuredVW3',
    [['TypeOfMedicalTreatmentVW3'], []],
    'PoliceReportFiledVW3',
    'HasLawyerVW3',
    'IncidentDescriptionVW3',
    'NameAndEmailVW3',
    'PhoneAndZipVW3',
  ],
  tiktok: [
    'StartPath',
    'AutoAccidentCaseWorth',
    'WhenWasTheAccidentTikTok',
    'AtFault',
    'WasUserInjured',
    'PoliceReportFiledTikTok',
    'HasLawyer',
    'IncidentDescriptionTikTok',
    'NameAndEmailTikTok',
    'PhoneAndZipTikTok',
  ],
  'progress-bar': [
    'StartPath',
    'HowWasUserHurt',
    'WhenWasTheAccident',
    'AtFault',
    'DescribeInjuries',
    'PoliceReport',
    'HasAttorney',
    'Description',
    'EmailAndName',
    'ZipAndPhone',
    'End',
  ],
  short: [
    'StartPath',
    'WhenWasTheAccident',
    'AtFault',
    'HasLawyer',
    'DidYouReceiveMedicalTreatment',
    'NameAndEmail',
    'PhoneAndZip',
    'ThankYouStep',
  ],
  'medical-10': medical,
  'medical-5': medical,
  ticket: [
    'StartPathTicket',
    'StartTicketFlow',
    'TicketReceived',
    'SelectState',
    'SelectDate',
    'DoYouHaveAttorney',
    'IncidentDescription',
    'NameAndEmailTicket',
    'PhoneAndZip',
  ],
  benefits: ['StartPath', 'SelectAgeGroup', 'USCitizen', 'SecuredBenefits'],
  'three-step': [
    'ShowQuestions',
    'FormFirstQuestions',
    'FormSecondQuestions',
    'FormThirdQuestions',
  ],
  'one-page': [],
  v4nv: ['StartPath', ...v4Middle, confirmedFunding, ...v4End],
  'v4nv-es': ['StartPath', ...v4Middle, ...v4End],
  v4: ['StartPath', 'AutoAccidentCaseWorth', ...v4Middle, confirmedFunding, ...v4End],
  'v4-crash-comped': ['StartPath', 'AutoAccidentCaseWorth', ...v4Middle, directFunding, ...v4End],
  'one-to-one': [...toName, [['PhoneAndBuyersConsent'], ['PhoneAbbreviatedTCPA']]],
  'one-to-one-fixed': [...toName, 'PhoneAndBuyersConsent'],
  rz: [
    'StartPath',
    'WhenWasTheAccident',
    'AtFault',
    'WasUserInjured',
    [[], ['DidYouReceiveMedicalTreatment'], ['DidYouReceiveMedicalTreatment', 'WillingToTreat']],
    'HasLawyer',
    'IncidentDescription',
    'NameAndEmail',
    'PhoneAndZip',
  ],
  group: [
    'StartPath',
    'WhenWasTheAccident',
    'AtFault',
    'AccidentResultInMedicalTreatment',
    'PoliceReportFiled',
    'HasLawyer',
    'NameAndEmail',
    'PhoneAndZip',
  ],
  ep: [
    'StartPath',
    'WhenWasTheAccident',
    'AtFault',
    'WasUserInjured',
    [['DidYouReceiveMedicalTreatment'], []],
    'PoliceReportFiled',
    'HasLawyer',
    'IncidentDescription',
    'NameAndEmail',
    'PhoneAndZip',
  ],
  v7: ['StartPath', 'GetStartedFirstStep', ...v4Middle, ...v4End],
  sl: [
    'StartPath',
    'WhenWasTheAccident',
    'AtFault',
    'WasUserInjured',
    'NameAndEmail',
    'PhoneAndZip',
  ],
  'sl-v2': [
    'NameAndEmail',
    'TypeOfAccident',
    'WhenWasTheAccident',
    'WasUserInjured',
    'PoliceReportFiled',
    'AtFault',
    'HasLawyer',
    'IncidentDescription',
    'PhoneAndZip',
  ],
};

/** The group's path is `surveyv4g`: it starts with the date (D2 4). Its date of birth step needs a state. */
export const flowsWithDateOfBirth: readonly FlowName[] = [
  'v4nv',
  'v4nv-es',
  'v4',
  'v4-crash-comped',
  'v7',
  'group',
];

/** D1 4 and D2 9: the percentage at each step, where the documents give one. Flows not here are numbered. */
export const percentages: Readonly<Partial<Record<FlowName, Readonly<Record<string, number>>>>> = {
  B: {
    StartPath: 10,
    OtherDriversVehicleType: 20,
    WhenWasTheAccident: 30,
    AtFault: 40,
    WasUserInjured: 50,
    TypeOfMedicalTreatment: 60,
    PoliceReportFiled: 70,
    HasLawyer: 80,
    IncidentDescription: 90,
    PhoneAndZip: 98,
  },
  C: {
    StartPath: 5,
    WhenWasTheAccident: 10,
    OtherDriversVehicleType: 30,
    AtFault: 40,
    WasUserInjured: 55,
    TypeOfMedicalTreatment: 70,
    PoliceReportFiled: 80,
    HasLawyer: 95,
    IncidentDescription: 98,
    NameAndEmail: 99,
  },
  D: {
    WereYouInAMotorVehicleAccident: 10,
    SocialDropWhenWasTheAccident: 20,
    WasUserInjured: 30,
    DidYouRequireMedicalTreatment: 40,
    AtFault: 50,
    PoliceReportFiled: 60,
    HasLawyer: 70,
    IncidentDescription: 80,
    NameAndEmail: 90,
    PhoneAndZip: 95,
  },
  E: {
    WereYouInAMotorVehicleAccident: 5,
    SocialDropWhenWasTheAccident: 8,
    HasLawyer: 10,
    AtFault: 85,
    NameAndEmail: 50,
    PhoneAndZip: 95,
  },
  'medical-10': {
    StartPath: 10,
    WereYouInAMotorVehicleAccident: 16,
    SocialDropWhenWasTheAccident: 20,
    DidYouRequireMedicalTreatment: 25,
    AtFault: 40,
    HasLawyer: 60,
    IncidentDescription: 85,
    NameAndEmail: 90,
    PhoneAndZip: 95,
  },
  'medical-5': {
    StartPath: 5,
    WereYouInAMotorVehicleAccident: 16,
    SocialDropWhenWasTheAccident: 20,
    DidYouRequireMedicalTreatment: 25,
    AtFault: 40,
    HasLawyer: 60,
    IncidentDescription: 85,
    NameAndEmail: 90,
    PhoneAndZip: 95,
  },
  'progress-bar': {
    StartPath: 0,
    HowWasUserHurt: 10,
    WhenWasTheAccident: 18,
    AtFault: 27,
    DescribeInjuries: 36,
    PoliceReport: 45,
    HasAttorney: 54,
    Description: 63,
    EmailAndName: 87,
    ZipAndPhone: 95,
    End: 100,
  },
  'sl-v2': {
    NameAndEmail: 12,
    TypeOfAccident: 25,
    WhenWasTheAccident: 36,
    WasUserInjured: 45,
    PoliceReportFiled: 68,
    AtFault: 72,
    HasLawyer: 87,
    IncidentDescription: 95,
    PhoneAndZip: 98,
  },
};

/** Flows of the v4 family: "numbered steps, up to four labelled positions" (R, "Steps"). */
export const numberedFlows: readonly FlowName[] = [
  'v4nv',
  'v4nv-es',
  'v4',
  'v4-crash-comped',
  'rz',
  'group',
  'ep',
  'v7',
  'one-to-one',
  'one-to-one-fixed',
];
export const NUMBERED_POSITIONS = ['Accident', 'Injuries', 'Case', 'Contact'];

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

/** D1 9, "Statute of limitations in years": fifty states and DC. */
export const statuteYears: Readonly<Record<number, string>> = {
  1: 'KY, LA, TN',
  2: 'AL, AK, AZ, CA, CT, DE, GA, HI, ID, IL, IN, IA, KS, MN, NV, NJ, OH, OK, OR, PA, TX, VA, WV',
  3: 'AR, CO, DC, MD, MA, MI, MS, MT, NH, NM, NY, NC, RI, SC, SD, VT, WA, WI',
  4: 'FL, NE, UT, WY',
  5: 'MO',
  6: 'ME, ND',
};
export const STATUTE_ENTRIES = 51;

/** D1 5 and 9; D2 5 and 9: limits and thresholds. */
export const limits = {
  phoneMaskCharacters: 14,
  phoneDigits: 10,
  zipDigits: 5,
  fraudScore: 85,
  smsCodeCharacters: 6,
  smsResendCooldownMs: 30_000,
  descriptionCharacters: 20,
  descriptionWords: 4,
  withinLastYearDays: 365,
  forcedTreatmentDays: 15,
  forcedTreatmentDateOffsetDays: 4,
  treatmentFollowUpDays: 14,
  injuryMonths: 12,
  qualifiedIncidentDays: 730,
  buyersRequestTimeoutMs: 15_000,
  mobileMenuBreakpointPx: 1120,
} as const;

/** D1 5: the lead sources whose names are not checked. */
export const uncheckedLeadSources = [516, 180, 330];

/** D2 9: the ids of the state-based special handling and of a prior alcohol offence. */
export const SPECIAL_STATE_IDS = { oid: '1500', affid: '1000350' };
export const PRIOR_OFFENCE_IDS = { oid: '136', affid: '1' };

/** D1 4, "Qualification rule", in its order: the posted value that rejects, and the reason (R). */
export const rejections: readonly (readonly [field: string, value: string, reason: string])[] = [
  ['with_Lawyer', 'yes', 'have_attorney|yes'],
  ['accident_limit_exceeded', '1', 'date|accident_limit_exceeded'],
  ['is_gibberish', 'yes', 'is_gibberish|yes'],
  ['enough_words', 'no', 'enough_words|no'],
  ['physical_injury', 'no', 'physical_injury|No'],
  ['at_Fault', 'yes', 'at_Fault|yes'],
  ['doctor_treatment', 'no', 'doctor_treatment|no'],
];

/** D2 9: bands and labels of the compensation estimator, levels 1 to 7. */
export const compensation = {
  initial: 5000,
  maximum: 250_000,
  markCap: 249_500,
  verticalBlockHeightPx: 60.71,
  bands: [
    [0, 5000, 'Low Value'],
    [5001, 7000, 'Low to Mid Value'],
    [7001, 12_500, 'Mid Value'],
    [12_501, 25_000, 'Mid to High Value'],
    [25_001, 50_000, 'High Value'],
    [50_001, 100_000, 'Very High Value'],
    [100_001, 250_000, 'Extremely High Value'],
  ],
} as const;

/** The wire values of the fields that the documents and the readings list. */
export const wireValues: Readonly<Record<string, readonly string[]>> = {
  // D1 3, contact form; R: the answers of StartPath.
  accident_type: [
    'Car Accident',
    'Truck Accident',
    'Bicycle Accident',
    'Motorcycle Accident',
    'Pedestrian Accident',
    'Other',
  ],
  // D1 3: physical_injury (Yes/No); D2 3: the rest in small letters (R).
  physical_injury: ['Yes', 'No'],
  at_Fault: ['yes', 'no'],
  with_Lawyer: ['yes', 'no'],
  pending_dui_charges: ['yes', 'no'],
  prior_alcohol_related_offense: ['yes', 'no'],
  required_medical_treatment: ['yes', 'no'],
  // D2 4 and R.
  specific_injury: [
    'Back or Neck Pain',
    'Broken Bones',
    'Whiplash',
    'Head Injury',
    'Spinal Cord Injury',
    'Loss of Limb',
    'Cuts or Bruises',
    'Other',
  ],
  // D2 3 and R.
  type_of_alcohol_test_performed: [
    'breath_test',
    'blood_test',
    'urine_test',
    'field_sobriety_test',
    'no_test',
    'refused_test',
  ],
  bac_level: ['under_0_08', '0_08_to_0_14', '0_15_or_more', 'dont_know'],
  when_seek_medical_treatment: ['first_week', 'first_month', 'later', 'not_yet'],
  accident_date_button: [
    'Within 1 Week',
    'Within 1 Month',
    'Within 6 Months',
    'Within 1 Year',
    'Within 2 Years',
    'Over 2 Years',
  ],
  lawyer_redirect_reason: ['have_attorney|yes', 'have_attorney|yes_but_I_want_a_new_lawyer'],
};

/** D1 3, "Survey lead fields (core set)" without the two that are kept locally. */
export const coreLeadFields: readonly string[] = [
  'physical_injury',
  'with_Lawyer',
  'interested_in_psf',
  'settled_case',
  'prior_funding',
  'at_Fault',
  'doctor_treatment',
  'enough_words',
  'is_gibberish',
  'accident_limit_exceeded',
  'bad_words',
  'injury_year',
  'injury_month',
  'incident_date',
  'case_description',
  'email',
  'phone',
  'first_name',
  'last_name',
  'city',
  'state',
  'state_long',
  'county',
  'zip_code',
  'ip_address',
  'user_agent',
  'trusted_form_cert_id',
  'leadid_token',
  'ef_transaction_id',
  'affid',
  'sub_id',
  'sub_id2',
  'sub_id3',
  'sub_id4',
  'click_id',
  'gclid',
  'fbclid',
  'landing_page',
  'tcpa',
  'dq_reason',
];

/** D1 4, "Thank-you query". */
export const thankYouFields = [
  'email',
  'city',
  'state',
  'zip_code',
  'phone',
  'state_long',
  'ef_transaction_id',
  'affid',
  'sub_id',
  'q',
] as const;

/** What a flow's thank-you query has besides, or instead (D1 4; D2 2, 4 and 7). */
export type ThankYouRow = {
  /** The fields of the query, in place of `thankYouFields`. */
  readonly fields: readonly string[];
  /**
   * `is_disqualified=true` and `dq_reason` for the disqualified: with a lawyer's reason (VW3), or
   * "in some variants", which the documents do not name.
   */
  readonly reason: 'of a lawyer' | 'open' | 'never';
  /** `qualified=yes` for the qualified. */
  readonly qualifiedYes?: true;
  /** `referer`. */
  readonly referer?: true;
};

/** The thank-you query of a flow. */
export function thankYouRow(flow: FlowName): ThankYouRow {
  switch (flow) {
    case 'vw3':
      return { fields: thankYouFields, reason: 'of a lawyer' };
    case 'one-page':
      return { fields: ['affid', 'sub_id', 'q'], reason: 'never' };
    case 'ticket':
      return { fields: thankYouFields.filter((field) => field !== 'q'), reason: 'never' };
    case 'progress-bar':
      return { fields: thankYouFields, reason: 'open', qualifiedYes: true };
    case 'three-step':
      return { fields: thankYouFields, reason: 'open', referer: true };
    default:
      return { fields: thankYouFields, reason: 'open' };
  }
}

/**
 * Flows whose disqualified visitors get no partner tab: D1 4 names variants A to C, of the five; a
 * ticket is not decided on at all (its query has no q).
 */
export const flowsWithoutPartnerTab: readonly FlowName[] = ['D', 'E', 'ticket', 'benefits'];

/** Flows that post no lead (R, "Steps"). */
export const flowsWithoutLead: readonly FlowName[] = ['benefits'];

/** D2 7: flows whose leads go to the ingest service "too"; R: the others when it is configured. */
export const ingestFlows: readonly FlowName[] = ['short', 'ticket'];

/** D2 7: what is removed from a ticket before it is sent to the ingest service. */
export const removedFromTicket = [
  'accident_within_last_year',
  'state_long',
  'accident_limit_exceeded',
];
