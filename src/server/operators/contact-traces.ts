/** Finds leads and visits by the keys of what they posted or answered as e-mail address or phone number. */
import type { Queryable } from '../storage/database.ts';
import { keysOfKinds, LEADS_OF_KEYS, type StoredPersonKey } from './person.ts';

const KEYS = '($1::text[] || $2::text[])';
const TRACES = `${LEADS_OF_KEYS}
union select lead_id from progress where contact_keys && ${KEYS}
union select lead_id from visits where form_keys && ${KEYS}`;

/**
 * Returns the ids of all visits, with or without a lead, that posted one of the keys or have it in a saved step or a
 * kept form.
 */
export async function tracesOf(
  client: Queryable,
  keys: readonly StoredPersonKey[],
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(TRACES, [...keysOfKinds(keys)]);
  return rows.map(({ id }) => id);
}
