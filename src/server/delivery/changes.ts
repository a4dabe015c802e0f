/**
 * Changes that operators make to deliveries: resend, release, suppress. Each function runs in the
 * caller's transaction. The caller checks who may do it, and records the event.
 */
import { v7 as uuid } from 'uuid';
import { isOnList } from '../platform/database/contact-keys.ts';
import type { Queryable } from '../platform/database/database.ts';
import { wakeJob } from '../platform/database/jobs.ts';
import type { LeadEventRow } from '../platform/database/schema.ts';
import type { DestinationDefinition } from './destinations/destination.ts';
import { destinations } from './destinations/index.ts';

type NewEvent = Pick<LeadEventRow, 'lead_id' | 'kind' | 'actor'> & {
  delivery_id?: string;
  detail?: Readonly<Record<string, unknown>>;
};

/** Records what was done to leads, and by whom. */
export async function addEvent(client: Queryable, ...events: readonly NewEvent[]): Promise<void> {
  await client.query(
    `insert into lead_events (id, lead_id, delivery_id, kind, actor, detail)
     select id, lead_id, delivery_id, kind, actor, coalesce(detail, '{}')
     from jsonb_to_recordset($1::jsonb) as e(id uuid, lead_id uuid, delivery_id uuid, kind text,
       actor text, detail jsonb)`,
    [JSON.stringify(events.map((event) => ({ id: uuid(), ...event })))],
  );
}

/**
 * Starts a new round of attempts. A delivery that surely did not arrive is sent with the newest revision,
 * to the current account. One that arrived, or may have, keeps its pinned revision, account and payload
 * version: sending it elsewhere would sell the lead twice. A delivery caught while `sending` may have
 * arrived. An event always keeps its revision.
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
 * Releases held leads and their deliveries. Returns the released leads, each with the number of its
 * released deliveries.
 */
export async function releaseLeads(
  client: Queryable,
  leadIds: readonly string[],
): Promise<{ lead_id: string; deliveries: number }[]> {
  const { rows } = await client.query<{ lead_id: string; deliveries: number }>(
    `with released as (
       update leads set state = 'accepted', updated_at = now()
       where id = any($1::uuid[]) and state = 'held'
       returning id
     ), going as (
       update deliveries set state = 'waiting', due_at = now()
       where lead_id in (select id from released) and state = 'held'
       returning lead_id
     )
     select id as lead_id, (select count(*)::int from going where going.lead_id = id) as deliveries
     from released`,
    [leadIds],
  );
  await wakeJob(client, 'delivery');
  return rows;
}

/** Dismisses held leads. Their deliveries stay held; only a later post without holds sends them. */
export async function dismissLeads(client: Queryable, leadIds: readonly string[]): Promise<void> {
  await client.query(
    `update leads set state = 'dismissed', updated_at = now()
     where id = any($1::uuid[]) and state = 'held'`,
    [leadIds],
  );
}

const quoted = (all: readonly DestinationDefinition[]) => all.map(({ name }) => `'${name}'`).join();
const PROOF = quoted(destinations.filter((each) => each.proofExpiresHours !== undefined));
const BUYERS = quoted(destinations.filter((each) => !each.buysNothing && !each.events));

/** Returns an SQL condition: a delivery keeps proof of the consent of a lead that a buyer has, or may have. */
export const isProofOfSale = (delivery: string) => `(${delivery}.destination in (${PROOF})
  and exists (select 1 from deliveries sold where sold.lead_id = ${delivery}.lead_id
    and sold.destination in (${BUYERS}) and (sold.may_have_arrived or sold.state in ('delivered', 'sending'))))`;

/**
 * Stops and returns the open deliveries of some leads, except those being sent right now and the proof of a sale. Deliveries
 * that nothing sends by itself stay as they are: a resend of one is refused while the person is on the list.
 */
export async function suppressDeliveries(
  client: Queryable,
  leadIds: readonly string[],
): Promise<{ id: string; lead_id: string; destination: string }[]> {
  const { rows } = await client.query<{ id: string; lead_id: string; destination: string }>(
    `update deliveries d set state = 'suppressed', end_reason = 'listed', due_at = null, lease_owner = null,
       finished_at = now(), last_message = null
     where lead_id = any($1::uuid[]) and state in ('waiting', 'retrying', 'held')
       and not ${isProofOfSale('d')}
     returning id, lead_id, destination`,
    [leadIds],
  );
  return rows;
}

/** SQL: whether only the suppression list stopped a delivery `d` of a lead `l`, and it surely did not arrive. */
const RESUMABLE = `(l.erased_at is null and d.state = 'suppressed' and d.end_reason = 'listed'
  and not d.may_have_arrived)`;

/**
 * Resumes and returns deliveries that only the suppression list had stopped, for leads no longer on it. A
 * delivery that may have arrived stays suppressed: an operator decides whether to resend it.
 */
export async function resumeSuppressed(
  client: Queryable,
  leadIds: readonly string[],
): Promise<{ lead_id: string; destination: string }[]> {
  const { rows } = await client.query<{ lead_id: string; destination: string }>(
    `update deliveries d set state = case when l.state = 'accepted' then 'waiting' else 'held' end,
       due_at = case when l.state = 'accepted' then now() end, end_reason = null,
       first_due_at = null, finished_at = null, attempts_before_round = attempts, account = null,
       payload_version = null, revision = case when d.event is not null then d.revision end
     from leads l
     where d.lead_id = any($1::uuid[]) and l.id = d.lead_id and ${RESUMABLE}
       and not ${isOnList('d.lead_id')}
     returning d.lead_id, d.destination`,
    [leadIds],
  );
  await wakeJob(client, 'delivery');
  return rows;
}
