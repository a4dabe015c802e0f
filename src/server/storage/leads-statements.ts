/**
 * The SQL that writes leads. `received_at` comes from the process's clock and is only a record; times that are
 * compared come from the database. Rows are one JSON parameter, so that one prepared statement serves any
 * number of leads.
 */
import type { AcceptedLead } from '../../intake/lead-record.ts';
import type { AddressLimit } from '../accept/address-limit.ts';
import { postedText, storedParts } from './revisions.ts';

/** Columns of `leads` that repeat the newest revision. */
const summary = [
  'survey text',
  'flow text',
  'language text',
  'state text',
  'revision integer',
  'is_test boolean',
  'qualified boolean',
  'dq_reason text',
  'lead_is_qualified boolean',
  'do_not_send_to_dq text',
  'click_id text',
  'submitted_at timestamptz',
] as const;

/** Columns of `leads` that the first revision sets for good. */
const origin = [
  'claims_id uuid',
  'ip text',
  'user_agent text',
  'sec_gpc boolean',
  'variants text',
] as const;

/** Columns of `lead_revisions`, without `lead_id`, `revision` and `received_at`. */
const record = [
  'email_key text',
  'phone_key text',
  'body json',
  'body_sha256 text',
  'merged json',
  'change json',
  'fields json',
  'given json',
  'decisions json',
  'overrides json',
  'differences json',
  'problems json',
  'rules_version text',
  'flow_version text',
] as const;

const click = ['landing_page text', 'params jsonb', 'referer text'] as const;
/** What is stored elsewhere: a published text in `consent_texts`, and the sender in `leads`. */
const consentSource = ['text text', 'is_published boolean', 'ip text', 'user_agent text'] as const;
const consent = [
  'text_sha256 text',
  'version text',
  'language text',
  'page text',
  'shown_at timestamptz',
  'given_at timestamptz',
  'certificate text',
  'sent_text text',
  'buyers jsonb',
] as const;

/** Columns that count a new lead against its address's limit. */
const limit = ['address_key text', 'most_persons integer'] as const;

const names = (columns: readonly string[], prefix = '') =>
  columns.map((column) => prefix + column.split(' ', 1)[0]).join(', ');

/** Columns of a lead with its revision. */
const leadColumns = [
  'id uuid',
  'secret_sha256 text',
  'received_at timestamptz',
  ...summary,
  ...origin,
  ...record,
] as const;

/** Columns of the first parameter: one row per lead, with its revision, click and consent. */
const columns = [
  ...leadColumns,
  ...click.map((column) => `click_${column}`),
  ...[...consentSource, ...consent].map((column) => `consent_${column}`),
] as const;

const rowsOf = (all: readonly string[]) =>
  `select * from json_to_recordset($1::json) as row(${all.join(', ')})`;

const revisionInsert = `
  insert into lead_revisions (lead_id, revision, received_at, ${names(record)})
  select id, revision, received_at, ${names(record)} from given`;

const clickInsert = `
  insert into clicks (id, lead_id, survey, ip, user_agent, sec_gpc, ${names(click)})
  select click_id, id, survey, ip, user_agent, sec_gpc, ${names(click, 'click_')}
  from given
  on conflict (lead_id, id) do nothing`;

const consentInsert = `
  insert into consents (lead_id, revision, text, ip, user_agent, ${names(consent)})
  select id, revision, case when not consent_is_published then consent_text end,
    nullif(consent_ip, ip), nullif(consent_user_agent, user_agent), ${names(consent, 'consent_')}
  from given where consent_text is not null`;

const textInsert = `
  insert into consent_texts (sha256, text)
  select distinct consent_text_sha256, consent_text from given where consent_is_published
  on conflict do nothing`;

/** What is to be appended to the log of evidence (docs/evidence.md). */
const logInsert = `
  insert into evidence_pending (ref, number, is_delivery) select id, revision, false from given`;

// An event keeps its revision; a lead's revision is pinned by the lease.
const deliveryInsert = `
  insert into deliveries
    (id, lead_id, destination, state, due_at, event_key, event, revision)
  select d.id, d.lead_id, d.destination,
    case when d.state = 'waiting' and given.state <> 'accepted' then 'held' else d.state end,
    case when d.state = 'waiting' and given.state = 'accepted'
      then now() + coalesce(d.wait_ms, 0) * interval '1 millisecond' end,
    coalesce(d."eventKey", ''), d.event, case when d.event is not null then given.revision end
  from json_to_recordset($2::json)
    as d(id uuid, lead_id uuid, destination text, state text, wait_ms integer, "eventKey" text, event jsonb)
  join given on given.id = d.lead_id`;

/** SQL: one value for phone number and e-mail address together, as in `address_persons`. */
export const PERSON = `substr(encode(sha256(convert_to(
  coalesce(phone_key, '') || ' ' || coalesce(email_key, ''), 'UTF8')), 'hex'), 1, 32)::uuid`;

