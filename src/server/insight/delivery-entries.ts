/** Makes a lead's timeline entries about deliveries, and its panel of deliveries. */
import type {
  LeadDelivery,
  TimelineDetail,
  TimelineTone,
} from '../../model/messages/console/leads.ts';
import type { DeliveryState } from '../../model/messages/vocabulary.ts';
import { definitionOf } from '../delivery/destinations/index.ts';
import type { ResendVerdict } from '../delivery/index.ts';
import { type DeliveryHistory, type LeadHistory, nextAttemptAt } from '../leads/index.ts';
import type { DeliveryAttemptRow } from '../platform/database/schema.ts';
import { detail, type EntryPart, open, personal, type View } from './masking.ts';
import { deliverySentence, eventType, isLeftOut } from './outcome.ts';
import { capitalised, destinationTitle, shownState, stateText } from './words.ts';

const ACCOUNT = /^[\w-]{1,64}\/[\w-]{1,64}$/;

/** The states into which an attempt can bring a delivery. */
const ENDS: readonly DeliveryState[] = ['delivered', 'rejected', 'dead', 'uncertain', 'retrying'];

/** Returns the attempt that caused the state of the delivery; undefined if no attempt caused it. */
export function endedBy({ state, log }: DeliveryHistory): DeliveryAttemptRow | undefined {
  const last = log.at(-1);
  return ENDS.includes(state) && last?.outcome !== null ? last : undefined;
}

/** Describes a delivery attempt. */
export function attemptEntry(
  delivery: DeliveryHistory,
  attempt: DeliveryAttemptRow,
  history: LeadHistory,
  view: View,
): EntryPart {
  const { http_status, duration_ms, revision, account, payload_version, sent_sha256 } = attempt;
  const isLast = endedBy(delivery) === attempt;
  const number = attempt.attempt === 1 && isLast ? '' : `, attempt ${attempt.attempt}`;
  const end = isLast ? stateText(delivery.state) : outcomeText(delivery, attempt);
  return {
    id: `attempt-${delivery.id}-${attempt.attempt}`,
    title: `${titleOf(delivery, view)}${number}: ${end}`,
    text: isLast ? deliverySentence(delivery, history, view) : '',
    tone: toneOf(isLast ? delivery.state : attempt.outcome),
    details: [
      open('status', http_status === null ? '' : `HTTP ${http_status}`),
      open('took', duration_ms === null ? '' : `${duration_ms} ms`),
      open('revision', revision ?? ''),
      detail(view, 'account', account, ACCOUNT.test(account ?? '')),
      open('version of the payload', payload_version ?? ''),
      personal(view, 'error', attempt.error),
      personal(view, 'answer', attempt.response),
      ...(isLast ? endDetails(delivery, view) : []),
      personal(view, 'SHA-256 of the bytes sent', sent_sha256 ?? ''),
    ],
    deliveryId: delivery.id,
    attempt: attempt.attempt,
    ...(isAside(delivery) && { isAside: true }),
  };
}

function endDetails({ external_id, last_message }: DeliveryHistory, view: View): TimelineDetail[] {
  return [personal(view, 'id there', external_id), personal(view, 'message', last_message)];
}

function outcomeText({ state }: DeliveryHistory, attempt: DeliveryAttemptRow): string {
  if (attempt.outcome === 'account') return 'refused: our account is not accepted';
  if (attempt.outcome !== null) return stateText(attempt.outcome);
  return state === 'sending' ? 'under way' : 'end unknown';
}

export function deliveryEntry(
  delivery: DeliveryHistory,
  history: LeadHistory,
  view: View,
): EntryPart {
  return {
    id: `delivery-${delivery.id}`,
    title: `${titleOf(delivery, view)}: ${stateText(shownState(history.lead.state, delivery.state))}`,
    text: deliverySentence(delivery, history, view),
    tone: toneOf(delivery.state),
    details: endDetails(delivery, view),
    ...(delivery.finished_at === null && { deliveryId: delivery.id }),
    ...(isAside(delivery) && { isAside: true }),
  };
}

/** Returns whether the delivery is an event to the operator's own systems. */
function isAside({ event, destination }: DeliveryHistory): boolean {
  return event !== null && !definitionOf(destination)?.isAdPlatform;
}

function titleOf(delivery: DeliveryHistory, view: View): string {
  const title = capitalised(destinationTitle(delivery.destination, view.buyerNames));
  const { destination } = (delivery.event ?? {}) as { destination?: unknown };
  const about =
    typeof destination === 'string' ? ` of ${destinationTitle(destination, view.buyerNames)}` : '';
  const type = eventType(delivery);
  return type === '' ? title : `${title}, ${type}${about}`;
}

/** Describes a delivery, and what a resend would do. */
export function deliveryPanel(
  delivery: DeliveryHistory,
  history: LeadHistory,
  verdict: ResendVerdict | undefined,
  view: View,
): LeadDelivery {
  const { id, destination, state, attempts } = delivery;
  // A delivery to a paused destination has no planned attempt, and one that waits for a buyer may never have one.
  const isPlanned = delivery.waits_because === null && !isLeftOut(delivery);
  return {
    id,
    destination,
    title: titleOf(delivery, view),
    hasTerms: view.buyerNames.has(destination),
    event: eventType(delivery),
    state: shownState(history.lead.state, state),
    attempts,
    dueAt: (isPlanned && nextAttemptAt(delivery)?.toISOString()) || null,
    whyNot: state === 'delivered' ? '' : deliverySentence(delivery, history, view),
    canResend: verdict !== undefined && verdict.refusal === undefined,
    needsForce: verdict?.doubt !== undefined,
    resendMeans: resendMeans(delivery, verdict, view),
  };
}

/** Describes the effect and the risk of a resend. */
function resendMeans(
  delivery: DeliveryHistory,
  verdict: ResendVerdict | undefined,
  view: View,
): string {
  if (verdict === undefined) return 'There is nothing to send.';
  if (verdict.refusal !== undefined) return verdict.refusal;
  const to = destinationTitle(delivery.destination, view.buyerNames);
  const isPinned = delivery.may_have_arrived || delivery.state === 'sending';
  const what =
    delivery.event !== null
      ? 'The same event is sent'
      : isPinned && delivery.revision !== null
        ? `The same version of the lead, number ${delivery.revision}, is sent`
        : 'The newest version of the lead is sent';
  const does = `${what} to ${to} again.`;
  return verdict.warning === undefined ? does : `${does} ${verdict.warning}`;
}

function toneOf(end: string | null): TimelineTone {
  if (end === null || end === 'waiting' || end === 'sending') return 'plain';
  if (end === 'delivered') return 'good';
  return ['dead', 'uncertain', 'failed'].includes(end) ? 'bad' : 'warning';
}
