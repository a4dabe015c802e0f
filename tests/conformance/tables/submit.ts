/**
 * Rules copied by hand from docs/specification.md. "#section" in a comment is a section of that
 * document.
 */
import type { FlowName } from './paths-and-ids.ts';

/** Specification #special-states, #prior-offense: the special offer and affiliate ids. */
export const SPECIAL_STATE_IDS = { oid: '1500', affid: '1000350' };
export const PRIOR_OFFENCE_IDS = { oid: '136', affid: '1' };

/** Specification #core-fields: the names of a lead's core fields. */
export const coreLeadFields: readonly string[] = `
  physical_injury with_Lawyer interested_in_psf settled_case prior_funding at_Fault
  doctor_treatment enough_words is_gibberish accident_limit_exceeded bad_words injury_year
  injury_month incident_date case_description email phone first_name last_name city state
  state_long county zip_code ip_address user_agent trusted_form_cert_id leadid_token
  ef_transaction_id affid sub_id sub_id2 sub_id3 sub_id4 click_id gclid fbclid landing_page tcpa
  dq_reason
`
  .trim()
  .split(/\s+/);

/** Specification #thank-you-query: the default fields of the query. */
export const thankYouFields: readonly string[] =
  'email city state zip_code phone state_long ef_transaction_id affid sub_id q'.split(' ');

/** The query of a flow's thank-you page (specification #thank-you-query). */
export type ThankYouRow = {
  readonly fields: readonly string[];
  /** The disqualified visitors for whom the query contains `is_disqualified` and `dq_reason`. */
  readonly reason: 'of a lawyer' | 'always' | 'never';
  readonly qualifiedYes?: true;
  readonly referer?: true;
};

/** Returns the thank-you query of a flow. */
export function thankYouRow(flow: FlowName): ThankYouRow {
  switch (flow) {
    case 'vw3':
      return { fields: thankYouFields, reason: 'of a lawyer' };
    case 'medical-5':
      return { fields: thankYouFields, reason: 'always' };
    case 'one-page':
      return { fields: ['affid', 'sub_id', 'q'], reason: 'never' };
    case 'ticket':
      return { fields: thankYouFields.filter((field) => field !== 'q'), reason: 'never' };
    case 'progress-bar':
      return { fields: thankYouFields, reason: 'never', qualifiedYes: true };
    case 'three-step':
      return { fields: thankYouFields, reason: 'never', referer: true };
    default:
      return { fields: thankYouFields, reason: 'never' };
  }
}

/** Specification #partner-tab: flows without a partner tab. */
export const flowsWithoutPartnerTab: readonly FlowName[] = ['D', 'E', 'ticket', 'benefits'];

/** A disqualified visitor. The last item is true if the partner tab opens for the visitor. */
export type PartnerTabRow = readonly [
  flow: FlowName,
  affid: string,
  answers: Readonly<Record<string, string>>,
  opens: boolean,
];

const lawyer = { with_Lawyer: 'yes', lawyer_redirect_reason: 'have_attorney|yes' };
const newLawyer = {
  with_Lawyer: 'yes',
  lawyer_redirect_reason: 'have_attorney|yes_but_I_want_a_new_lawyer',
};

/** Specification #partner-tab: visitors for whom the partner tab has special rules. */
export const partnerTabExceptions: readonly PartnerTabRow[] = [
  ['vw3', '1', lawyer, true],
  ['vw3', '1', newLawyer, true],
  ['vw3', '20', lawyer, false],
  ['vw3', '23', newLawyer, false],
  ['vw3', '21', lawyer, true],
  ['vw3', '22', newLawyer, true],
  ['vw3', '1', { at_Fault: 'yes' }, false],
  ['vw3', '1', { physical_injury: 'No' }, false],
  ['dui', '1', { at_Fault: 'yes', prior_alcohol_related_offense: 'yes' }, false],
  ['dui', '1', { at_Fault: 'yes', prior_alcohol_related_offense: 'no' }, true],
  ['dui', '20', lawyer, true],
];

/** Specification #redirect-only-on-success: flows that redirect only after a successful post. */
export const flowsThatRedirectOnSuccess: readonly FlowName[] = ['progress-bar'];

/** Specification #one-page-form: flows with a screen for disqualified visitors. */
export const flowsWithDisqualifiedScreen: readonly FlowName[] = ['one-page'];

/**
 * Specification #phone-check: "the short form checks length only". The short form is the flow `sl`.
 */
export const flowsThatCheckPhoneLengthOnly: readonly FlowName[] = ['sl'];

/** Specification #phone-check: paths on which the check reports every phone number as inactive. */
export const pathsWithInactivePhone = [
  '/survey/v2',
  '/survey/v3',
  '/survey/v4',
  '/survey/v5',
  '/survey-sd/v3',
  '/survey-sd/v3b',
];

