/** Packs the revisions and consents of leads. A later revision of a packed lead stays as it is. */
import type { Queryable } from '../database.ts';
import { packAll } from '../packed-json.ts';
import { consentColumns, revisionColumns, revisionDocument } from '../packed-rows.ts';
import type { LeadRevisionRow } from '../schema.ts';

const REVISIONS = `
select lead_id, revision, ${revisionColumns.join(', ')} from lead_revisions
where lead_id = any($1::uuid[]) and packed is null and (body::text <> '{}' or fields::text <> '{}')`;

const ownHash = `encode(sha256(convert_to(text, 'UTF8')), 'hex')`;
const CONSENTS = `
select lead_id, revision, json_build_array(${consentColumns.join(', ').replace('text_sha256', `nullif(text_sha256, ${ownHash})`)})::text
  as document
from consents where lead_id = any($1::uuid[]) and packed is null and text <> ''`;

const given = `unnest($1::uuid[], $2::integer[], $3::bytea[]`;

/** Of the fields, SQL still finds what the lease and the verification ask for. */
const PACK_REVISIONS = `
update lead_revisions r set packed = given.packed, body = '{}', merged = null, answers = '{}', given = null,
  decisions = '[]', overrides = '[]', differences = '[]', flow_version = '',
  fields = json_strip_nulls(json_build_object(
    'tcpa', case when r.fields->>'tcpa' <> '' then 'yes' end, '1_to_1_consent', r.fields->'1_to_1_consent',
    'selected_buyers_number', r.fields->'selected_buyers_number'))
from ${given}) as given(lead_id, revision, packed)
where r.lead_id = given.lead_id and r.revision = given.revision`;

const PACK_CONSENTS = `
update consents c set packed = given.packed, text = '', text_sha256 = '', page = '', ip = null, user_agent = null,
  buyers = '[]', certificate = null, sent_text = null
from ${given}) as given(lead_id, revision, packed)
where c.lead_id = given.lead_id and c.revision = given.revision`;

/**
 * Empties what the newest revision has, too: `readUserAgent` reads the browser there. Earlier versions kept its keys
 * twice.
 */
const EMPTY_LEADS = `
update leads l set email_key = null, phone_key = null,
  user_agent = case when r.fields->>'user_agent' is distinct from l.user_agent then l.user_agent end
from lead_revisions r
where l.id = any($1::uuid[]) and r.lead_id = l.id and r.revision = l.revision and r.packed is null`;

type Document = { lead_id: string; revision: number; document: string };

/** Packs the revisions and consents of locked leads. */
export async function packLeads(client: Queryable, leadIds: readonly string[]): Promise<void> {
  const { rows } = await client.query<LeadRevisionRow>(REVISIONS, [leadIds]);
  await client.query(EMPTY_LEADS, [leadIds]);
  const revisions = rows.map((row) => ({ ...row, document: revisionDocument(row) }));
  await client.query(PACK_REVISIONS, await packed(revisions));
  const consents = await client.query<Document>(CONSENTS, [leadIds]);
  await client.query(PACK_CONSENTS, await packed(consents.rows));
}

/** Returns ids, revisions and packed documents. */
async function packed(rows: readonly Document[]): Promise<[string[], number[], Buffer[]]> {
  return [
    rows.map((row) => row.lead_id),
    rows.map((row) => row.revision),
    await packAll(rows.map((row) => row.document)),
  ];
}
