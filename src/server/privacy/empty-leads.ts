/** Removes the personal data of leads and visits. */

import { PERSON_KEY_PREFIX, type PersonKey } from '../../model/lead/person-key.ts';
import { listedReasons } from '../../model/messages/vocabulary.ts';
import { isRevocation } from '../delivery/index.ts';
import { addEvent } from '../leads/index.ts';
import { PERSON } from '../platform/database/contact-keys.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { LeadEventRow } from '../platform/database/schema.ts';
import { forgetReasonsOfLeads } from './forget-reasons.ts';

const PROOF = `
select l.id as lead_id, jsonb_build_object(
  'revisions', coalesce((select jsonb_agg(jsonb_build_object('revision', r.revision)
      order by r.revision)
    from lead_revisions r where r.lead_id = l.id), '[]'),
  'deliveries', coalesce((select jsonb_agg(jsonb_build_object(
      'destination', d.destination, 'state', d.state, 'external_id', d.external_id)
      order by d.destination)
    from deliveries d where d.lead_id = l.id), '[]')) as detail
from leads l where l.id = any($1::uuid[])`;

/** SQL: clears a language that is not a two-letter code, because it could be any posted text. */
const VALID_LANGUAGE = `language = case when language ~ '^[a-z]{2}$' then language else '' end`;

/** SQL: removes all values of a consent except the time and the version of the text. */
export const EMPTY_CONSENT = `text = '', ip = null, user_agent = null, certificate = null,
  sent_text = null, person = null, buyers = '[]', page = '', ${VALID_LANGUAGE},
  version = case when version ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}( [a-z]+)?$' then version else '' end`;

/** SQL: copies the person's contact details, IP address and user agent into each consent. */
const COPY_PERSONS = `
update consents c set person = jsonb_build_object('first_name', f->>'first_name', 'last_name', f->>'last_name',
  'email', f->>'email', 'phone', f->>'phone'),
  ip = coalesce(c.ip, l.ip), user_agent = coalesce(c.user_agent, l.user_agent)
from lead_revisions r join leads l on l.id = r.lead_id cross join outgoing_fields(r) as f
where c.lead_id = any($1::uuid[]) and r.lead_id = c.lead_id and r.revision = c.revision`;

const LISTED = listedReasons.map((each) => `'${each}'`);

const EMPTY = [
  `delete from address_persons where person in (
     select ${PERSON} from lead_revisions where lead_id = any($1::uuid[]))`,
  `update lead_revisions set body_sha256 = '', body = '{}', merged = null, fields = '{}', given = null,
     decisions = '[]', overrides = '[]', differences = '[]', problems = '[]',
     change = json_build_object('answer', change->'answer', 'fields', '[]'::json)
   where lead_id = any($1::uuid[])`,
  // Deletes the salt, because it could link the hashes in the evidence log to the person.
  `update leads set ip = null, user_agent = null, click_id = null, variants = '', state = 'erased', erased_at = now(),
     updated_at = now(), evidence_salt = null, survey = case when flow = '' then '' else survey end, ${VALID_LANGUAGE}
   where id = any($1::uuid[])`,
  `update deliveries set may_have_arrived = may_have_arrived or state = 'sending',
     state = 'suppressed', end_reason = 'erased', due_at = null, lease_owner = null, finished_at = now(),
     is_unrouted = false
   where lead_id = any($1::uuid[])
     and state in ('waiting', 'sending', 'retrying', 'held', 'no_destination') and not ${isRevocation('deliveries')}`,
  // Removes the reason of a suppression also from the other leads that the suppression stopped.
  `update lead_events other set detail = other.detail - 'reason' from lead_events mine
   where mine.lead_id = any($1::uuid[]) and mine.kind = 'suppressed' and other.kind = 'suppressed'
     and other.at = mine.at and other.detail->>'reason' = mine.detail->>'reason'
     and mine.detail->>'reason' not in (${LISTED})`,
  // Removes reasons that an operator wrote, because they may contain the person's name.
  `update lead_events set detail = detail - 'reason'
   where lead_id = any($1::uuid[]) and detail->>'reason' not in (${LISTED})`,
  'update deliveries set last_message = null where lead_id = any($1::uuid[])',
  `update delivery_attempts a set response = null, error = null, sent_sha256 = null
   from deliveries d where d.id = a.delivery_id and d.lead_id = any($1::uuid[])`,
];

