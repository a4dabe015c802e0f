/** The person keys of what a visit answered as e-mail address or phone number. They find the visit. */
import type pg from 'pg';
import { normaliseField } from '../../domain/asked-fields.ts';
import type { PersonKey } from '../../intake/person-key.ts';
import { inTransaction, type Queryable } from './database.ts';

const CONTACTS = [
  ['email', 'email'],
  ['phone', 'phone'],
  ['phoneNumber', 'phone'],
] as const;

/** SQL: whether `answers` has an address or a number. */
export const HAS_CONTACT = `answers ?| '{${CONTACTS.map(([name]) => name)}}'`;

/** SQL: whether a step was saved by a process of an earlier version, without keys. The index's own words. */
export const UNKEYED = `contact_keys is null and ${HAS_CONTACT}`;

/** Returns SQL for the hash of a key that indexes have in its place. Two keys of ten million hardly share one. */
export const contactHash = (key: string) => `('x' || substr(md5(${key}), 1, 16))::bit(64)::bigint`;

/** Returns SQL for whether two keys are the same. An index of the first one's hash answers it. */
export const sameKey = (key: string, other: string) =>
  `(${contactHash(key)} = ${contactHash(other)} and ${key} = ${other})`;

const PORTION = 500;
const NIL = '00000000-0000-0000-0000-000000000000';

// Waits for another process that keys the same steps: an erasure looks for all of them next.
const UNKEYED_PORTION = `
select lead_id, seq, answers from progress where ${UNKEYED} and (lead_id, seq) > ($1, $2)
order by lead_id, seq limit ${PORTION} for update`;

const KEY = `
update progress set contact_keys = keyed.keys
from jsonb_to_recordset($1::jsonb) as keyed(lead_id uuid, seq integer, keys text[])
where progress.lead_id = keyed.lead_id and progress.seq = keyed.seq`;

/** Returns the person keys of answers; null if no address or number is among them. */
export function contactKeys(
  personKey: PersonKey,
  answers: Readonly<Record<string, unknown>>,
): string[] | null {
  const given = CONTACTS.filter(([name]) => name in answers);
  if (given.length === 0) return null;
  const keys = given.flatMap(([name, kind]) => {
    const value = answers[name];
    const normal = typeof value === 'string' ? normaliseField(name, value) : '';
    return normal === '' ? [] : [personKey(kind, normal)];
  });
  return [...new Set(keys)];
}

type Place = readonly [leadId: string, seq: number];

/**
 * Keys the steps that a process of an earlier version saved. An interrupted run continues at the next call, because
 * the index of unkeyed steps has only those that are left.
 */
export async function keyAnswers(
  pool: pg.Pool,
  personKey: PersonKey,
  signal?: AbortSignal,
): Promise<void> {
  for (let after: Place | undefined = [NIL, 0]; after && !signal?.aborted; ) {
    const from: Place = after;
    after = await inTransaction(pool, (client) => keyPortion(client, personKey, from));
  }
}

async function keyPortion(
  client: Queryable,
  personKey: PersonKey,
  after: Place,
): Promise<Place | undefined> {
  type Row = { lead_id: string; seq: number; answers: Readonly<Record<string, unknown>> };
  const { rows } = await client.query<Row>(UNKEYED_PORTION, [...after]);
  const keyed = rows.map(({ lead_id, seq, answers }) => ({
    ...{ lead_id, seq },
    keys: contactKeys(personKey, answers),
  }));
  if (keyed.length > 0) await client.query(KEY, [JSON.stringify(keyed)]);
  const last = rows.at(-1);
  return last && [last.lead_id, last.seq];
}
