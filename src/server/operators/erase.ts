/** Erasing a person: what was said goes everywhere, the proof that it came and where it went stays. */
import type pg from 'pg';
import { addEvent } from '../delivery/changes.ts';
import { inTransaction } from '../storage/database.ts';
import { emptyLeads, emptyVisits } from './empty-leads.ts';
import { OperatorError } from './operator-error.ts';
import { countOptOutRequests, emptyOptOutRequests } from './opt-out.ts';
import { findPerson, leadsOf, type Person, type Receipt, receiptsOf } from './person.ts';
import type { Queryable } from './selection.ts';

export type Erasure = {
  readonly leads: readonly string[];
  /** Visits that ended without a lead. */
  readonly visits: readonly string[];
  /** Do-not-sell requests; those that are empty already are not counted. */
  readonly requests: number;
  /** Other leads with an e-mail address or phone number of these, which are left. */
  readonly others: readonly string[];
  /** Who got them, or may have. */
  readonly receipts: readonly Receipt[];
};

/** Nothing is left of its person: one that expired may have consents that say who gave them. */
const IS_EMPTY = `(erased_at is not null and not exists (select 1 from consents c
  where c.lead_id = leads.id and (c.text <> '' or c.person is not null)))`;

/** What `erase` would erase now. @throws as `erase`, but for what is being sent. */
export async function findErasure(client: Queryable, text: string): Promise<Erasure> {
  const person = await findPerson(client, text);
  const { lead } = person;
  const matching = await leadsOf(client, person.keys);
  const claims = lead === undefined ? [] : await claimsAmong(client, lead.id, matching);
  const answered = await visitsOf(client, person);
  const found = lead === undefined ? [...matching, ...answered] : [lead.id, ...claims];
  const { rows } = await client.query<{ id: string; is_empty: boolean }>(
    `select id, ${IS_EMPTY} as is_empty from leads where id = any($1::uuid[])`,
    [found],
  );
  const posted = new Set(rows.map(({ id }) => id));
  const visits = answered.filter((id) => !posted.has(id));
  const requests = await countOptOutRequests(client, person.keys);
  if (rows.length === 0 && visits.length === 0 && requests.all === 0) {
    throw new OperatorError('not_found', 'There is no lead, visit or request of this person.');
  }
  const leads = rows.filter(({ is_empty }) => !is_empty).map(({ id }) => id);
  const others = await client.query<{ id: string }>(
    `select distinct o.id from lead_revisions r
     join leads o on o.email_key = r.email_key or o.phone_key = r.phone_key
     where r.lead_id = any($1::uuid[]) and o.erased_at is null and o.id <> all($1::uuid[])`,
    [leads],
  );
  return {
    leads,
    visits,
    requests: requests.full,
    others: others.rows.map(({ id }) => id),
    receipts: await receiptsOf(client, leads),
  };
}

/**
 * Erases a person in one transaction. By e-mail address or phone number: every lead that had it in any
 * revision or step, and the visits without a lead in which it was answered. By a lead's id: that lead
 * and the claims to it that show the same person.
 *
 * @throws OperatorError when there is nothing, or some of it is being sent now.
 */
export function erase(pool: pg.Pool, text: string, actor: string): Promise<Erasure> {
  return inTransaction(pool, async (client) => {
    const person = await findPerson(client, text);
    // A visit that becomes a lead meanwhile is waited for, and found as that lead.
    await client.query(
      'select 1 from visits where lead_id = any($1::uuid[]) order by lead_id for update',
      [await visitsOf(client, person)],
    );
    const found = await findErasure(client, text);
    const { leads, visits } = found;
    await client.query('select 1 from leads where id = any($1::uuid[]) order by id for update', [
      leads,
    ]);
    const { rows } = await client.query<{ is_being_sent: boolean }>(
      `select state = 'sending' and due_at > now() as is_being_sent
       from deliveries where lead_id = any($1::uuid[]) order by id for update`,
      [leads],
    );
    if (rows.some((row) => row.is_being_sent)) {
      throw new OperatorError(
        'refused',
        'A lead of this person is being sent now: try again in a minute.',
      );
    }
    // Now that nothing can be sent any more.
    const receipts = await receiptsOf(client, leads);
    await emptyLeads(client, leads, { kind: 'erased', actor, keepsConsents: false });
    await emptyVisits(client, visits);
    await emptyOptOutRequests(client, person.keys);
    await addEvent(
      client,
      ...visits.map(
        (lead_id) => ({ lead_id, kind: 'erased', actor, detail: { visit: true } }) as const,
      ),
    );
    return { ...found, receipts };
  });
}

async function claimsAmong(client: Queryable, leadId: string, among: readonly string[]) {
  const { rows } = await client.query<{ id: string }>(
    'select id from leads where claims_id = $1 and id = any($2::uuid[])',
    [leadId, among],
  );
  return rows.map(({ id }) => id);
}

/** Blanks and invisible characters that are copied with an address; a lead's fields are without them. */
const UNSEEN = '[[:space:]\\u00a0\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff]';

/**
 * Visits, with a lead or without, in which this address or number was answered, or stands in a form that was
 * posted and not taken.
 */
async function visitsOf(client: Queryable, { keys, value }: Person): Promise<string[]> {
  if (value === undefined) return [];
  const answered =
    keys[0]?.kind === 'email'
      ? `answers ? 'email' and lower(regexp_replace(answers->>'email', '${UNSEEN}', '', 'g')) = $1`
      : `answers ?| '{phone,phoneNumber}' and $1 in (${['phone', 'phoneNumber'].map(
          (name) =>
            `regexp_replace(regexp_replace(answers->>'${name}', '\\D', '', 'g'), '^1+', '')`,
        )})`;
  const { rows } = await client.query<{ lead_id: string }>(
    `select lead_id from progress
     where ${answered}
     union
     select lead_id from visits, jsonb_path_query(form, '$.state.*.*') as answers
     where form is not null and ${answered}`,
    [value],
  );
  return rows.map(({ lead_id }) => lead_id);
}
