/** Resends one delivery of a lead, or all deliveries in a state. */
import type pg from 'pg';
import { type DeliveryState, holdClause, type LeadState } from '../../model/messages/vocabulary.ts';
import { addEvent, chooseAgain, deliveryName, isReturned, isToBuyer } from '../leads/index.ts';
import { isOnList } from '../platform/database/contact-keys.ts';
import { inTransaction, type Queryable } from '../platform/database/database.ts';
import type { DeliveryRow } from '../platform/database/schema.ts';
import { refused } from '../platform/operator-error.ts';
import { nameOf } from './buyers.ts';
import { buysLeads } from './destinations/index.ts';
import {
  type Actor,
  decisionsOn,
  heldReasons,
  type Releasable,
  rulingToday,
  type SaleRules,
  SUPPRESSED,
  sendRefusal,
} from './release.ts';
import { isRevocation } from './suppress.ts';

/** A delivery with the facts that decide whether the delivery may be resent. */
export type Resendable = DeliveryRow & {
  lead_state: LeadState;
  /** The number of the lead's newest revision. */
  newest: number;
  /** The reasons why the newest revision is or was held. */
  holds: readonly string[];
  ruling: Releasable['ruling'];
  /** The buyer's name, or the destination. */
  title: string;
  is_being_sent: boolean;
  is_suppressed: boolean;
  /** True if the destination has a buyer's terms. */
  is_to_buyer: boolean;
  /** True if another buyer has the lead, and the destination has no terms that would share it. */
  is_anothers: boolean;
  /** True if the buyer returned the lead and an operator accepted the return. */
  is_returned: boolean;
  /** True if the destination accepted any attempt. */
  was_taken: boolean;
  /** True if the destination answered to any attempt that it already had the lead. */
  is_known_there: boolean;
  /** True if an operator resent the lead although an earlier attempt may have arrived. */
  is_doubtful: boolean;
};

const RESENDABLE = `
select d.*, l.state as lead_state, l.revision as newest, ${heldReasons('l')} as holds,
  ${decisionsOn('l')} as decisions, d.state = 'sending' and d.due_at > now() as is_being_sent,
  ${isOnList('d.lead_id')} and not ${isRevocation('d')} as is_suppressed,
  ${isToBuyer('d')} as is_to_buyer,
  ${nameOf('d.destination')} as title,
  ${buysLeads('d.destination')} and not ${isToBuyer('d')} and exists (select 1 from deliveries other
    where other.lead_id = d.lead_id and other.chosen_at is not null and not ${isReturned('other')}) as is_anothers,
  ${isReturned('d')} as is_returned,
  exists (select 1 from delivery_attempts a
    where a.delivery_id = d.id and a.outcome = 'delivered') as was_taken,
  exists (select 1 from delivery_attempts a
    where a.delivery_id = d.id and a.outcome = 'duplicate') as is_known_there,
  d.may_have_arrived and exists (select 1 from lead_events e where e.lead_id = d.lead_id
    and e.delivery_id = d.id and e.kind = 'resent' and e.detail->>'forced' = 'true'
    and e.detail->>'was' in ('uncertain', 'sending', 'suppressed')) as is_doubtful
from deliveries d join leads l on l.id = d.lead_id`;

/** Reads deliveries by delivery ids or lead ids. `locks` locks the deliveries and the leads. */
export async function readResendable(
  client: Queryable,
  ids: readonly string[],
  { locks, rules, by = 'd.id' }: { locks: boolean; rules: SaleRules; by?: 'd.id' | 'd.lead_id' },
): Promise<Resendable[]> {
  const condition = `where ${by} = any($1::uuid[])`;
  const lock = `select 1 from deliveries d join leads l on l.id = d.lead_id ${condition}
    order by d.id for no key update of d, l`;
  if (locks) await client.query(lock, [ids]);
  const text = `${RESENDABLE} ${condition} order by d.destination, d.event_key`;
  const { rows } = await client.query<Resendable & { decisions: readonly unknown[] }>(text, [ids]);
  return rows.map((row) => ({ ...row, ruling: rulingToday(row.decisions, rules) }));
}

/**
 * SQL: starts a new round of attempts. If the lead may have arrived, revision, account and payload
 * version stay pinned, so that the lead is not sold twice.
 */
const RESEND = `
update deliveries d set state = 'waiting', due_at = now(), first_due_at = null, lease_owner = null, finished_at = null,
  last_message = null, end_reason = null, attempts_before_round = attempts,
  may_have_arrived = was.has_arrived, ${chooseAgain('d', 'was.has_arrived')},
  revision = coalesce(case when was.has_arrived or event is not null then d.revision end, was.held_revision),
  account = case when was.has_arrived then account end,
  payload_version = case when was.has_arrived then payload_version end
from (
  select d.id, d.may_have_arrived or d.state = 'sending' as has_arrived,
    case when l.state = 'held' then l.revision end as held_revision
  from deliveries d join leads l on l.id = d.lead_id where d.id = any($1::uuid[])
) as was
where d.id = was.id`;

/** Starts a new round of attempts for deliveries that are locked. */
export async function resendLocked(
  client: Queryable,
  deliveries: readonly Resendable[],
  { actor, reason }: Actor,
  forced = false,
): Promise<void> {
  await client.query(RESEND, [deliveries.map(({ id }) => id)]);
  const events = deliveries.map(({ id, lead_id, state, lead_state, newest, holds }) => {
    // A forced resend releases a held lead, so the event contains the reasons of the hold.
    const covered = lead_state === 'held' ? { revision: newest, reasons: holds } : {};
    const detail = { was: state, forced, ...covered, reason };
    return { lead_id, delivery_id: id, kind: 'resent', actor, detail } as const;
  });
  await addEvent(client, ...events);
  await client.query(
    `update leads set state = 'accepted', updated_at = now() where id = any($1::uuid[]) and state = 'held'
       and not exists (select 1 from deliveries d where d.lead_id = leads.id and d.state = 'held')`,
    [deliveries.map(({ lead_id }) => lead_id)],
  );
}

