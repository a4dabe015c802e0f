/** Erases a person's data (docs/decisions/0017-retention-and-erasure.md). */

import type {
  ErasureAnswer,
  ErasureListAnswer,
  ErasureProof,
} from '../../model/messages/console/people-requests.ts';
import { listedReasons } from '../../model/messages/vocabulary.ts';
import { addEvent } from '../leads/index.ts';
import { sameKey } from '../platform/database/contact-keys.ts';
import { inTransaction, type Queryable } from '../platform/database/database.ts';
import { OperatorError, refused } from '../platform/operator-error.ts';
import { emptyLeads, emptyVisits } from './empty-leads.ts';
import { forgetReasonsOf, personSubject } from './forget-reasons.ts';
import { countOptOutRequests, emptyOptOutRequests } from './opt-out.ts';
import { findPerson, keysOfLeads, leadsOf, type People, type Person, tracesOf } from './person.ts';
import { type Receipt, receiptsOf } from './receipts.ts';

export type Erasure = ErasureAnswer<Receipt>;

/** SQL: true if a lead has no personal data. */
const IS_EMPTY = `(erased_at is not null and coalesce((select false from consents c
  where c.lead_id = leads.id and (c.text is distinct from '' or c.person is not null) limit 1), true))`;

/** Returns what an erasure would remove. @throws OperatorError if there is nothing to remove */
export async function findErasure({ pool, personKey }: People, text: string): Promise<Erasure> {
  const found = await erasureOf(pool, await findPerson(pool, personKey, text));
  return { ...found, receipts: await receiptsOf(pool, [...found.leads, ...found.visits]) };
}

async function idsOf(client: Queryable, { keys, lead }: Person): Promise<string[]> {
  if (lead === undefined) return tracesOf(client, keys);
  const { rows } = await client.query<{ id: string }>(
    'select id from leads where claims_id = $1 and id = any($2::uuid[])',
    [lead.id, await leadsOf(client, keys)],
  );
  return [lead.id, ...rows.map(({ id }) => id)];
}

async function erasureOf(client: Queryable, person: Person): Promise<Omit<Erasure, 'receipts'>> {
  const found = await idsOf(client, person);
  const { rows } = await client.query<{ id: string; is_empty: boolean }>(
    `select id, ${IS_EMPTY} as is_empty from leads where id = any($1::uuid[])`,
    [found],
  );
  const posted = new Set(rows.map(({ id }) => id));
  const visits = found.filter((id) => !posted.has(id));
  const requests = await countOptOutRequests(client, person.keys);
  if (rows.length === 0 && visits.length === 0 && requests === 0) {
    throw new OperatorError('not_found', 'There is no lead, visit or request of this person.');
  }
  const leads = rows.filter(({ is_empty }) => !is_empty).map(({ id }) => id);
  const others = await client.query<{ id: string }>(
    `with mine as (
       select email_key, phone_key from lead_revisions where lead_id = any($1::uuid[])
     ), theirs as (
       select r.lead_id from lead_revisions r join mine on ${sameKey('r.email_key', 'mine.email_key')}
       union select r.lead_id from lead_revisions r join mine on ${sameKey('r.phone_key', 'mine.phone_key')}
     )
     select id from leads
     where id in (select lead_id from theirs) and erased_at is null and id <> all($1::uuid[])`,
    [leads],
  );
  return { leads, visits, requests, others: others.rows.map(({ id }) => id) };
}

/** Erases a person's data in one transaction. @throws OperatorError */
export async function erase(
  people: People,
  text: string,
  actor: string,
  reason?: string,
  audit?: (client: Queryable) => Promise<void>,
): Promise<Erasure> {
  const { pool, personKey } = people;
  const listed = listedReasons.find((each) => each === reason);
  return inTransaction(pool, async (client) => {
    await lockCounting(client);
    const person = await findPerson(client, personKey, text);
    // Locks visits before leads and deliveries. All code uses this order, to prevent deadlocks.
    await client.query(
      'select 1 from visits where lead_id = any($1::uuid[]) order by lead_id for no key update',
      [await idsOf(client, person)],
    );
    const found = await erasureOf(client, person);
    const { leads, visits } = found;
    // Does not use `for update`, because this stronger lock could deadlock with a delivery worker.
    await client.query(
      'select 1 from leads where id = any($1::uuid[]) order by id for no key update',
      [leads],
    );
    const { rows } = await client.query<{ is_being_sent: boolean }>(
      `select state = 'sending' and due_at > now() as is_being_sent
       from deliveries where lead_id = any($1::uuid[]) order by id for update`,
      [leads],
    );
    if (rows.some((row) => row.is_being_sent)) {
      throw refused('A lead of this person is being sent now: try again in a minute.');
    }
    const receipts = await receiptsOf(client, [...leads, ...visits]);
    const keys = [...person.keys, ...(await keysOfLeads(client, leads))];
    // Writes the audit entry before `forgetReasonsOf`, which removes the reason from the entry.
    await audit?.(client);
    await forgetReasonsOf(client, keys.map(personSubject));
    await emptyLeads(client, leads, { kind: 'erased', actor, reason: listed, personKey });
    await emptyVisits(client, visits);
    await emptyOptOutRequests(client, person.keys);
    const event = { kind: 'erased', actor, detail: { visit: true, reason: listed } } as const;
    await addEvent(client, ...visits.map((lead_id) => ({ lead_id, ...event })));
    return { ...found, receipts };
  });
}

const LOCK_NOT_AVAILABLE = '55P03';

/** Locks the visit counts. @throws OperatorError if the job that counts visits is running */
async function lockCounting(client: Queryable): Promise<void> {
  await client.query(`set local lock_timeout = '2s'`);
  try {
    await client.query('select 1 from counting where id = 1 for update');
  } catch (error) {
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
    throw refused('The numbers are being counted: nothing was erased. Try again in a minute.');
  }
}

/** Lists leads and visits whose data was erased, newest first. */
export async function listErasures(
  client: Queryable,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<ErasureListAnswer<Date>> {
  const { rows } = await client.query<ErasureProof<Date> & { place: string }>(
    `select id, lead_id as "leadId", at, actor, coalesce((detail->>'visit')::boolean, false) as "isVisit",
       jsonb_array_length(coalesce(detail->'revisions', '[]')) as revisions,
       coalesce(detail->'deliveries', '[]') as deliveries, at::text || '~' || id::text as place
     from lead_events where kind = 'erased'
       and (at, id) < (split_part($1, '~', 1)::timestamptz, split_part($1, '~', 2)::uuid)
     order by at desc, id desc limit $2`,
    [after ?? 'infinity~ffffffff-ffff-ffff-ffff-ffffffffffff', limit + 1],
  );
  const next = rows.length > limit ? (rows[limit - 1]?.place ?? null) : null;
  return { erasures: rows.slice(0, limit).map(({ place: _, ...proof }) => proof), next };
}
