/** Resends leads with a new round of attempts: one lead by its id, or many leads by state. */
import type pg from 'pg';
import { type DeliveryState, holdClause, type LeadState } from '../../model/messages/vocabulary.ts';
import { addEvent, deliveryName } from '../leads/index.ts';
import { isOnList } from '../platform/database/contact-keys.ts';
import { inTransaction, type Queryable } from '../platform/database/database.ts';
import { wakeJob } from '../platform/database/jobs.ts';
import type { DeliveryRow } from '../platform/database/schema.ts';
import { refused } from '../platform/operator-error.ts';
import { type Actor, heldReasons, NO_CONSENT, SUPPRESSED } from './release.ts';

/** A delivery with the facts that decide whether it may be resent. */
export type Resendable = DeliveryRow & {
  lead_state: LeadState;
  /** The lead's newest revision. */
  newest: number;
  /** The reasons for which the newest revision is or was held. */
  holds: readonly string[];
  is_being_sent: boolean;
  is_suppressed: boolean;
  /** True if the destination accepted any attempt, even if it refused a later attempt. */
  was_taken: boolean;
  /** True if the destination ever answered that it already has the lead. */
  is_known_there: boolean;
  /** True if an answer was lost and the lead was resent. It stays unknown whether the first send arrived. */
  is_doubtful: boolean;
};

// Callers append the condition.
const RESENDABLE = `
select d.*, l.state as lead_state, l.revision as newest, ${heldReasons('l')} as holds, d.state = 'sending' and d.due_at > now() as is_being_sent,
  ${isOnList('d.lead_id')} as is_suppressed,
  exists (select 1 from delivery_attempts a
    where a.delivery_id = d.id and a.outcome = 'delivered') as was_taken,
  exists (select 1 from delivery_attempts a
    where a.delivery_id = d.id and a.outcome = 'duplicate') as is_known_there,
  d.may_have_arrived and exists (select 1 from lead_events e where e.lead_id = d.lead_id
    and e.delivery_id = d.id and e.kind = 'resent' and e.detail->>'forced' = 'true'
    and e.detail->>'was' in ('uncertain', 'sending', 'suppressed')) as is_doubtful
from deliveries d join leads l on l.id = d.lead_id`;
const OF_LEAD = `${RESENDABLE} where d.lead_id = $1 order by d.destination, d.event_key`;

/** Returns SQL that locks the matching deliveries and their leads until the commit. */
const lockFor = (condition: string) => `
select 1 from deliveries d join leads l on l.id = d.lead_id
where ${condition} order by d.id for no key update of d, l`;

/**
 * Reads deliveries with the facts that decide whether they may be resent. `locks` prevents other changes until the
 * commit. The lock is a separate statement, so that the read sees everything committed before the lock.
 */
export async function readResendable(
  client: Queryable,
  deliveryIds: readonly string[],
  { locks }: { locks: boolean },
): Promise<Resendable[]> {
  const condition = 'd.id = any($1::uuid[])';
  if (locks) await client.query(lockFor(condition), [deliveryIds]);
  const text = `${RESENDABLE} where ${condition}`;
  return (await client.query<Resendable>(text, [deliveryIds])).rows;
}

/**
 * Starts a new round of attempts. A delivery that certainly did not arrive is sent with the newest revision to the
 * current account. A delivery that may have arrived keeps its pinned revision, account and payload version, so that the
 * lead is not sold twice. A delivery found `sending` may have arrived. An event always keeps its revision.
 */
export async function resendDelivery(
  client: Queryable,
  ...deliveryIds: readonly string[]
): Promise<void> {
  await client.query(
    `update deliveries set state = 'waiting', due_at = now(), first_due_at = null, lease_owner = null, finished_at = null,
       last_message = null, end_reason = null, attempts_before_round = attempts,
       may_have_arrived = may_have_arrived or state = 'sending',
       revision = case when may_have_arrived or state = 'sending' or event is not null then revision end,
       account = case when may_have_arrived or state = 'sending' then account end,
       payload_version = case when may_have_arrived or state = 'sending' then payload_version end
     where id = any($1::uuid[])`,
    [deliveryIds],
  );
  await wakeJob(client, 'delivery');
}

/**
 * Resets a delivery to waiting, so that a worker sends it, and records the operator.
 * @param options.destination needed only if the lead has several deliveries
 * @param options.force resends even if the destination has or may have the lead, or the lead is held
 * @param options.reason for the lead's event
 * @returns the destination, the delivery's previous state, and a warning if the resend may have unwanted effects
 * @throws OperatorError if the delivery may not be resent
 */
export function resend(
  pool: pg.Pool,
  leadId: string,
  options: {
    destination?: string | undefined;
    force: boolean;
    actor: string;
    reason?: string | undefined;
  },
): Promise<{ destination: string; from: DeliveryState; warning: string | undefined }> {
  const { destination, force, actor, reason } = options;
  return inTransaction(pool, async (client) => {
    await client.query(lockFor('d.lead_id = $1'), [leadId]);
    const { rows } = await client.query<Resendable>(OF_LEAD, [leadId]);
    const delivery = choose(rows, destination);
    const { refusal, doubt, warning, instead = '' } = judgeResend(delivery);
    if (refusal !== undefined) throw refused(refusal);
    if (doubt !== undefined && !force) {
      throw refused(`${warning} ${instead}Use --force to send it all the same.`);
    }
    const { id, state: from } = delivery;
    await resendDelivery(client, id);
    // Pin the newest revision, so that no later revision is sent while the lead is held.
    await client.query(
      `update deliveries set revision = coalesce(deliveries.revision, l.revision)
       from leads l where deliveries.id = $1 and l.id = lead_id and l.state = 'held'`,
      [id],
    );
    // Forcing a held lead releases it, so the event records the hold's reasons, as for a release.
    const { lead_state, newest: revision, holds: reasons } = delivery;
    const covered = lead_state === 'held' ? { revision, reasons } : {};
    const detail = { was: from, forced: force, ...covered, reason };
    await addEvent(client, { lead_id: leadId, delivery_id: id, kind: 'resent', actor, detail });
    // A lead without held deliveries needs no further review.
    await client.query(
      `update leads set state = 'accepted', updated_at = now() where id = $1 and state = 'held'
         and not exists (select 1 from deliveries where lead_id = $1 and state = 'held')`,
      [leadId],
    );
    return { destination: deliveryName(delivery), from, warning };
  });
}

