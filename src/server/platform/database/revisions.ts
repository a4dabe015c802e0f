/** Converts a lead's revision to and from its stored columns, in which no value is repeated. */
import type { AcceptedLead } from '../../../model/lead/lead-record.ts';

type Body = Readonly<Record<string, unknown>>;

/** The columns of a revision that `wholeRevision` needs. */
export type StoredParts = {
  readonly body: Body;
  readonly merged: Body | null;
  readonly fields: Readonly<Record<string, string | null>>;
  /** Values that the stored body omits because other columns have them. */
  readonly posted: Readonly<Record<'lead_id' | 'tcpa' | 'user_agent', string | null>>;
};

/** A stored row of a revision, with the columns that `wholeRevision` needs. */
export type Stored<Row> = Omit<Row, keyof StoredParts> & StoredParts;

/** Returns SQL for the columns that `wholeRevision` needs. `r` is the name of the row. */
export const storedColumns = (r: string) =>
  `${r}.fields, ${r}.merged, ${r}.body, ${postedText(r)} as posted`;

/** Returns SQL for the values that the stored body omits. `r` is the name of the row. */
export const postedText = (r: string) =>
  `json_build_object('lead_id', ${r}.lead_id, 'tcpa', ${consentText(r)},
    'user_agent', (select user_agent from leads where id = ${r}.lead_id))`;

const consentText = (r: string) => `(
  select coalesce(c.text, t.text) from consents c left join consent_texts t on t.sha256 = c.text_sha256
  where c.lead_id = ${r}.lead_id and c.revision = ${r}.revision)`;

/** Returns SQL for an outgoing field of the row named `r`; null if the field is not sent. */
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
    // Omits a user agent that equals the lead's. Null means that the post had no user agent.
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

/** Returns the posted body with all values. The body is empty after an erasure. */
export function wholeBody({ body, posted }: Pick<StoredParts, 'body' | 'posted'>): Body {
  if (body === null || Object.keys(body).length === 0 || Object.hasOwn(body, 'lead_id')) {
    return body;
  }
  const values = Object.entries({ ...posted, ...body }).filter(
    ([name, value]) => value !== null || !Object.hasOwn(posted, name),
  );
  return Object.fromEntries(values);
}

/** Returns a revision with all values, and with the fields in the order in which they are sent. */
export function wholeRevision<Row extends StoredParts>(row: Row) {
  const { posted: _, ...rest } = row;
  const body = wholeBody(row);
  const from = row.merged ?? body;
  const entries = Object.entries(row.fields).map(([name, value]) => [name, value ?? from[name]]);
  const fields: Record<string, string> = Object.fromEntries(entries);
  return { ...rest, body, fields };
}
