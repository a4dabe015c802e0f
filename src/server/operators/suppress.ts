/** The list of persons of whom nothing is sent: by hashes of their e-mail address and phone number. */
import { addEvent, suppressDeliveries } from '../delivery/changes.ts';
import { inTransaction } from '../storage/database.ts';
import { OperatorError } from './operator-error.ts';
import { findPerson, leadsOf, type People, type PersonKey } from './person.ts';
import { type Receipt, receiptsOf } from './receipts.ts';
import type { Queryable } from './selection.ts';

export type Suppressed = {
  /** New on the list. */
  readonly keys: number;
  /** Leads of the person. */
  readonly leads: number;
  /** Deliveries that were stopped. */
  readonly stopped: number;
  /** What a buyer got before, is getting now, or may have got. */
  readonly receipts: readonly Receipt[];
};

/**
 * Puts a person on the list and stops what has not gone yet; again is no harm.
 * @param text an e-mail address, a phone number, or the id of a lead: then all that its revisions say.
 */
export function suppress(people: People, text: string, actor: string): Promise<Suppressed> {
  return inTransaction(people.pool, async (client) => {
    const keys = await keysOf(client, people, text);
    const done = await suppressKeys(client, keys, actor);
    // An operator's word stays when the requests of a flood are undone.
    await client.query(
      `update suppressions set actor = $2, request_id = null
       where key = any($1::text[]) and request_id is not null`,
      [keys.map(({ key }) => key), actor],
    );
    return done;
  });
}

/**
 * Does `suppress` for a person whose keys are known, in the caller's transaction.
 * @param requestId the do-not-sell request that asks for it
 */
export async function suppressKeys(
  client: Queryable,
  keys: readonly PersonKey[],
  actor: string,
  requestId: string | null = null,
): Promise<Suppressed> {
  const added = await client.query(
    `insert into suppressions (key, kind, actor, request_id)
     select key, kind, $2, $3 from jsonb_to_recordset($1::jsonb) as k(key text, kind text)
     on conflict (key) do nothing`,
    [JSON.stringify(keys), actor, requestId],
  );
  const leads = await leadsOf(client, keys);
  const stopped = await suppressDeliveries(client, leads);
  // After it: one that a worker took before it could be stopped is being sent.
  const receipts = await receiptsOf(client, leads);
  const isNew = (added.rowCount ?? 0) > 0;
  const touched = isNew ? leads : [...new Set(stopped.map(({ lead_id }) => lead_id))];
  const events = touched.map((lead_id) => {
    const deliveries = stopped.filter((one) => one.lead_id === lead_id);
    const detail = { stopped: deliveries.map(({ destination }) => destination) };
    return { lead_id, kind: 'suppressed', actor, detail } as const;
  });
  await addEvent(client, ...events);
  return {
    keys: added.rowCount ?? 0,
    leads: leads.length,
    stopped: stopped.length,
    receipts,
  };
}

/** Takes a person off the list; deliveries stay as they are. @returns how many keys were on it. */
export function undoSuppress(people: People, text: string, actor: string): Promise<number> {
  return inTransaction(people.pool, async (client) => {
    const keys = await keysOf(client, people, text);
    const { rowCount } = await client.query('delete from suppressions where key = any($1)', [
      keys.map(({ key }) => key),
    ]);
    if (!rowCount) return 0;
    const detail = { undone: true };
    const leads = await leadsOf(client, keys);
    const events = leads.map(
      (lead_id) => ({ lead_id, kind: 'suppressed', actor, detail }) as const,
    );
    await addEvent(client, ...events);
    return rowCount;
  });
}

async function keysOf(
  client: Queryable,
  { personKey }: People,
  text: string,
): Promise<readonly PersonKey[]> {
  const { keys } = await findPerson(client, personKey, text);
  if (keys.length > 0) return keys;
  throw new OperatorError('refused', 'The lead has neither an e-mail address nor a phone number.');
}