/** Delivery states that can be resent in bulk, because the destination did not take the lead. */
export const BULK_STATES = ['no_destination', 'dead', 'rejected'] as const;

/** Returns why a bulk resend skips this delivery, or undefined if it resends the delivery. */
export function bulkResendRefusal(delivery: Resendable): string | undefined {
  const { state, destination, is_known_there } = delivery;
  const { refusal, doubt } = judgeResend(delivery);
  if (refusal !== undefined) return refusal;
  if (doubt !== undefined) return `${doubt}.`;
  if (is_known_there) return `${destination} already has this lead.`;
  if (state === 'suppressed') return 'The delivery was kept back: the lead says why.';
  return isAtEnd(delivery) ? undefined : `It is on its way to ${destination}.`;
}

function isAtEnd({ state }: Resendable): boolean {
  const states: readonly string[] = BULK_STATES;
  return states.includes(state);
}

/** Resends locked deliveries and records it. */
export async function resendLocked(
  client: Queryable,
  deliveries: readonly Pick<Resendable, 'id' | 'lead_id' | 'state'>[],
  { actor, reason }: Actor,
): Promise<void> {
  await resendDelivery(client, ...deliveries.map(({ id }) => id));
  const events = deliveries.map(({ id, lead_id, state }) => {
    const detail = { was: state, forced: false, reason };
    return { lead_id, delivery_id: id, kind: 'resent', actor, detail } as const;
  });
  await addEvent(client, ...events);
}

function choose(rows: readonly Resendable[], destination: string | undefined): Resendable {
  const names = rows.map(deliveryName).join(', ');
  if (rows.length === 0) throw refused('The lead has no destination: there is nothing to send.');
  // Deliveries of events are not offered as destinations.
  const leads = rows.filter(({ event }) => event === null);
  const named = rows.filter((row) =>
    [row.destination, deliveryName(row)].includes(destination ?? ''),
  );
  const found = destination === undefined ? leads : named;
  if (found.length === 1 && found[0]) return found[0];
  throw refused(
    destination === undefined || found.length > 1
      ? `The lead has several destinations (${names}): say which with --destination.`
      : `The lead has no destination "${destination}"; it has: ${names}.`,
  );
}

/** The verdict on a resend: whether it is allowed now, and its risk. */
export type ResendVerdict = {
  /** The reason why a resend is not allowed, as a sentence. */
  readonly refusal?: string;
  /** The reason why only a forced resend is allowed, as a clause. */
  readonly doubt?: string;
  /** Sentences about possible unwanted effects. */
  readonly warning?: string;
  /** A sentence that recommends another action. */
  readonly instead?: string;
};

/** Returns the resend verdict on each delivery of a lead, by delivery id. Leaves out the ids that destinations gave. */
export async function readResendVerdicts(
  client: Queryable,
  leadId: string,
): Promise<ReadonlyMap<string, ResendVerdict>> {
  const { rows } = await client.query<Resendable>(OF_LEAD, [leadId]);
  return new Map(rows.map((row) => [row.id, judgeResend({ ...row, external_id: null })]));
}

function judgeResend(delivery: Resendable): ResendVerdict {
  const { state, destination, finished_at, external_id, lead_state, holds } = delivery;
  const when = finished_at === null ? '' : ` on ${finished_at.toISOString()}`;
  const id = external_id === null ? '' : ` as ${external_id}`;
  if (lead_state === 'erased') return { refusal: 'The lead was erased.' };
  if (delivery.is_suppressed) return { refusal: SUPPRESSED };
  if (holds.includes('no_consent')) return { refusal: NO_CONSENT };
  if (lead_state === 'dismissed') return { refusal: 'The lead was dismissed.' };
  if (delivery.is_being_sent) {
    return { refusal: 'It is being sent right now: look again in a minute.' };
  }
  if (lead_state === 'held' || state === 'held') {
    const doubt = `The lead is held because ${holdClause(holds)}`;
    const warning = `${doubt}. Sending it releases it to the destination.`;
    return { doubt, warning, instead: '"release" lets it go to all of them. ' };
  }
  if (state === 'delivered' || delivery.was_taken) {
    const doubt = `${destination} took this lead`;
    const taken = `${doubt}${state === 'delivered' ? when : ''}${id}.`;
    const risk = 'A second send can make it a duplicate there, or be paid for twice.';
    return { doubt, warning: `${taken} ${risk}` };
  }
  const doubt = `${destination} may have taken this lead`;
  const risk = 'A second send can make it two there.';
  if (state === 'uncertain' || (delivery.is_doubtful && isAtEnd(delivery))) {
    return { doubt, warning: `${doubt}${when}, and would not recognise it. ${risk}` };
  }
  if (state === 'sending' || (state === 'suppressed' && delivery.may_have_arrived)) {
    return { doubt, warning: `${doubt}. ${risk}` };
  }
  if (state !== 'no_destination') return {};
  return {
    warning: `The lead came when ${destination} was not configured: if it still is not, the lead waits until it is.`,
  };
}
