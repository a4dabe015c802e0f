/** The suppression list: the person keys of persons whose leads must not be sent. */
import type {
  SuppressionEntry,
  SuppressionListAnswer,
  SuppressionLookup,
} from '../../model/messages/console/people-requests.ts';
import { type LeadState, sourceOfReason } from '../../model/messages/vocabulary.ts';
import { resumeSuppressed, suppressDeliveries } from '../delivery/index.ts';
import { addEvent } from '../leads/index.ts';
import { isOnList } from '../platform/database/contact-keys.ts';
import { inTransaction, type Queryable } from '../platform/database/database.ts';
import { refused } from '../platform/operator-error.ts';
import {
  findPerson,
  keysOfRevisions,
  leadsOf,
  type People,
  type StoredPersonKey,
} from './person.ts';
import { receiptsOf } from './receipts.ts';
import { planRevocations, type RevokedBy } from './revocations.ts';

type SuppressedBy = RevokedBy & {
  readonly actor: string;
  readonly reason?: string | undefined;
  readonly requestId?: string;
};

/** Suppresses a person by e-mail address, phone number or lead id, and stops open deliveries. */
export function suppress(people: People, text: string, by: Omit<SuppressedBy, 'settings'>) {
  const { pool, settings } = people;
  return inTransaction(pool, async (client) =>
    suppressPerson(client, await keysOf(client, people, text), { ...by, settings }),
  );
}

/** Suppresses a person in the caller's transaction. Undoing do-not-sell requests keeps that. */
export async function suppressPerson(
  client: Queryable,
  keys: readonly StoredPersonKey[],
  by: SuppressedBy,
) {
  const done = await suppressKeys(client, keys, by);
  await unlinkRequests(client, keys, by.actor);
  return done;
}

/** Locks and returns those of the given person keys that are on the suppression list. */
export async function lockListed(
  client: Queryable,
  keys: readonly StoredPersonKey[],
): Promise<Set<string>> {
  const { rows } = await client.query<{ key: string }>(
    'select key from suppressions where key = any($1::text[]) order by key for update',
    [keys.map(({ key }) => key)],
  );
  return new Set(rows.map(({ key }) => key));
}

/** Unlinks suppressions from do-not-sell requests. Undoing the requests keeps the suppressions. */
export async function unlinkRequests(
  client: Queryable,
  keys: readonly StoredPersonKey[],
  actor: string,
): Promise<void> {
  await client.query(
    `update suppressions set actor = $2, request_id = null
     where key = any($1::text[]) and request_id is not null`,
    [keys.map(({ key }) => key), actor],
  );
}

/** A lead, with the facts that decide whether its person can be suppressed. */
export type Suppressible = {
  readonly id: string;
  readonly state: LeadState;
  readonly keys: readonly StoredPersonKey[];
};

/** Reads whether the persons of the leads can be suppressed. */
export async function readSuppressible(
  client: Queryable,
  leadIds: readonly string[],
): Promise<Suppressible[]> {
  const { rows } = await client.query<Suppressible>(
    `select id, state, coalesce((select jsonb_agg(own) from (${keysOfRevisions('= leads.id')}) as own), '[]') as keys
     from leads where id = any($1::uuid[])`,
    [leadIds],
  );
  return rows;
}

/** Returns the reason why a bulk suppression skips this lead; undefined if it includes the lead. */
export function bulkSuppressRefusal({ state, keys }: Suppressible): string | undefined {
  if (keys.length > 0) return undefined;
  return state === 'erased'
    ? 'The lead was erased.'
    : 'The lead has neither an e-mail address nor a phone number.';
}