/** Specification #special-states: flows in which only 25 US states are special. */
export const flowsWithSpecialStateList: readonly FlowName[] = ['group', 'ep'];
export const mostPopulousStates =
  'CA TX FL NY PA IL OH GA NC MI NJ VA WA AZ MA TN IN MD MO WI CO MN SC AL LA';

/**
 * Specification #do-not-send-to-dq: flows whose leads never go to the buyer of disqualified leads.
 */
export const flowsThatNeverSendToDq: readonly FlowName[] = ['ep'];

/** Specification #forced-treatment: days since the accident, with and without forced treatment. */
export const forcedTreatmentDays = {
  short: { forced: [15], not: [0, 14, 16] },
  others: { forced: [0, 1, 14, 15], not: [16, 17] },
};

/** Specification #benefits-flow: flows that post no lead. */
export const flowsWithoutLead: readonly FlowName[] = ['benefits'];

/** Specification #ticket-flow: the fields that a lead about a traffic ticket lacks. */
export const removedFromTicket = [
  'accident_within_last_year',
  'state_long',
  'accident_limit_exceeded',
  'days_from_incident_date',
  'months_from_incident_date',
  'physical_injury',
  'doctor_treatment',
  'at_Fault',
];
/** Specification #ticket-flow, #benefits-flow: flows that ask nothing about an accident. */
export const flowsWithoutAccident: readonly FlowName[] = ['ticket', 'benefits'];

/** Maps each flow to the lead fields that copy another field. */
export const copiedAtSubmit: Readonly<Partial<Record<FlowName, Readonly<Record<string, string>>>>> =
  {
    short: {
      // Specification #fields-added-at-submit: the flow `short` copies these two fields.
      landing_page_url: 'landing_page',
      jornaya_leadid: 'leadid_token',
      // The brief names these fields, but no flow for them. We chose the flow `short`.
      case_type: 'accident_type',
      state_accident_occurred: 'state',
      injuries_sustained: 'physical_injury',
      settlement_offers: 'settled_case',
    },
    ticket: { settlement_offers: 'settled_case' },
  };

/** Maps each flow to the lead fields that have a fixed value. */
export const fixedAtSubmit: Readonly<Partial<Record<FlowName, Readonly<Record<string, string>>>>> =
  {
    // Specification #flows: the flow sets accident_type without asking the visitor.
    vw3: { accident_type: 'Car Accident' },
    ep: { accident_type: 'Car Accident' },
    'three-step': { language: 'en', sms_verified: 'no' },
    // The brief names no case type for a ticket. We chose this case type.
    ticket: { case_type: 'Traffic Ticket' },
  };

const case_description = 'It was a hit and run at the corner.';
const fled = { case_description, hit_and_run: 'yes' };
const unidentified = { ...fled, hit_and_run_identified: 'no' };

/** Answers of a v4 survey, and the lead fields that follow from the answers. */
export const implied: readonly (readonly [
  answers: Readonly<Record<string, string>>,
  lead: Readonly<Record<string, string>>,
])[] = [
  // Specification #lawyer-reason: the reasons that the lead of a visitor with a lawyer has.
  [{ with_Lawyer: 'yes' }, { lawyer_redirect_reason: 'have_attorney|yes' }],
  [newLawyer, { ...newLawyer, dq_reason: 'have_attorney|yes_but_I_want_a_new_lawyer' }],
  // Specification #accident-date: injury_day is 01 by default.
  [
    { injury_year: '2026', injury_month: '05' },
    { injury_day: '01', incident_date: '2026-05-01' },
  ],
  [
    { injury_year: '2026', injury_month: '05', injury_day: '17' },
    { injury_day: '17', incident_date: '2026-05-01' },
  ],
  // Specification #injury-steps: SpeakingWithADoctor sets injury_rx_qualified.
  ...['yes', 'no'].map(
    (answer) =>
      [
        {
          at_Fault: 'yes',
          specific_injury: 'Whiplash',
          active_insurance_policy: 'yes',
          missed_work: 'yes',
          speaking_with_doctor: answer,
        },
        { speaking_with_doctor: answer, injury_rx_qualified: answer },
      ] as const,
  ),
  [
    { ...fled, hit_and_run_identified: 'yes' },
    { case_description: `${case_description} -- the driver was identified`, bad_words: 'no' },
  ],
  [
    { ...unidentified, uninsured_motorist_coverage: 'yes' },
    { case_description: `${case_description} -- plaintiff has UM insurance`, bad_words: 'no' },
  ],
  [
    { ...unidentified, uninsured_motorist_coverage: 'no' },
    { case_description, bad_words: 'yes' },
  ],
];
