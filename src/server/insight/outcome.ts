/** Describes why a lead was or was not delivered. */
import { rulingText, saleRuleOf } from '../../model/lead/sale.ts';
import { disqualifications, END_REASONS, holdClause } from '../../model/messages/vocabulary.ts';
import { isBuyer } from '../delivery/destinations/index.ts';
import { neverSentReason } from '../delivery/index.ts';
import type { DeliveryHistory, LeadHistory } from '../leads/index.ts';
import type { DeliveryAttemptRow } from '../platform/database/schema.ts';
import { textOf, type View } from './masking.ts';
import { capitalised, counted, destinationTitle } from './words.ts';

/** Describes a lead's outcome in one to three sentences. */
export function outcomeOf(history: LeadHistory, view: View): string[] {
  const { lead, events, deliveries } = history;
  if (lead.state === 'erased') {
    const { kind = 'erased', actor = '' } =
      events.findLast((each) => each.kind === 'erased' || each.kind === 'expired') ?? {};
    const what =
      kind === 'expired'
        ? 'The lead’s retention period is over: its data was removed'
        : `The lead was erased by ${actor}`;
    const at = lead.erased_at === null ? '' : ` on ${view.clock(lead.erased_at).full}`;
    return [`${what}${at}.`, 'Only hashes, times and where it went are kept.'];
  }
  const quality = lead.qualified ? [] : [`It is not qualified: ${dqClause(lead.dq_reason)}.`];
  if (lead.state === 'dismissed') {
    const by = events.findLast(({ kind }) => kind === 'dismissed')?.actor;
    return [`The lead was dismissed${by === undefined ? '' : ` by ${by}`}: nothing is sent.`];
  }
  if (lead.state === 'held') {
    const reasons = holdReasons(history);
    const held = `The lead is held for review: ${holdClause(reasons)}.`;
    const ruling = saleRuleOf(history.revisions.at(-1)?.decisions ?? []);
    const rule = reasons.includes('state_rule') ? [rulingText(ruling)] : [];
    const end = neverSentReason(reasons) ? '' : ' until you release it';
    return [held, ...rule, `${takenText(history, view)}${end}.`, ...quality];
  }
  const sent = deliveries.filter(({ event }) => event === null);
  if (sent.length === 0) {
    return ['No destination takes this lead, so it is sent to nobody.', ...quality];
  }
  const buyers = sent.filter(({ destination }) => isBuyer(destination));
  const main = buyers.length === 0 ? sent : buyers;
  const passedOver = main.filter(({ state }) => state === 'passed_over');
  const others = main.filter((delivery) => !passedOver.includes(delivery));
  const isLong = others.length > 0 && passedOver.length > 0;
  return [
    ...(main.some(isLeftOut) ? ['No buyer may have it now.'] : []),
    ...(isLong ? others : main).map((delivery) => deliverySentence(delivery, history, view)),
    ...(isLong ? [`${counted(passedOver.length, 'other buyer')} did not get it.`] : []),
    ...quality,
  ];
}

/** Returns the hold reasons of the newest revision. */
export function holdReasons({ revisions }: LeadHistory): string[] {
  const problems = (revisions.at(-1)?.problems ?? []) as { problem?: string; reason?: string }[];
  return problems.flatMap(({ problem, reason = '' }) => (problem === 'held' ? [reason] : []));
}

/** Returns a clause with the reason why a lead is not qualified. */
export function dqClause(reason: string): string {
  return disqualifications[reason] ?? 'a rule rejects it';
}

/** Returns a clause that names the destinations to which a held lead has already been sent. */
function takenText({ lead, deliveries }: LeadHistory, view: View): string {
  const taken = deliveries.flatMap(({ event, destination, delivered_revision }) => {
    if (event !== null || delivered_revision === null) return [];
    const version = delivered_revision < lead.revision ? 'an earlier version' : 'this version';
    return [`${destinationTitle(destination, view.buyerNames)} has ${version}`];
  });
  if (taken.length === 0) return 'Nothing is sent';
  return `${capitalised(taken.join(' and '))}, and nothing further is sent`;
}

