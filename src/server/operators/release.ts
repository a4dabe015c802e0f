/** Releases held leads after an operator's review. */
import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { addEvent, releaseLeads } from '../delivery/changes.ts';
import { inTransaction } from '../storage/database.ts';
import type { LeadState, Schema } from '../storage/schema.ts';
import { refused, suppressedError } from './operator-error.ts';
import { inPortions } from './portions.ts';
import { type LeadSelection, selected } from './selection.ts';

/** What a release covers. A later revision with new reasons is held again (docs/specification.md#holds). */
export type Released = {
  readonly revision: number;
  readonly reasons: readonly string[];
  /** How many deliveries the release set going. */
  readonly deliveries: number;
};

/** An SQL expression: the reasons why the newest revision of `leads` is held. */
export const HELD_REASONS = `(select coalesce(array_agg(problem->>'reason'), '{}')
  from lead_revisions newest, json_array_elements(newest.problems) as problem
  where newest.lead_id = leads.id and newest.revision = leads.revision
    and problem->>'problem' = 'held')`;

/**
 * Releases a held lead to its destinations.
 * @param looked the revision that the operator reviewed. Default: the newest.
 * @param reason why, for the lead's event
 * @throws OperatorError when the lead is not held, has a newer revision, was erased, or is suppressed.
 */
export function release(
  pool: pg.Pool,
  leadId: string,
  actor: string,
  looked?: number,
  reason?: string,
): Promise<Released> {
  return inTransaction(pool, async (client) => {
    await client.query('select 1 from leads where id = $1 for no key update', [leadId]);
    const { rows } = await client.query<{
      state: LeadState;
      revision: number;
      reasons: string[];
      is_suppressed: boolean;
    }>(
      `select state, revision, ${HELD_REASONS} as reasons, exists (select 1 from suppressions s
         where s.key in (email_key, phone_key)) as is_suppressed
       from leads where id = $1`,
      [leadId],
    );
    const { revision = 0, reasons = [] } = rows[0] ?? {};
    if (rows[0]?.state === 'erased') throw refused('The lead was erased.');
    if (rows[0]?.is_suppressed) throw suppressedError();
    if (looked !== undefined && looked !== revision) {
      throw refused(
        `The newest revision of the lead is ${revision}: look at it, then release that one.`,
      );
    }
    const [lead] = await releaseLeads(client, [leadId]);
    if (lead === undefined) throw refused('The lead is not held.');
    const released = { revision, reasons, deliveries: lead.deliveries };
    const detail = { ...released, reason };
    await addEvent(client, { lead_id: leadId, kind: 'released', actor, detail });
    return released;
  });
}

/** The reasons that can be released in bulk: they are about the number of leads, not about one lead. */
export const BULK_HOLDS = ['over_address_limit', 'over_address_bytes'] as const;

/**
 * Releases every lead that is held for this reason only, a thousand per transaction. Skips leads with further
 * reasons and suppressed persons.
 */
export async function releaseAll(
  { pool, db }: { pool: pg.Pool; db: Kysely<Schema> },
  hold: (typeof BULK_HOLDS)[number],
  options: { selection: LeadSelection; actor: string },
): Promise<{ released: number; deliveries: number; passedOver: number }> {
  const { selection, actor } = options;
  const { rows } = await sql<{ id: string; revision: number; reasons: string[] }>`
    select leads.id, leads.revision, held.reasons
    from leads cross join lateral (select ${sql.raw(HELD_REASONS)} as reasons) as held
    where leads.state = 'held' and ${hold} = any(held.reasons) and ${selected(selection)}
    order by leads.created_at, leads.id`.execute(db);
  const only = rows.filter(({ reasons }) => reasons.every((each) => each === hold));
  const revisions = new Map(only.map(({ id, revision }) => [id, revision]));
  const portions = await inPortions(pool, only, async (client, portion) => {
    const free = await client.query<{ id: string; revision: number }>(
      `select id, revision from leads where id = any($1::uuid[]) and state = 'held' and not exists (
         select 1 from suppressions s where s.key in (leads.email_key, leads.phone_key))
       order by id for no key update`,
      [portion.map(({ id }) => id)],
    );
    // A revision that arrived meanwhile may be held for further reasons.
    const same = free.rows.filter(({ id, revision }) => revisions.get(id) === revision);
    const going = await releaseLeads(
      client,
      same.map(({ id }) => id),
    );
    const events = going.map(({ lead_id, deliveries }) => {
      const detail = { revision: revisions.get(lead_id), reasons: [hold], deliveries };
      return { kind: 'released', actor, lead_id, detail } as const;
    });
    await addEvent(client, ...events);
    return going;
  });
  const released = portions.flat();
  const deliveries = released.reduce((sum, lead) => sum + lead.deliveries, 0);
  return { released: released.length, deliveries, passedOver: rows.length - released.length };
}
