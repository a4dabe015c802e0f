/** The words of a lead's page: reasons, names of destinations, spans of time. */
import type { StoryTone } from '../../../model/messages/console/leads.ts';
import { destinations } from '../../delivery/destinations/index.ts';
import { attemptOutcome, type OtherLead } from '../../leads/index.ts';
import type {
  DeliveryAttemptRow,
  DeliveryRow,
  DeliveryState,
  LeadState,
} from '../../platform/database/schema.ts';

/** The services that get contact details, for the list of who received them. */
const services: Readonly<Record<string, string>> = {
  phone: 'phone validation',
  email: 'e-mail validation',
  verification: 'pre-submit verification',
  save_data: 'progress mirror',
  sms: 'SMS codes',
};

/** Returns the short name of a destination or service for a sentence: `Lead Prosper`, `the exchange lead-data service`. */
export function destinationTitle(name: string): string {
  const title = destinations.find((each) => each.name === name)?.title ?? services[name] ?? name;
  return /\(([^)]+)\)$/.exec(title)?.[1] ?? title;
}

/** Returns a text that begins with a capital letter. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns a count with its noun: `1 lead`, `3 leads`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Returns whether a destination buys leads, rather than being told about them. */
export function isBuyer(name: string): boolean {
  const definition = destinations.find((each) => each.name === name);
  return definition !== undefined && !definition.events && !definition.buysNothing;
}

/** Returns the state of a delivery as people read it. A dismissed lead's deliveries no longer wait for a review. */
export function shownState(lead: LeadState, state: DeliveryState): string {
  return lead === 'dismissed' && state === 'held' ? 'dismissed' : state;
}

/** Returns a delivery as a row of the list shows it. */
export function deliveryOfRow(lead: LeadState, destination: string, state: DeliveryState) {
  return {
    state: shownState(lead, state),
    title: destinationTitle(destination),
    isBuyer: isBuyer(destination),
  };
}

/** The units of a span: when it is used, in milliseconds, and its name. */
const UNITS = [
  { from: 36 * 3_600_000, ms: 86_400_000, name: 'day' },
  { from: 90 * 60_000, ms: 3_600_000, name: 'hour' },
  { from: 90_000, ms: 60_000, name: 'minute' },
  { from: 1_000, ms: 1_000, name: 'second' },
] as const;

/** Returns the time between two moments: `2 minutes`. */
export function spanText(from: Date, to: Date): string {
  const ms = Math.max(0, to.getTime() - from.getTime());
  const unit = UNITS.find((each) => ms >= each.from);
  if (unit === undefined) return 'less than a second';
  const count = Math.round(ms / unit.ms);
  return `${count} ${unit.name}${count === 1 ? '' : 's'}`;
}

/** Our own sentences that a destination's file stores as the message of a delivery. */
const OWN_MESSAGES = [
  'The certificate was not kept',
  'The address of the certificate is not in TRUSTEDFORM_ORIGINS',
] as const;

/**
 * Returns what a destination answered, in our own words. It may have quoted the visitor, so the words are
 * limited to status codes and error codes.
 */
export function answerClause(
  delivery: DeliveryRow,
  last: DeliveryAttemptRow | undefined,
  others: readonly OtherLead[],
): string {
  const message = delivery.last_message ?? '';
  if (last?.outcome === 'duplicate') return duplicateClause(delivery, last, others);
  const own = OWN_MESSAGES.find((each) => message.startsWith(each));
  if (own !== undefined) return own.charAt(0).toLowerCase() + own.slice(1);
  const verdict = /^(ERROR|DUPLICATED)(?: (\d{1,5}))?(?=:| \(|$)/.exec(message);
  if (verdict) return `it answered ${verdict[0]}`;
  return last === undefined ? '' : attemptClause(last);
}

/** Returns from whom a destination has the person already: from us, if an earlier lead went there. */
function duplicateClause(
  { destination }: DeliveryRow,
  { started_at, ended_at }: DeliveryAttemptRow,
  others: readonly OtherLead[],
): string {
  const at = ended_at ?? started_at;
  for (const { id, sold } of others) {
    const earlier = sold.find((each) => each.destination === destination);
    if (earlier === undefined || new Date(earlier.at) > at) continue;
    return `you sold this person ${spanText(new Date(earlier.at), at)} earlier: lead ${id}`;
  }
  return 'it has this person from another source';
}

/** Returns how an attempt ended, as a clause in our own words. */
export function attemptClause(attempt: DeliveryAttemptRow): string {
  const { http_status, outcome } = attempt;
  if (http_status !== null) return `it answered HTTP ${http_status}`;
  if (outcome === 'retry') return 'it could not be reached';
  if (outcome === 'unknown') return 'its answer was lost';
  return '';
}

/** Returns how an attempt ended, as a tone. */
export function attemptTone(attempt: DeliveryAttemptRow): StoryTone {
  const outcome = attemptOutcome(attempt);
  if (outcome === 'delivered') return 'good';
  if (outcome === 'failed') return 'bad';
  return outcome === undefined ? 'plain' : 'warning';
}

/** Returns how a delivery stands, as a tone. */
export function stateTone(state: string): StoryTone {
  if (state === 'delivered') return 'good';
  // Nobody has to act on a rejected lead.
  if (['dead', 'uncertain'].includes(state)) return 'bad';
  return ['rejected', 'retrying', 'held', 'no_destination', 'suppressed'].includes(state)
    ? 'warning'
    : 'plain';
}

/** Returns the state of a delivery in words. */
export const stateText = (state: string): string => state.replaceAll('_', ' ');
