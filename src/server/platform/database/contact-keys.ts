/** Searches leads and visits by person keys: HMACs of e-mail addresses and phone numbers. */
import { normaliseField } from '../../../model/fields/asked-fields.ts';
import type { PersonKey } from '../../../model/lead/person-key.ts';

const CONTACTS = ['email', 'phone', 'phoneNumber'] as const;

/** Returns SQL for the 64-bit hash of a key. The indexes contain this hash. */
const contactHash = (key: string) => `('x' || substr(md5(${key}), 1, 16))::bit(64)::bigint`;

/** Returns an SQL comparison of two keys that can use the index on the first key's hash. */
export const sameKey = (key: string, other: string) =>
  `(${contactHash(key)} = ${contactHash(other)} and ${key} = ${other})`;

/** SQL: the ids of all leads with the e-mail key $1 or the phone key $2 in any revision. */
export const LEADS_OF_KEYS = `
select lead_id as id from lead_revisions join unnest($1::text[]) as key on ${sameKey('email_key', 'key')}
union select lead_id from lead_revisions join unnest($2::text[]) as key on ${sameKey('phone_key', 'key')}`;

/** SQL: the hash of a phone number and an e-mail address, as stored in `address_persons`. */
export const PERSON = `substr(encode(sha256(convert_to(
  coalesce(phone_key, '') || ' ' || coalesce(email_key, ''), 'UTF8')), 'hex'), 1, 32)::uuid`;

/** Returns an SQL condition: true if the person of the lead is on the suppression list. */
export const isOnList = (leadId: string) => `coalesce((select true from lead_revisions said
  join suppressions s on s.key in (said.email_key, said.phone_key) where said.lead_id = ${leadId} limit 1), false)`;

/** Returns the person keys of posted answers; null without e-mail address and phone number. */
export function contactKeys(personKey: PersonKey, answers: Readonly<Record<string, unknown>>) {
  const given = CONTACTS.filter((name) => name in answers);
  if (given.length === 0) return null;
  const keys = given.flatMap((name) => {
    const value = answers[name];
    const normal = typeof value === 'string' ? normaliseField(name, value) : '';
    return normal === '' ? [] : [personKey(name === 'email' ? 'email' : 'phone', normal)];
  });
  return [...new Set(keys)];
}

/** Returns the person keys of a stored form; null without e-mail address and phone number. */
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