/**
 * Resends a delivery, and returns a warning about possible unwanted effects.
 * @throws OperatorError if the delivery may not be resent
 */
export function resend(
  pool: pg.Pool,
  leadId: string,
  options: Actor & { destination?: string | undefined; force: boolean },
  rules: SaleRules,
): Promise<{ destination: string; from: DeliveryState; warning: string | undefined }> {
  const { destination, force } = options;
  return inTransaction(pool, async (client) => {
    const all = await readResendable(client, [leadId], { locks: true, rules, by: 'd.lead_id' });
    const delivery = choose(all, destination);
    const { refusal, doubt, warning } = judgeResend(delivery);
    if (refusal !== undefined) throw refused(refusal);
    if (doubt !== undefined && !force) {
      throw refused(`${warning} Use --force to send it all the same.`);
    }
    await resendLocked(client, [delivery], options, force);
    return { destination: deliveryName(delivery), from: delivery.state, warning };
  });
}

/** Delivery states that allow a bulk resend, because the destination does not have the lead. */
const BULK_STATES: readonly string[] = ['no_destination', 'dead', 'rejected', 'passed_over'];

/** Returns why a bulk resend skips this delivery; undefined if the delivery is resent. */
export function bulkResendRefusal(delivery: Resendable): string | undefined {
  const { state, title, is_known_there } = delivery;
  const { refusal, doubt } = judgeResend(delivery);
  if (refusal !== undefined) return refusal;
  if (doubt !== undefined) return `${doubt}.`;
  if (is_known_there) return `${title} already has this lead.`;
  if (state === 'suppressed') return 'The delivery was kept back: the lead says why.';
  return BULK_STATES.includes(state) ? undefined : `The lead is on its way to ${title}.`;
}

function choose(rows: readonly Resendable[], destination: string | undefined): Resendable {
  const names = rows.map(deliveryName).join(', ');
  if (rows.length === 0) throw refused('The lead has no destination: there is nothing to send.');
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

/** Describes whether a delivery may be resent, and the risk of a resend. */
export type ResendVerdict = {
  /** The reason why a resend is not allowed, as a sentence. */
  readonly refusal?: string;
  /** The reason why only a forced resend is allowed, as a clause. */
  readonly doubt?: string;
  /** Sentences about possible unwanted effects. */
  readonly warning?: string;
};

/** Returns the resend verdict on each delivery of a lead, by delivery id. */
export async function readResendVerdicts(
  client: Queryable,
  leadId: string,
  rules: SaleRules,
): Promise<ReadonlyMap<string, ResendVerdict>> {
  const rows = await readResendable(client, [leadId], { locks: false, rules, by: 'd.lead_id' });
  return new Map(rows.map((row) => [row.id, judgeResend({ ...row, external_id: null })]));
}

function judgeResend(delivery: Resendable): ResendVerdict {
  const { state, title, finished_at, external_id, lead_state, holds } = delivery;
  const when = finished_at === null ? '' : ` on ${finished_at.toISOString()}`;
  const id = external_id === null ? '' : ` as ${external_id}`;
  if (lead_state === 'erased') return { refusal: 'The lead was erased.' };
  if (delivery.is_suppressed) return { refusal: SUPPRESSED };
  if (lead_state === 'dismissed') return { refusal: 'The lead was dismissed.' };
  if (delivery.is_being_sent) {
    return { refusal: 'It is being sent right now: look again in a minute.' };
  }
  if (delivery.is_returned) {
    return {
      refusal:
        'The buyer returned this lead, and the return was accepted: the buyer does not get it again.',
    };
  }
  const isSold = state === 'delivered' || delivery.was_taken;
  const refusal = sendRefusal(
    { ...delivery, reasons: holds, held: [delivery.destination] },
    isSold,
  );
  if (refusal !== undefined) return { refusal };
  if (lead_state === 'held' || state === 'held') {
    const doubt = `The lead is held because ${holdClause(holds)}`;
    const warning = `${doubt}. A resend releases it only to this destination; "release" lets it go to all.`;
    return { doubt, warning };
  }
  if (isSold) {
    const doubt = `${title} took this lead`;
    const taken = `${doubt}${state === 'delivered' ? when : ''}${id}.`;
    const risk = 'A second send can make it a duplicate there, or be paid for twice.';
    return { doubt, warning: `${taken} ${risk}` };
  }
  if (delivery.is_anothers) {
    const doubt = 'Another buyer has this lead';
    return {
      doubt,
      warning: `${doubt}. ${title} has no terms, so the lead could be sold twice.`,
    };
  }
  const doubt = `${title} may have taken this lead`;
  const risk = 'A second send can make it two there.';
  if (state === 'uncertain' || (delivery.is_doubtful && BULK_STATES.includes(state))) {
    return { doubt, warning: `${doubt}${when}, and would not recognise it. ${risk}` };
  }
  if (state === 'sending' || (state === 'suppressed' && delivery.may_have_arrived)) {
    return { doubt, warning: `${doubt}. ${risk}` };
  }
  if (delivery.is_to_buyer && !delivery.may_have_arrived) {
    return {
      warning: 'The lead goes to the first buyer that may have it, which need not be this one.',
    };
  }
  if (state !== 'no_destination') return {};
  return {
    warning: `The lead came when ${title} was not configured: if it still is not, the lead waits until it is.`,
  };
}
