/** The person keys of what a visit answered or posted as e-mail address or phone number. They find the visit. */
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
const HAS_CONTACT = `answers ?| '{${CONTACTS.map(([name]) => name)}}'`;

/** SQL: whether a step was saved by a process of an earlier version, without keys. The index's own words. */
export const UNKEYED = `contact_keys is null and ${HAS_CONTACT}`;

/** Returns SQL for the hash of a key that indexes have in its place. Two keys of ten million hardly share one. */
const contactHash = (key: string) => `('x' || substr(md5(${key}), 1, 16))::bit(64)::bigint`;

/** Returns SQL for whether two keys are the same. An index of the first one's hash answers it. */
export const sameKey = (key: string, other: string) =>
  `(${contactHash(key)} = ${contactHash(other)} and ${key} = ${other})`;

const PORTION = 500;
const NIL = '00000000-0000-0000-0000-000000000000';

// Waits for another process that keys the same steps: an erasure looks for all of them next.
const UNKEYED_STEPS = `
select lead_id, seq, answers from progress where ${UNKEYED} and (lead_id, seq) > ($1, $2)
order by lead_id, seq limit ${PORTION} for update`;

// The keys of a process of this version may be of the form before.
const UNKEYED_FORMS = `
select lead_id, form from visits
where form is not null and form_keys_of is distinct from md5(form::text) and lead_id > $1
order by lead_id limit ${PORTION} for no key update`;

const KEY_FORMS = `
update visits set form_keys = keyed.keys, form_keys_of = md5(form::text)
from jsonb_to_recordset($1::jsonb) as keyed(lead_id uuid, keys text[]) where visits.lead_id = keyed.lead_id`;

const KEY_STEPS = `
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

/** Returns the person keys of a kept form (`FormVisit`); null if no address or number is in it. */
export function formKeys(personKey: PersonKey, form: object): string[] | null {
  const { state, more } = form as Readonly<Record<string, unknown>>;
  const steps = membersOf(state).flatMap(membersOf);
  const keys = [...steps, more].flatMap((answers) =>
    isObject(answers) ? (contactKeys(personKey, answers) ?? []) : [],
  );
  return keys.length === 0 ? null : [...new Set(keys)];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const membersOf = (value: unknown) => (isObject(value) ? Object.values(value) : []);

/** The last form and step of a portion; undefined: there are none after. */
type Place = {
  readonly form: string | undefined;
  readonly step: readonly [leadId: string, seq: number] | undefined;
};

/**
 * Keys the forms and steps that a process of an earlier version saved. An interrupted run continues at the next call,
 * because the indexes of what is unkeyed have only what is left.
 */
export async function keyAnswers(
  pool: pg.Pool,
  personKey: PersonKey,
  signal?: AbortSignal,
): Promise<void> {
  for (let after: Place = { form: NIL, step: [NIL, 0] }; !signal?.aborted; ) {
    const from: Place = after;
    // Locks visits before their steps, as an erasure does.
    after = await inTransaction(pool, async (client) => ({
      form: from.form && (await keyForms(client, personKey, from.form)),
      step: from.step && (await keySteps(client, personKey, from.step)),
    }));
    if (!after.form && !after.step) return;
  }
}

async function keyForms(client: Queryable, personKey: PersonKey, after: string) {
  const { rows } = await client.query<{ lead_id: string; form: object }>(UNKEYED_FORMS, [after]);
  const keyed = rows.map(({ lead_id, form }) => ({ lead_id, keys: formKeys(personKey, form) }));
  if (keyed.length > 0) await client.query(KEY_FORMS, [JSON.stringify(keyed)]);
  return rows.at(-1)?.lead_id;
}

async function keySteps(client: Queryable, personKey: PersonKey, after: Place['step'] & object) {
  type Row = { lead_id: string; seq: number; answers: Readonly<Record<string, unknown>> };
  const { rows } = await client.query<Row>(UNKEYED_STEPS, [...after]);
  const keyed = rows.map(({ lead_id, seq, answers }) => ({
    ...{ lead_id, seq },
    keys: contactKeys(personKey, answers),
  }));
  if (keyed.length > 0) await client.query(KEY_STEPS, [JSON.stringify(keyed)]);
  const last = rows.at(-1);
  return last && ([last.lead_id, last.seq] as const);
}