/** Describes a delivery's state, the reason, and what happens next. */
export function deliverySentence(
  delivery: DeliveryHistory,
  history: LeadHistory,
  view: View,
): string {
  const { lead } = history;
  const { destination, event, attempts, finished_at, due_at, end_reason, log } = delivery;
  const title = destinationTitle(destination, view.buyerNames);
  const who = capitalised(title);
  const what = event === null ? 'it' : `the event ${eventType(delivery)}`;
  const at = finished_at === null ? '' : ` on ${view.clock(finished_at).full}`;
  const isLater = due_at !== null && due_at > view.now;
  const dueText = due_at === null ? '' : view.clock(due_at).full;
  const last = log.at(-1);
  const why = because(reasonOf(delivery, history, view));
  if (isLeftOut(delivery)) {
    const next = end_reason === 'buyer_paused' ? 'once the pause ends' : `from ${dueText} on`;
    return `${who} does not get it yet: ${reasonOfChoice(end_reason)}. It may have it ${isLater ? next : 'now'}.`;
  }
  if (delivery.waits_because !== null && !delivery.is_unrouted) {
    const reason = delivery.waits_because.slice(destination.length);
    return `It waits because ${title}${reason}`.replace(/\.?$/, '.');
  }
  switch (delivery.state) {
    case 'delivered':
      return `${who} took ${what}${at}${log.length > 1 ? `, at attempt ${log.length}` : ''}.`;
    case 'rejected':
      if (last?.sent_sha256 === null && last.http_status === null && delivery.last_message) {
        return `${capitalised(what)} is not sent to ${title}: ${delivery.last_message}.`;
      }
      return `${who} rejected ${what}${at}${why}. It is not sent again.`;
    case 'dead': {
      const tries = attempts - delivery.attempts_before_round;
      const given = end_reason === 'given_up' ? ` in ${tries} attempts` : '';
      return `${who} did not take ${what}${given}${why}. ${END_REASONS[end_reason ?? 'given_up']}.`;
    }
    case 'uncertain':
      return (
        `${who} may have taken ${what}${why}. It is not sent again by itself, ` +
        'because a second copy would not be recognised there.'
      );
    case 'retrying': {
      const ended = because(last === undefined ? '' : attemptClause(last));
      const next = due_at === null ? '' : ` The next attempt is due ${dueText}.`;
      if (last?.outcome === 'later') {
        const later =
          delivery.external_id === null
            ? 'takes it only later'
            : 'has it and says the result later';
        return `${capitalised(what)} is on its way: ${title} ${later}.${next}`;
      }
      const count = attempts === 1 ? 'one attempt' : `${attempts} attempts`;
      return `${who} has not taken ${what} after ${count}${ended}.${next}`;
    }
    case 'waiting': {
      const [does, going] = delivery.is_unrouted
        ? ['The buyer is chosen', 'offered']
        : [`${capitalised(what)} is sent to ${title}`, 'sent'];
      if (!isLater) return `${capitalised(what)} is about to be ${going} to ${title}.`;
      if (eventType(delivery) === 'lead.returned') {
        return `${capitalised(what)} waits until ${title} has confirmed the sale.`;
      }
      return (
        `${does} at the latest ${dueText}: ` +
        'until then it waits for a check, or for the visitor’s choice of law firms.'
      );
    }
    case 'sending':
      return `${capitalised(what)} is being sent to ${title} now, attempt ${last?.attempt ?? attempts}.`;
    case 'held':
      if (lead.state === 'dismissed') return 'The lead was dismissed: nothing is sent.';
      return `${neverSentReason(holdReasons(history)) ?? `It goes to ${title} when the lead is released`}.`;
    case 'no_destination':
      return `${who} was not configured when the lead came. Resend it once its settings are given.`;
    case 'passed_over':
      return `${who} does not get it: ${reasonOfChoice(end_reason)}.`;
    case 'suppressed':
      return end_reason === null
        ? 'It was stopped before it was sent.'
        : `${END_REASONS[end_reason]}.`;
  }
}

/** Returns whether the choice found that a buyer may not have the lead yet. */
export function isLeftOut({ state, is_unrouted, end_reason }: DeliveryHistory): boolean {
  return state === 'waiting' && is_unrouted && end_reason !== null;
}

/** Returns a clause that says why a buyer does not get the lead. */
function reasonOfChoice(reason: DeliveryHistory['end_reason']): string {
  const text = END_REASONS[reason ?? 'has_buyer'];
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Returns the type of an event, such as `lead.accepted` or `delivery.failed`. */
export function eventType({ event }: Pick<DeliveryHistory, 'event'>): string {
  const type = textOf(event?.type);
  return /^(lead|delivery|consent)\.[a-z]{1,20}$/.test(type) ? type : '';
}

const because = (clause: string) => (clause === '' ? '' : `: ${clause}`);

/** Returns the reason of a failed attempt. */
function reasonOf(
  { destination, state, last_message, log }: DeliveryHistory,
  { others }: LeadHistory,
  view: View,
): string {
  const last = log.at(-1);
  if (last?.outcome === 'duplicate') {
    const endedAt = last.ended_at ?? last.started_at;
    const earlier = others.find(({ sold }) =>
      sold.some((each) => each.destination === destination && new Date(each.at) <= endedAt),
    );
    if (earlier === undefined) return 'it has this person from another source';
    return `you sold this person earlier: lead ${earlier.id}`;
  }
  const message = last_message ?? '';
  if (view.isOpened && message !== '' && message !== state) return `it answered “${message}”`;
  const verdict = /^(ERROR|DUPLICATED)(?: (\d{1,5}))?(?=:| \(|$)/.exec(message);
  if (verdict) return `it answered ${verdict[0]}`;
  return last === undefined ? '' : attemptClause(last);
}

/** Returns a clause about the end of an attempt. */
function attemptClause(attempt: DeliveryAttemptRow): string {
  const { http_status, outcome } = attempt;
  if (http_status !== null) return `it answered HTTP ${http_status}`;
  if (outcome === 'retry') return 'it could not be reached';
  if (outcome === 'unknown') return 'its answer was lost';
  return '';
}