/**
 * Returns SQL for an address within a clock hour of the database, which all processes share. Half of the hash keeps the
 * addresses of an hour distinct.
 */
export const addressWindow = (addressKey: string) => `substr(encode(sha256(convert_to(
  floor(extract(epoch from now()) / 3600)::bigint || ' ' || ${addressKey}, 'UTF8')), 'hex'), 1, 32)::uuid`;

/**
 * Returns SQL for whether an address or number of any revision of a lead is on the suppression list. Avoids `exists`,
 * which the planner may answer by hashing all revisions.
 */
export const isOnList = (leadId: string) => `coalesce((select true from lead_revisions said
  join suppressions s on s.key in (said.email_key, said.phone_key) where said.lead_id = ${leadId} limit 1), false)`;

const HELD = `'{"problem":"held","reason":"over_address_limit"}'`;

/** Returns the columns of a new lead, held if its address is over the limit. */
const judged = (all: readonly string[]) =>
  all
    .map((column) => names([column]))
    .map((name) => {
      if (name === 'state') return `case when is_over then 'held' else input.state end as state`;
      if (name !== 'problems') return `input.${name}`;
      return `case when is_over then (jsonb_build_array(${HELD}::jsonb) || input.problems::jsonb)::json
        else input.problems end as problems`;
    })
    .join(', ');

/**
 * Counts the persons of new leads by address and hour; a known person is not counted again. Within a batch, the
 * first persons by key fill the remaining room. Only one person over the limit is stored, so that a flood
 * cannot grow the table. Processes that write at the same moment may each let one batch through.
 */
const countPersons = `
found as (
  select id, address_window, most_persons, person,
    (select count(*) from (select 1 from address_persons a
      where a.address_window = one.address_window limit one.most_persons + 1) as present) as persons_before,
    not exists (select 1 from address_persons a
      where a.address_window = one.address_window and a.person = one.person) as is_new
  from (select input.*, ${addressWindow('address_key')} as address_window, ${PERSON} as person from input join own on own.lead_id = input.id
    where address_key is not null) as one
  where not exists (select 1 from leads where leads.id = one.id)
), counted as (
  select *, persons_before + case when is_new
    then dense_rank() over (partition by address_window, is_new order by person) else 0 end as persons
  from found
), new_persons as (
  insert into address_persons (address_window, person, seen_at)
  select distinct address_window, person, now() from counted
  where is_new and persons <= most_persons + 1 order by address_window, person
  on conflict do nothing
), over_limit as (
  select id, true as is_over, is_new and persons = most_persons + 1 as is_first
  from counted where persons > most_persons
)`;

/**
 * Inserts new leads with all their rows. A lead is held if its address is over the limit
 * (docs/specification.md#address-limit). Returns the new ids. Writes nothing for an id that exists,
 * or whose visit has another secret. $1: rows of leads. $2: rows of deliveries.
 */
export const INSERT_LEADS = `
with input as (${rowsOf([...columns, ...limit])}
), own as (
  insert into visits (lead_id, secret_sha256, survey)
  select id, secret_sha256, survey from input order by id
  on conflict (lead_id) do update set seen_at = now()
  where visits.secret_sha256 is not distinct from excluded.secret_sha256 and visits.erased_at is null
  returning lead_id
), ${countPersons}, new_leads as (
  insert into leads (id, evidence_salt, ${names([...summary, ...origin])})
  select input.id, gen_random_uuid(), ${judged([...summary, ...origin])}
  from input join own on own.lead_id = input.id left join over_limit on over_limit.id = input.id
  on conflict (id) do nothing
  returning id as new_id
), given as (
  select ${judged(columns)}
  from input join new_leads on new_id = input.id left join over_limit on over_limit.id = input.id
), new_revisions as (${revisionInsert}
), new_clicks as (${clickInsert}
), new_consents as (${consentInsert}
), new_texts as (${textInsert}
), to_log as (${logInsert}
), new_deliveries as (${deliveryInsert}
)
select new_id as id,
  case when is_first then 'first_over_limit' when is_over then 'over_limit' else 'accepted' end
    as inserted
from new_leads left join over_limit on over_limit.id = new_id`;

/**
 * Adds a revision to a lead that the caller has locked. Deliveries pinned to a revision stay unchanged, so that
 * nothing is sent twice. The others follow the lead's state, and wait no longer than the new revision needs.
 * `ADD_DELIVERIES` follows in the same transaction. $1: one row of leads. $2: rows of deliveries.
 */
