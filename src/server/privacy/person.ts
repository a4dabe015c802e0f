/** Finds a person by an e-mail address, a phone number or a lead id that an operator typed. */
import type pg from 'pg';
import { normaliseField } from '../../model/fields/asked-fields.ts';
import { isPhoneNumber, phoneDigits } from '../../model/fields/phone-format.ts';
import type { PersonKey, PersonKeyKind } from '../../model/lead/person-key.ts';
import { findLead } from '../leads/index.ts';
import { LEADS_OF_KEYS } from '../platform/database/contact-keys.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { LeadRow } from '../platform/database/schema.ts';
import { OperatorError } from '../platform/operator-error.ts';
import type { Settings } from '../settings/settings.ts';

/** A database, with the function that makes keyed hashes of e-mail addresses and phone numbers. */
export type People = {
  readonly pool: pg.Pool;
  readonly personKey: PersonKey;
  /** The settings that decide who is told of a revocation, and when its deadline is. */
  readonly settings: Pick<Settings, 'destinations' | 'operatorsTimeZone'>;
};

export type StoredPersonKey = { readonly kind: PersonKeyKind; readonly key: string };
export type Person = {
  readonly keys: readonly StoredPersonKey[];
  /** The lead that the operator named by its id; undefined if the operator typed something else. */
  readonly lead?: LeadRow;
};

const LOOKS_LIKE_PHONE = /^(?:\+\s*1)?[\d\s().-]+$/;

/** Parses an e-mail address or a phone number. @throws OperatorError */
export function contactOf(text: string): { kind: PersonKeyKind; value: string } | undefined {
  const given = text.trim();
  if (given.includes('@')) {
    const value = normaliseField('email', given).toLowerCase();
    if (!/^[^\s@]+@[^\s@]+$/.test(value))
      throw new OperatorError('usage', 'That is not an e-mail address.');
    return { kind: 'email', value };
  }
  const value = phoneDigits(given);
  return LOOKS_LIKE_PHONE.test(given) && isPhoneNumber(value)
    ? { kind: 'phone', value }
    : undefined;
}

/** Finds the person that an operator searched for. @throws OperatorError */
export async function findPerson(
  client: Queryable,
  keyOf: PersonKey,
  text: string,
): Promise<Person> {
  const contact = contactOf(text);
  if (contact) return { keys: [{ kind: contact.kind, key: keyOf(contact.kind, contact.value) }] };
  const lead = await findLead(client, text.trim());
  return { keys: await keysOfLeads(client, [lead.id]), lead };
}

/** SQL: selects the person keys in all revisions of some leads. */
export const keysOfRevisions = (ofLeads: string) => `
select 'email' as kind, email_key as key from lead_revisions where lead_id ${ofLeads} and email_key is not null
union select 'phone', phone_key from lead_revisions where lead_id ${ofLeads} and phone_key is not null`;

/** Returns the person keys in all revisions of the leads. */
export async function keysOfLeads(client: Queryable, leadIds: readonly string[]) {
  const statement = keysOfRevisions('= any($1::uuid[])');
  return (await client.query<StoredPersonKey>(statement, [leadIds])).rows;
}

/** Groups person keys by their kind, because each kind has its own index in the database. */
export const keysOfKinds = (keys: readonly StoredPersonKey[]) =>
  ['email', 'phone'].map((kind) => keys.flatMap((one) => (one.kind === kind ? [one.key] : [])));

const idsOfKeys =
  (statement: string) =>
  async (client: Queryable, keys: readonly StoredPersonKey[]): Promise<string[]> => {
    const { rows } = await client.query<{ id: string }>(statement, keysOfKinds(keys));
    return rows.map(({ id }) => id);
  };

/** Returns the ids of all leads that have one of the person keys in any revision. */
export const leadsOf = idsOfKeys(LEADS_OF_KEYS);

const KEYS = '($1::text[] || $2::text[])';

/** Returns the ids of all visits that contain one of the person keys. */
export const tracesOf = idsOfKeys(`${LEADS_OF_KEYS}
union select lead_id from progress where contact_keys && ${KEYS}
union select lead_id from visits where form_keys && ${KEYS}`);
