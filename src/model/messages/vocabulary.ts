import { lawyerReasons } from '../fields/thresholds.ts';

export const leadStates = ['accepted', 'held', 'dismissed', 'erased'] as const;
export type LeadState = (typeof leadStates)[number];

export const deliveryStates = [
  'waiting',
  'sending',
  'retrying',
  'delivered',
  'rejected',
  'dead',
  'uncertain',
  'no_destination',
  'held',
  'suppressed',
  'passed_over',
] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** The reasons for holding a lead (docs/specification.md#holds). */
const HOLD_REASONS = {
  no_consent: 'it has no consent text',
  no_authorization: 'its visitor did not authorize sharing health answers (RCW 19.373)',
  consent_unknown_version: 'no consent text of its version was published',
  consent_other_text: 'its consent text is not the published one',
  consent_other_language: 'its consent text is not in the language of the survey',
  consent_replaced_text: 'its consent text was replaced long before',
  consent_before_text: 'its consent was given before the text was published',
  consent_given_before_shown: 'its consent was given before it was shown',
  consent_in_future: 'its consent was given in the future',
  over_address_limit: 'its address sent leads of too many people',
  over_address_bytes: 'its address sent too much data',
  same_person: 'another lead of this person came shortly before',
  unknown_survey: 'its survey is unknown',
  no_usable_phone: 'it has no phone number of ten digits',
  state_rule: 'the rule of its state did not allow the sale',
  form_incomplete: 'the contact form has a missing or invalid value',
  unproven_claim: 'it was posted under the id of another browser’s lead',
} as const;
export type HoldReason = keyof typeof HOLD_REASONS;
const HOLD_ORDER = Object.keys(HOLD_REASONS) as HoldReason[];

/** Returns the reasons for holding a lead as a clause. */
export function holdClause(reasons: readonly string[]): string {
  const known = HOLD_ORDER.filter((reason) => reasons.includes(reason));
  if (known.length === 0) return 'its post says why';
  return known.map((reason) => HOLD_REASONS[reason]).join(', and ');
}

/** The reasons why a delivery failed, as sentences without a full stop. */
export const END_REASONS = {
  final: 'The answer is final, so it is not sent again by itself',
  given_up: 'It was given up',
  listed: 'The person has asked not to be contacted',
  erased: 'The lead was erased before it was sent',
  undone: 'The person was taken off the suppression list before it was sent',
  opted_out:
    'The lead came with the opt-out signal (Sec-GPC), so it is not sent to this destination',
  no_consent: 'This person gave no consent text, so this lead cannot be sent',
  no_authorization:
    'This person did not authorize sharing health answers within the last year, so this lead cannot be sent',
  not_reported: 'The sale was never confirmed here, so its return is not reported',
  buyer_off: 'This buyer takes no leads now: its terms are switched off',
  outside_states: 'This buyer takes no leads of this state',
  closed_now: 'It is outside this buyer’s hours',
  cap_reached: 'This buyer’s cap is reached',
  buyer_paused: 'This buyer’s destination is paused',
  has_buyer: 'Another buyer has it, and one of the two does not share',
} as const;
export type EndReason = keyof typeof END_REASONS;

/** The hold reasons with which a lead is never sent. */
export const NEVER_SENT = ['no_consent', 'no_authorization'] as const;

/** The outcomes of sending and checking an SMS code, in words. */
export const CODE_OUTCOMES: Readonly<Record<'send' | 'check', Readonly<Record<string, string>>>> = {
  send: {
    sent: 'sent',
    too_many: 'not sent: the service sends no further codes to this number',
    blocked: 'not sent: the service blocks this number',
    failed: 'not sent: the service failed',
  },
  check: {
    approved: 'entered: correct, the number is verified',
    wrong: 'entered: wrong',
    expired: 'entered: no longer valid',
    too_many: 'entered: too many tries',
    failed: 'entered: the service failed',
  },
};

export const CHECK_OUTCOMES = {
  answered: 'answered',
  remembered: 'answered from the cache',
  failed: 'failed',
  timed_out: 'did not answer in time',
  skipped: 'not asked, because it had failed repeatedly',
  over_limit: 'not checked',
} as const;

/** The reasons for disqualifications, as clauses (docs/specification.md#qualification). */
export const disqualifications: Readonly<Record<string, string>> = {
  [lawyerReasons[0] ?? '']: 'the visitor has a lawyer',
  [lawyerReasons[1] ?? '']: 'the visitor has a lawyer and wants a new one',
  'date|accident_limit_exceeded': 'the accident is older than the law of the state allows',
  'is_gibberish|yes': 'the description is gibberish',
  'enough_words|no': 'the description is too short',
  'physical_injury|No': 'the visitor was not hurt',
  'at_Fault|yes': 'the visitor was at fault',
  'doctor_treatment|no': 'the visitor has not seen a doctor',
};

/** The ways in which a person revokes consent, in words. */
export const REVOCATION_SOURCES = {
  sms: 'by text message',
  call: 'by call',
  form: 'by the do-not-sell form',
  email: 'by e-mail',
  letter: 'by letter',
  import: 'on an imported list',
  operator: 'in a way that was not noted',
} as const;
export type RevocationSource = keyof typeof REVOCATION_SOURCES;

/** Returns how a person revoked consent, by the reason of a suppression, such as `asked_by_call`. */
export function sourceOfReason(reason: string | undefined): RevocationSource {
  const sources = ['call', 'email', 'letter', 'sms'] as const;
  return sources.find((source) => reason === `asked_by_${source}`) ?? 'operator';
}

/** The reasons for opening a lead's personal data. */
export const openReasons = [
  'delivery_problem',
  'buyer_question',
  'visitor_request',
  'quality_check',
  'other',
] as const;
export type OpenReason = (typeof openReasons)[number];

/** The reasons for each action of the console. */
export const actionReasons = {
  release: ['consent_reviewed', 'contact_reviewed', 'address_reviewed', 'other'],
  dismiss: ['no_consent_text', 'not_a_person', 'same_person_again', 'other'],
  resend: ['destination_fixed', 'buyer_asked', 'answer_lost', 'other'],
  suppress: [
    ...(['asked_by_call', 'asked_by_email', 'asked_by_letter', 'asked_by_sms'] as const),
    ...(['complaint_received', 'wrong_number', 'other'] as const),
  ],
  unsuppress: ['person_consented', 'mistake', 'other'],
  confirm: ['recipient_wrote', 'recipient_said', 'other'],
  erase: ['deletion_request', 'test_data', 'other'],
  adjust: ['price_agreed', 'statement_accepted', 'cost_corrected', 'mistake', 'other'],
} as const;
export type ActionReason = (typeof actionReasons)[keyof typeof actionReasons][number];

export const listedReasons: readonly string[] = [
  ...new Set([...openReasons, ...Object.values(actionReasons).flat()]),
].filter((reason) => reason !== 'other');
