/**
 * Converts between a lead's revision and its stored form, in which each value is stored once. The
 * stored body omits values of other columns: the id (`lead_id`), the consent text (`consents`) and
 * the browser (`leads`). An outgoing field is null if it equals the posted field. A body with its
 * own `lead_id` is stored whole.
 */
import type { AcceptedLead } from '../../../model/lead/lead-record.ts';

type Body = Readonly<Record<string, unknown>>;

/** The columns of a revision that `wholeRevision` needs. */
export type StoredParts = {
  readonly body: Body;
  readonly merged: Body | null;
  readonly fields: Readonly<Record<string, string | null>>;
  /** The values that the SQL `postedText` returns. */
  readonly posted: PostedText;
};

/** The values that the stored body omits, because other columns have them. Null: the other column is empty. */
type PostedText = {
  readonly lead_id: string;
  readonly tcpa: string | null;
  readonly user_agent: string | null;
};

/** A stored row of a revision, with the columns that `wholeRevision` needs. */
export type Stored<Row> = Omit<Row, keyof StoredParts> & StoredParts;

/** A revision's row with all its values. */
type Whole<Row> = Omit<Row, 'body' | 'fields' | 'posted'> & {
  readonly body: Body;
  readonly fields: Record<string, string>;
};

/** SQL: the columns that `wholeRevision` needs. @param r name of the row */
export const storedColumns = (r: string) =>
  `${r}.fields, ${r}.merged, ${r}.body, ${postedText(r)} as posted`;

/** SQL: the values that the stored body omits. @param r name of the row */
export const postedText = (r: string) =>
  `json_build_object('lead_id', ${r}.lead_id, 'tcpa', ${consentText(r)},
    'user_agent', (select user_agent from leads where id = ${r}.lead_id))`;

const consentText = (r: string) => `(
  select coalesce(c.text, t.text) from consents c left join consent_texts t on t.sha256 = c.text_sha256
  where c.lead_id = ${r}.lead_id and c.revision = ${r}.revision)`;

/** SQL: an outgoing field of a revision; null if the field is not sent. @param r name of the row */
export const outgoing = (
  r: string,
  name: string,
) => `case when ${r}.fields->'${name}' is not null then
  coalesce(${r}.fields->>'${name}', coalesce(${r}.merged, ${r}.body)->>'${name}'${
    name === 'tcpa' ? `, ${consentText(r)}` : ''
  }) end`;

/** Returns the columns in which a revision is stored. */
export function storedParts(
  lead: Pick<AcceptedLead, 'id' | 'body' | 'merged' | 'fields' | 'consent' | 'userAgent'>,
): Omit<StoredParts, 'posted'> {
  const { id, merged, consent, userAgent } = lead;
  const { lead_id, tcpa, user_agent, ...rest } = lead.body;
  const parts = {
    ...rest,
    ...(tcpa !== undefined && consent === null && { tcpa }),
    // Stores null if the post had no user agent, and nothing if it had the lead's user agent.
    ...(user_agent !== userAgent && { user_agent: user_agent ?? null }),
  };
  const isEmpty = Object.keys(parts).length === 0;
  const isOdd = lead_id !== id || tcpa === null || user_agent === null || isEmpty;
  const body = isOdd ? lead.body : parts;
  const posted = merged ?? lead.body;
  const fields = Object.entries(lead.fields).map(([name, value]) => [
    name,
    Object.hasOwn(posted, name) && posted[name] === value ? null : value,
  ]);
  return { body, merged, fields: Object.fromEntries(fields) };
}

/**
 * Returns the posted body with all its values. The body of an erased lead stays empty. The body of
 * a tampered row may be null.
 */
export function wholeBody({ body, posted }: Pick<StoredParts, 'body' | 'posted'>): Body {
  if (body === null || Object.keys(body).length === 0 || Object.hasOwn(body, 'lead_id')) {
    return body;
  }
  const values = Object.entries({ ...posted, ...body }).filter(
    ([name, value]) => value !== null || !Object.hasOwn(posted, name),
  );
  return Object.fromEntries(values);
}

/** Returns a revision with all its values. Its fields are in the order in which they are sent. */
export function wholeRevision<Row extends StoredParts>(row: Row): Whole<Row> {
  const { posted: _, ...rest } = row;
  const body = wholeBody(row);
  const from = row.merged ?? body;
  const fields = Object.entries(row.fields).map(([name, value]) => [name, value ?? from[name]]);
  return { ...rest, body, fields: Object.fromEntries(fields) } as Whole<Row>;
}
