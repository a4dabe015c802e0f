/** The words of a lead's story that the command line and the console share. */
import type { LeadCheckRow, LeadEventRow, PhoneCodeRow } from '../storage/schema.ts';
import { deliveryName } from './selection.ts';
import type { DeliveryStory } from './story.ts';

/** A step received later than this is shown with both times: the browser was offline, or its clock is wrong. */
export const LATE_MS = 5 * 60 * 1000;

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
  return `${kind} by ${actor}${covered(detail)}`;
}

/** Returns the revision and reasons that a release covered, or '' for other events. */
function covered({ revision, reasons }: LeadEventRow['detail']): string {
  if (revision === undefined) return '';
  const held = listOf<string>(reasons);
  return `; covers revision ${revision}${held.length === 0 ? '' : `, held for ${held.join(', ')}`}`;
}

/** Returns the state of a delivery in words. */
export function stateText(state: string): string {
  return state === 'no_destination' ? 'no destination' : state;
}

/** Returns `deliveryName` for people: an event about a delivery names its destination, not its id. */
export function readableName(delivery: DeliveryStory): string {
  const { destination } = (delivery.event ?? {}) as { destination?: unknown };
  if (typeof destination !== 'string') return deliveryName(delivery);
  return `${delivery.destination} ${delivery.event_key.split(' ')[0]} of ${destination}`;
}

/** Returns a JSON value if it is a list, else an empty list. */
export function listOf<Item>(value: unknown): Item[] {
  return Array.isArray(value) ? (value as Item[]) : [];
}