export const UPDATE_LEAD = `
with given as (${rowsOf(columns)}
), changed as (
  update leads set updated_at = now(), sec_gpc = leads.sec_gpc or given.sec_gpc,
    ${summary.map((column) => `${names([column])} = given.${names([column])}`).join(', ')}
  from given where leads.id = given.id
), new_revisions as (${revisionInsert}
), new_clicks as (${clickInsert}
), new_consents as (${consentInsert}
), new_texts as (${textInsert}
), to_log as (${logInsert}
)
update deliveries set state = case when given.state = 'accepted' then 'waiting' else 'held' end,
    due_at = case when given.state <> 'accepted' then null else least(
      deliveries.due_at, now() + coalesce((
      select max(d.wait_ms) from json_to_recordset($2::json) as d(destination text, wait_ms integer)
      where d.destination = deliveries.destination), 0) * interval '1 millisecond') end
from given
where deliveries.lead_id = given.id
  and (deliveries.state = 'waiting' and (deliveries.revision is null or deliveries.attempts = 0)
    or deliveries.state = 'held' and given.state = 'accepted')`;

/** Adds a revision's deliveries to new destinations. The parameters are those of `UPDATE_LEAD`. */
export const ADD_DELIVERIES = `
with given as (${rowsOf(columns)}
)
${deliveryInsert}
on conflict (lead_id, destination, event_key) do nothing`;

// The revision `r` with the same body, if any, and its answer.
const SAME = `case when r.change->>'answer' is not null then
  json_build_object('revision', r.revision, 'answer', r.change->'answer') end as same`;

/** Finds a lead's secret, newest revision, and the revision with the same body. $1: lead. $2: body hash. */
export const FIND_LEAD = `
select v.secret_sha256 as "secretSha256", v.erased_at is not null as "isErased",
  coalesce(l.revision, 0) as revision, ${SAME}
from visits v left join leads l on l.id = v.lead_id
left join lead_revisions r on r.lead_id = l.id and r.body_sha256 = $2
where v.lead_id = $1
order by r.revision limit 1`;

/**
 * Serializes posts to one lead. It is separate from `READ_LEAD`: a statement that waits for a lock still reads
 * other tables as of its start. It would miss the revision that it waited for.
 */
export const LOCK_LEAD = 'select id from leads where id = $1 for no key update';

/** Like `FIND_LEAD` for a stored lead, with its newest revision. */
export const READ_LEAD = `
select l.id, l.revision, l.state, l.is_test as "isTest", l.ip, l.user_agent as "userAgent",
  l.erased_at is not null as "isErased", v.secret_sha256 as "secretSha256", v.offers as "buyerLists",
  (select max(c.created_at) from consents c where c.lead_id = l.id) as "consentReceivedAt",
  n.problems, n.given, n.body, n.merged, ${postedText('n')} as posted, ${SAME}
from leads l join visits v on v.lead_id = l.id
join lead_revisions n on n.lead_id = l.id and n.revision = l.revision
left join lead_revisions r on r.lead_id = l.id and r.body_sha256 = $2
where l.id = $1
order by r.revision limit 1`;

/** Serializes disputed posts to one lead, so that they are counted correctly. $1: the disputed lead. */
export const LOCK_VISIT = 'select lead_id from visits where lead_id = $1 for update';

/** $1: the disputed lead. $2: the disputed post. */
export const COUNT_CLAIMS = `
select count(*)::int as claims, coalesce(bool_or(id = $2), false) as is_there
from leads where claims_id = $1`;

type Field<Column> = Column extends `${infer Name} ${string}` ? Camel<Name> : never;
type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

/** Returns a function that reads the columns from the fields of the same names in camel case. */
function reader<const Column extends string>(columns: readonly Column[], prefix = '') {
  const fields = columns.map((column) => {
    const name = names([column]);
    const field = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return [prefix + name, field as Field<Column>] as const;
  });
  return (source: Readonly<Record<Field<Column>, unknown>>): Record<string, unknown> => {
    const row: Record<string, unknown> = {};
    for (const [name, field] of fields) row[name] = source[field];
    return row;
  };
}

const readLead = reader(leadColumns);
const readClick = reader(click, 'click_');
const readConsent = reader([...consentSource, ...consent], 'consent_');

/** Returns a lead's row of the first parameter. */
export function leadRow(lead: AcceptedLead): Record<string, unknown> {
  return {
    ...readLead({ ...lead, ...storedParts(lead), clickId: lead.click.id }),
    ...readClick(lead.click),
    ...(lead.consent && readConsent(lead.consent)),
  };
}

/** Returns a new lead's row of the first parameter. */
export function newLeadRow(
  lead: AcceptedLead,
  limit: AddressLimit | null,
): Record<string, unknown> {
  const row = leadRow(lead);
  return limit ? { ...row, address_key: limit.addressKey, most_persons: limit.mostPersons } : row;
}

/** Returns a lead's rows of the second parameter. */
export function deliveryRows(lead: AcceptedLead): Record<string, unknown>[] {
  return lead.deliveries.map(({ waitMs, ...delivery }) => ({
    ...delivery,
    lead_id: lead.id,
    ...(waitMs === undefined ? {} : { wait_ms: waitMs }),
  }));
}
