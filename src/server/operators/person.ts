/** A person as an operator names one: by an e-mail address, a phone number, or a lead of theirs. */
import { normaliseField } from '../../domain/lead/asked-fields.ts';
import { phoneDigits } from '../../domain/phone-format.ts';
import { type PersonKeyKind, personKey } from '../../intake/person-key.ts';
import type { LeadRow } from '../storage/schema.ts';
import { OperatorError } from './operator-error.ts';
import { findLead, type Queryable } from './selection.ts';

export type PersonKey = { readonly kind: PersonKeyKind; readonly key: string };
export type Person = {
  readonly keys: readonly PersonKey[];
  /** The lead that was named. */
  readonly lead?: LeadRow;
  /** The address or number that was named, normalised. */
  readonly value?: string;
};

const LOOKS_LIKE_PHONE = /^\+?[\d\s().-]+$/;

/**
 * Who is meant. Ten digits are a phone number: no lead id begins with so many.
 * @throws OperatorError: usage, or not found where a lead id is given and there is none.
 */
export async function findPerson(client: Queryable, text: string): Promise<Person> {
  const given = text.trim();
  if (given.includes('@')) {
    const address = normaliseField('email', given).toLowerCase();
    if (!/^[^\s@]+@[^\s@]+$/.test(address))
      throw new OperatorError('usage', 'That is no e-mail address.');
    return named('email', address);
  }
  const digits = phoneDigits(given);
  if (LOOKS_LIKE_PHONE.test(given) && /^[2-9]\d{9}$/.test(digits)) return named('phone', digits);
  const lead = await findLead(client, given);
  const { rows } = await client.query<PersonKey>(
    `select 'email' as kind, email_key as key from lead_revisions where lead_id = $1 and email_key is not null
     union select 'phone', phone_key from lead_revisions where lead_id = $1 and phone_key is not null`,
    [lead.id],
  );
  return { keys: rows, lead };
}

function named(kind: PersonKeyKind, value: string): Person {
  return { keys: [{ kind, key: personKey(kind, value) }], value };
}

/** Every lead that has one of the keys, in any of its revisions. */
export async function leadsOf(client: Queryable, keys: readonly PersonKey[]): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select id from leads where email_key = any($1) or phone_key = any($1)
     union
     select l.id from leads l join lead_revisions r on r.lead_id = l.id
     where l.revision > 1 and (r.email_key = any($1) or r.phone_key = any($1))`,
    [keys.map(({ key }) => key)],
  );
  return rows.map(({ id }) => id);
}

/** Who got a lead, or perhaps did: for the operator to tell them. */
export type Receipt = {
  readonly lead_id: string;
  readonly destination: string;
  /** Not `delivered`: an attempt may have arrived, the other side has not said. */
  readonly state: string;
  readonly at: Date;
  /** The buyer's own id. */
  readonly external_id: string | null;
};

/** Deliveries of some leads that arrived, or may have. What only tells of a delivery has nobody in it. */
export async function receiptsOf(
  client: Queryable,
  leadIds: readonly string[],
): Promise<Receipt[]> {
  const { rows } = await client.query<Receipt>(
    `select lead_id, destination, state, external_id, coalesce(finished_at, created_at) as at
     from deliveries
     where lead_id = any($1::uuid[]) and (state in ('delivered', 'sending') or may_have_arrived)
       and event_key not like 'delivery.%'
     order by at, destination`,
    [leadIds],
  );
  return rows;
}
