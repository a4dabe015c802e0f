/** The words of a lead's story that the command line and the console share. */
import type { Override } from '../../domain/derive-fields.ts';
import type { EndReason, LeadCheckRow, LeadEventRow, PhoneCodeRow } from '../storage/schema.ts';

/** A step received later than this is shown with both times: the browser was offline, or its clock is wrong. */
export const LATE_MS = 5 * 60 * 1000;

/** Why leads are held, in words. The keys are the `HoldReason`s of docs/specification.md#holds. */
export const HOLD_REASONS: Readonly<Record<string, string>> = {
  no_consent: 'it has no consent text',
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
  cut_short: 'only a part of its post was stored',
  unknown_survey: 'its survey is unknown',
  no_usable_phone: 'it has no phone number of ten digits',
  form_incomplete: 'the contact form has a missing or invalid value',
  unproven_claim: 'it was posted under the id of another browser’s lead',
};
const HOLD_ORDER = Object.keys(HOLD_REASONS);

/** Returns the reasons of a hold as a clause, the consent first; an unknown reason is left out. */
export function holdClause(reasons: readonly string[]): string {
  const known = HOLD_ORDER.filter((reason) => reasons.includes(reason));
  if (known.length === 0) return 'its post says why';
  return known.map((reason) => HOLD_REASONS[reason]).join(', and ');
}

/** The words for an SMS code, by action and outcome. */
const CODE_WORDS: Readonly<Record<PhoneCodeRow['kind'], Readonly<Record<string, string>>>> = {
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

/**
 * Describes the send or the try of an SMS code.
 * @param number which of several phone numbers, counted from 1
 */
export function codeText({ kind, outcome, ended_at, at }: PhoneCodeRow, number?: number): string {
  const about = number === undefined ? 'code' : `code for number ${number}`;
  const words = outcome === null ? 'end unknown' : (CODE_WORDS[kind][outcome] ?? outcome);
  const duration = ended_at === null ? '' : ` (${ended_at.getTime() - at.getTime()} ms)`;
  return `${about} ${words}${duration}`;
}

/** The words for the outcome of a check. */
export const CHECK_OUTCOMES: Readonly<Record<LeadCheckRow['outcome'], string>> = {
  answered: 'answered',
  remembered: 'answered from the cache',
  failed: 'failed',
  timed_out: 'did not answer in time',
  skipped: 'not asked, because it had failed repeatedly',
  over_limit: 'not checked',
};

/** Fields set by the page's scripts, by SMS verification, or by an unusual way of posting. */
export const BROUGHT_ALONG = [
  'ef_transaction_id',
  'trustedform_cert_url',
  'leadid_token',
  'call_tracking_number',
  'sms_verified',
  'came_by',
] as const;

/** Returns what was done to a lead and by whom. */
export function changeText({ kind, actor, detail }: LeadEventRow): string {
  if (kind === 'resent') {
    const was = detail.was === undefined ? '' : `; it was ${stateText(String(detail.was))}`;
    const note = detail.note === undefined ? `Sent again by ${actor}` : String(detail.note);
    return `${note}${detail.forced ? ', forced' : ''}${was}${covered(detail)}`;
  }
  if (kind === 'suppressed') {
    const named = (word: string, destinations: unknown) => {
      const all = listOf<string>(destinations);
      return all.length === 0 ? '' : `; ${word}: ${all.join(', ')}`;
    };
    return detail.undone
      ? `taken off the suppression list by ${actor}${named('resumed', detail.resumed)}`
      : `put on the suppression list by ${actor}${named('stopped', detail.stopped)}`;
  }
  return `${kind} by ${actor}${kind === 'dismissed' ? '' : covered(detail)}`;
}

/** Returns the open holds that a release, dismissal or forced resend covered, or '' for other events. */
function covered({ revision, reasons }: LeadEventRow['detail']): string {
  return revision === undefined ? '' : ` although ${holdClause(listOf<string>(reasons))}`;
}

/** Returns the state of a delivery in words. */
export function stateText(state: string): string {
  return state === 'no_destination' ? 'no destination' : state;
}

/** Why a delivery ended unsent, in a sentence without its full stop. */
export const END_REASONS: Readonly<Record<EndReason, string>> = {
  final: 'The answer is final, so it is not sent again by itself',
  given_up: 'It was given up',
  listed: 'The person has asked not to be contacted',
  erased: 'The lead was erased before it was sent',
  opted_out:
    'The lead came with the opt-out signal (Sec-GPC), so it is not sent to this destination',
  no_consent: 'This person gave no consent text, so this lead cannot be sent',
  no_buyer: 'The person agreed to no firm, so it is not sent to this destination',
};

/** Returns what a rule made of an answer: `physical_injury: answered "no", sent as "Yes" (rule treatment.forced)`. */
export function overrideText({ field, answered = '', becomes, rule }: Override): string {
  return `${field}: ${answered === '' ? 'not answered' : `answered “${answered}”`}, sent as “${becomes}” (rule ${rule})`;
}

/** Returns a JSON value if it is a list, else an empty list. */
export function listOf<Item>(value: unknown): Item[] {
  return Array.isArray(value) ? (value as Item[]) : [];
}
