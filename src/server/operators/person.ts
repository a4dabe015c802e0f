/** Finds a person by what an operator types: an e-mail address, a phone number or a lead id. */
import type pg from 'pg';
import { normaliseField } from '../../domain/asked-fields.ts';
import { phoneDigits } from '../../domain/phone-format.ts';
import type { PersonKey, PersonKeyKind } from '../../intake/person-key.ts';
import type { Queryable } from '../storage/database.ts';
import type { LeadRow } from '../storage/schema.ts';
import { OperatorError } from './operator-error.ts';
import { findLead } from './selection.ts';

/** A database, and the function that derives its person keys. */
export type People = { readonly pool: pg.Pool; readonly personKey: PersonKey };

export type StoredPersonKey = { readonly kind: PersonKeyKind; readonly key: string };
export type Person = {
  readonly keys: readonly StoredPersonKey[];
  /** The lead that was named. */
  readonly lead?: LeadRow;
  /** The address or number that was named, normalised. */
  readonly value?: string;
};

const LOOKS_LIKE_PHONE = /^\+?[\d\s().-]+$/;

/**
 * Finds the person that a text names. Ten digits are a phone number: no lead id begins with that many.
 * @throws OperatorError `usage`, or `not_found` for an unknown lead id.
 */
export async function findPerson(
  client: Queryable,
  keyOf: PersonKey,
  text: string,
): Promise<Person> {
  const given = text.trim();
  const named = (kind: PersonKeyKind, value: string): Person => ({
    keys: [{ kind, key: keyOf(kind, value) }],
    value,
  });
  if (given.includes('@')) {
    const address = normaliseField('email', given).toLowerCase();
    if (!/^[^\s@]+@[^\s@]+$/.test(address))
      throw new OperatorError('usage', 'That is not an e-mail address.');
    return named('email', address);
  }
  const digits = phoneDigits(given);
  if (LOOKS_LIKE_PHONE.test(given) && /^[2-9]\d{9}$/.test(digits)) return named('phone', digits);
  const lead = await findLead(client, given);
  const { rows } = await client.query<StoredPersonKey>(
    `select 'email' as kind, email_key as key from lead_revisions where lead_id = $1 and email_key is not null
     union select 'phone', phone_key from lead_revisions where lead_id = $1 and phone_key is not null`,
    [lead.id],
  );
  return { keys: rows, lead };
}

/** Returns the ids of all leads with one of the keys in any revision. */
export async function leadsOf(
  client: Queryable,
  keys: readonly Pick<StoredPersonKey, 'key'>[],
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select lead_id as id from lead_revisions where email_key = any($1::text[])
     union select lead_id from lead_revisions where phone_key = any($1::text[])`,
    [keys.map(({ key }) => key)],
  );
  return rows.map(({ id }) => id);
}
