/** Takes back the hold of a lead, once a person has looked at it. */
import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { addEvent, releaseLead, releaseLeads } from '../delivery/changes.ts';
import { inTransaction } from '../storage/database.ts';
import type { LeadState, Schema } from '../storage/schema.ts';
import { OperatorError } from './operator-error.ts';
import { type LeadSelection, selected } from './selection.ts';

/**
 * Lets a held lead go to its destinations.
 * @returns how many deliveries go now.
 * @throws OperatorError when it is not held, was erased, or its person asked not to be contacted.
 */
export function release(pool: pg.Pool, leadId: string, actor: string): Promise<number> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ state: LeadState; is_suppressed: boolean }>(
      `select state, exists (select 1 from suppressions s
         where s.key in (email_key, phone_key)) as is_suppressed
       from leads where id = $1 for no key update`,
      [leadId],
    );
    if (rows[0]?.state === 'erased') throw new OperatorError('refused', 'The lead was erased.');
    if (rows[0]?.is_suppressed) {
      throw new OperatorError(
        'refused',
        'The person has asked not to be contacted: nothing is sent. "suppress --undo" takes that back.',
      );
    }
    const deliveries = await releaseLead(client, leadId);
    if (deliveries === undefined) throw new OperatorError('refused', 'The lead is not held.');
    await addEvent(client, { lead_id: leadId, kind: 'released', actor, detail: { deliveries } });
    return deliveries;
  });
}

/** What many leads at once may be held for: a matter of their number, and not of any one of them. */
export const BULK_HOLDS = ['over_address_limit'] as const;
const PORTION = 1_000;

/**
 * Lets every lead go that is held for nothing else, a thousand in a transaction. Leads with another reason
 * beside it and persons who asked not to be contacted are passed over.
 */
export async function releaseAll(
  { pool, db }: { pool: pg.Pool; db: Kysely<Schema> },
  hold: (typeof BULK_HOLDS)[number],
  options: { selection: LeadSelection; actor: string },
): Promise<{ released: number; deliveries: number; passedOver: number }> {
  const { selection, actor } = options;
  const { rows } = await sql<{ id: string; reasons: string[] }>`
    select leads.id, held.reasons
    from leads
    join lead_revisions newest on newest.lead_id = leads.id and newest.revision = leads.revision
    cross join lateral (select array_agg(problem->>'reason') as reasons
      from json_array_elements(newest.problems) as problem where problem->>'problem' = 'held') as held
    where leads.state = 'held' and ${hold} = any(held.reasons) and ${selected(selection)}
    order by leads.created_at, leads.id`.execute(db);
  const ids = rows
    .filter(({ reasons }) => reasons.every((each) => each === hold))
    .map(({ id }) => id);
  let released = 0;
  let deliveries = 0;
  for (let at = 0; at < ids.length; at += PORTION) {
    const going = await inTransaction(pool, async (client) => {
      const free = await client.query<{ id: string }>(
        `select id from leads where id = any($1::uuid[]) and state = 'held' and not exists (
           select 1 from suppressions s where s.key in (leads.email_key, leads.phone_key))
         order by id for no key update`,
        [ids.slice(at, at + PORTION)],
      );
      const portion = await releaseLeads(
        client,
        free.rows.map(({ id }) => id),
      );
      const event = { kind: 'released', actor } as const;
      await addEvent(
        client,
        ...portion.map((lead) => ({
          ...event,
          lead_id: lead.lead_id,
          detail: { deliveries: lead.deliveries, hold },
        })),
      );
      return portion;
    });
    released += going.length;
    deliveries += going.reduce((sum, lead) => sum + lead.deliveries, 0);
  }
  return { released, deliveries, passedOver: rows.length - released };
}