type EmptyingOptions = {
  /** Why the leads are emptied: a request of the person, or the end of the retention period. */
  kind: 'erased' | 'expired';
  actor: string;
  reason?: string | undefined;
  /** Makes the keyed hash by which the server recognizes a repeated post of an emptied lead. */
  personKey?: PersonKey;
};

/** Removes the personal data of leads and their visits. The caller must have locked the leads. */
export async function emptyLeads(
  client: Queryable,
  leadIds: readonly string[],
  { kind, actor, reason, personKey }: EmptyingOptions,
): Promise<void> {
  const { rows } = await client.query<Pick<LeadEventRow, 'lead_id' | 'detail'>>(PROOF, [leadIds]);
  const posts = personKey ? await postKeysOf(client, leadIds, personKey) : [];
  const statements =
    kind === 'expired'
      ? [COPY_PERSONS, ...EMPTY]
      : [
          `update consents set ${EMPTY_CONSENT} where lead_id = any($1::uuid[])`,
          ...EMPTY,
          // Removes the person keys last, because the other statements find rows by these keys.
          'update lead_revisions set email_key = null, phone_key = null where lead_id = any($1::uuid[])',
        ];
  for (const statement of statements) await client.query(statement, [leadIds]);
  if (posts.length > 0) await client.query(STORE_POST_KEYS, [JSON.stringify(posts)]);
  await forgetReasonsOfLeads(client, leadIds);
  await emptyVisits(client, leadIds);
  const events = rows.map(({ lead_id, detail }) => ({ lead_id, detail: { ...detail, reason } }));
  await addEvent(client, ...events.map((event) => ({ ...event, kind, actor })));
}

const STORE_POST_KEYS = `
update lead_revisions r set body_sha256 = post.key
from jsonb_to_recordset($1::jsonb) as post(lead_id uuid, revision integer, key text)
where r.lead_id = post.lead_id and r.revision = post.revision`;

async function postKeysOf(client: Queryable, leadIds: readonly string[], personKey: PersonKey) {
  const { rows } = await client.query<{ lead_id: string; revision: number; sha256: string }>(
    `select lead_id, revision, body_sha256 as sha256 from lead_revisions
     where lead_id = any($1::uuid[]) and body_sha256 <> ''`,
    [leadIds],
  );
  return rows.map(({ lead_id, revision, sha256 }) => ({
    lead_id,
    revision,
    key: sha256.startsWith(PERSON_KEY_PREFIX) ? sha256 : personKey('post', sha256),
  }));
}

/** Removes the personal data of visits. Keeps their rows, so that no new visit gets the same id. */
export async function emptyVisits(client: Queryable, leadIds: readonly string[]): Promise<void> {
  for (const statement of [
    `update visits set survey = '', account = null, offers = '{}', form = null, form_keys = null,
       mirrored_at = null, erased_at = now()
     where lead_id = any($1::uuid[])`,
    'delete from visit_summaries where lead_id = any($1::uuid[])',
    'delete from clicks where lead_id = any($1::uuid[])',
    'delete from progress where lead_id = any($1::uuid[])',
    // Deletes the cached answers of third parties about the leads' values.
    `delete from check_answers a using lead_checks c where c.lead_id = any($1::uuid[])
       and a.service = c.service and a.asked_sha256 = c.asked_sha256`,
    'delete from lead_checks where lead_id = any($1::uuid[])',
    `delete from phone_code_limits where key in (
       select kind || subject from (values ('sends '), ('tries ')) as kinds (kind), (
         select number_key from phone_codes where lead_id = any($1::uuid[])
         union select lead_id::text from unnest($1::uuid[]) as visits (lead_id)) as subjects (subject))`,
    'delete from phone_codes where lead_id = any($1::uuid[])',
  ]) {
    await client.query(statement, [leadIds]);
  }
}