/** Suppresses the person with the given person keys, and returns what was stopped. */
export async function suppressKeys(
  client: Queryable,
  keys: readonly StoredPersonKey[],
  by: SuppressedBy,
) {
  const { actor, reason, requestId } = by;
  const { source = requestId ? 'form' : sourceOfReason(reason) } = by;
  let added = 0;
  // Repeats until all keys are locked, because a concurrent transaction may delete a key meanwhile.
  for (let missing = keys; missing.length > 0; ) {
    const { rowCount } = await client.query(
      `insert into suppressions (key, kind, actor, request_id, source)
       select key, kind, $2, $3, $4 from jsonb_to_recordset($1::jsonb) as k(key text, kind text)
       on conflict (key) do nothing`,
      [JSON.stringify(missing), actor, requestId, source],
    );
    added += rowCount ?? 0;
    const listed = await lockListed(client, keys);
    missing = keys.filter(({ key }) => !listed.has(key));
  }
  const leads = await leadsOf(client, keys);
  const stopped = await suppressDeliveries(client, leads);
  // Reads the recipients last, to include deliveries that a worker started in the meantime.
  const receipts = await receiptsOf(client, leads);
  await planRevocations(client, receipts, { ...by, source });
  const touched = added > 0 ? leads : new Set(stopped.map(({ lead_id }) => lead_id));
  const events = [...touched].map((lead_id) => {
    const deliveries = stopped.filter((one) => one.lead_id === lead_id);
    const detail = { stopped: deliveries.map(({ destination }) => destination), source, reason };
    return { lead_id, kind: 'suppressed', actor, detail } as const;
  });
  await addEvent(client, ...events);
  return { keys: added, leads: leads.length, stopped: stopped.length, receipts };
}

/** Removes a person from the suppression list, and resumes the person's deliveries. */
export function undoSuppress(people: People, text: string, actor: string) {
  return inTransaction(people.pool, async (client) => {
    const keys = await keysOf(client, people, text);
    const { rowCount } = await client.query('delete from suppressions where key = any($1)', [
      keys.map(({ key }) => key),
    ]);
    if (!rowCount) return { keys: 0, deliveries: 0 };
    return { keys: rowCount, deliveries: await resumeLeadsOf(client, keys, actor) };
  });
}

/** Resumes the deliveries of persons who are no longer on the suppression list. */
export async function resumeLeadsOf(
  client: Queryable,
  keys: readonly StoredPersonKey[],
  actor: string,
): Promise<number> {
  const leads = await leadsOf(client, keys);
  await client.query(
    `delete from revocations r where lead_id = any($1::uuid[]) and not ${isOnList('r.lead_id')}`,
    [leads],
  );
  const resumed = await resumeSuppressed(client, leads);
  const byLead = Map.groupBy(resumed, ({ lead_id }) => lead_id);
  const events = leads.map((lead_id) => {
    const destinations = byLead.get(lead_id)?.map(({ destination }) => destination) ?? [];
    const detail = { undone: true, resumed: destinations };
    return { lead_id, kind: 'suppressed', actor, detail } as const;
  });
  await addEvent(client, ...events);
  return resumed.length;
}

async function keysOf(
  client: Queryable,
  { personKey }: People,
  text: string,
): Promise<readonly StoredPersonKey[]> {
  const { keys } = await findPerson(client, personKey, text);
  if (keys.length > 0) return keys;
  throw refused('The lead has neither an e-mail address nor a phone number.');
}

const COLUMNS = `left(key, 12) as "keyStart", kind, actor, source, created_at as at`;

/** Looks up a person by e-mail address, phone number or lead id. @throws OperatorError */
export async function lookUpSuppression(
  { pool, personKey }: People,
  text: string,
): Promise<SuppressionLookup<Date>> {
  const { keys } = await findPerson(pool, personKey, text);
  const [{ rows }, leads] = await Promise.all([
    pool.query<SuppressionEntry<Date>>(
      `select ${COLUMNS} from suppressions where key = any($1::text[]) order by created_at, key`,
      [keys.map(({ key }) => key)],
    ),
    leadsOf(pool, keys),
  ]);
  return { entries: rows, unlisted: keys.length - rows.length, leads: leads.length };
}

/** Returns a page of the suppression list, newest first. */
export async function listSuppressions(
  client: Queryable,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<SuppressionListAnswer<Date>> {
  const { rows } = await client.query<SuppressionEntry<Date> & { place: string }>(
    `select ${COLUMNS}, created_at::text || '~' || left(key, 12) as place from suppressions
     where (created_at, key) < (split_part($1, '~', 1)::timestamptz, split_part($1, '~', 2))
     order by created_at desc, key desc limit $2`,
    [after ?? 'infinity~', limit + 1],
  );
  const next = rows.length > limit ? (rows[limit - 1]?.place ?? null) : null;
  return { entries: rows.slice(0, limit).map(({ place: _, ...entry }) => entry), next };
}
