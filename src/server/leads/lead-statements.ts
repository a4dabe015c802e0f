/** The SQL statements that read and write leads. */
import type { AcceptedLead } from '../../model/lead/lead-record.ts';
import { PERSON } from '../platform/database/contact-keys.ts';
import { postedText, storedParts } from '../platform/database/revisions.ts';

/** A limit on the number of persons per hour in the leads from one IP address. */
export type AddressLimit = {
  readonly addressKey: string;
  readonly mostPersons: number;
};

/** SQL: the parameter `$1`, which is a JSON list of leads, as rows. */
const INPUT = `json_to_recordset($1::json) as row(id uuid, secret_sha256 text, received_at timestamptz, survey text,
  flow text, language text, state text, revision integer, is_test boolean, qualified boolean, dq_reason text,
  lead_is_qualified boolean, do_not_send_to_dq text, click_id text, submitted_at timestamptz, claims_id uuid, ip text,
  user_agent text, sec_gpc boolean, variants text, email_key text, phone_key text, body json, body_sha256 text,
  merged json, change json, fields json, given json, decisions json, overrides json, differences json, problems json,
  rules_version text, flow_version text, click_landing_page text, click_params jsonb, click_referer text,
  consent_text text, consent_ip text, consent_user_agent text, consent_text_sha256 text,
  consent_version text, consent_language text, consent_page text, consent_shown_at timestamptz,
  consent_given_at timestamptz, consent_certificate text, consent_sent_text text, consent_buyers jsonb,
  address_key text, most_persons integer)`;

const HELD = `'{"problem":"held","reason":"over_address_limit"}'`;

/** SQL: inserts the revisions and consents of leads. */
const INSERT_REVISION = `
new_revisions as (
  insert into lead_revisions (lead_id, revision, received_at, email_key, phone_key, body, body_sha256, merged, change,
    fields, given, decisions, overrides, differences, problems, rules_version, flow_version)
  select id, revision, received_at, email_key, phone_key, body, body_sha256, merged, change, fields, given.given,
    decisions, overrides, differences, case when is_over
      then (jsonb_build_array(${HELD}::jsonb) || problems::jsonb)::json else problems end, rules_version, flow_version
  from given
), new_clicks as (
  insert into clicks (id, lead_id, survey, ip, user_agent, sec_gpc, landing_page, params, referer)
  select click_id, id, survey, ip, user_agent, sec_gpc, click_landing_page, click_params, click_referer from given
  on conflict (lead_id, id) do nothing
), new_texts as (
  insert into consent_texts (sha256, text)
  select sha256, text from json_to_recordset($3::json) as published(sha256 text, text text)
  order by sha256
  on conflict do nothing
), new_consents as (
  insert into consents (lead_id, revision, text, ip, user_agent, text_sha256, version, language, page, shown_at,
    given_at, certificate, sent_text, buyers)
  select id, revision, consent_text, nullif(consent_ip, ip),
    nullif(consent_user_agent, user_agent), consent_text_sha256, consent_version, consent_language, consent_page,
    consent_shown_at, consent_given_at, consent_certificate, consent_sent_text, consent_buyers
  from given where consent_text_sha256 is not null
), to_log as (
  insert into evidence_pending (ref, number, is_delivery) select id, revision, false from given
)`;

/** Returns an SQL condition: true if a delivery sends a lead to a destination with a buyer's terms. */
export const isToBuyer = (delivery: string) => `(${delivery}.event_key = ''
  and exists (select 1 from buyers where buyers.destination = ${delivery}.destination))`;

/** Returns an SQL condition: true if a return of a delivery was accepted, so that its buyer does not keep the lead. */
export const isReturned = (delivery: string) => `exists (select 1 from outcomes o
  where o.lead_id = ${delivery}.lead_id and o.delivery_id = ${delivery}.id and o.decision = 'accepted')`;

/** Returns SQL that lets a buyer be chosen again, unless the lead may have arrived at this one. */
export const chooseAgain = (delivery: string, hasArrived = `${delivery}.may_have_arrived`) => `
  is_unrouted = not ${hasArrived} and ${isToBuyer(delivery)},
  chosen_at = case when ${hasArrived} then ${delivery}.chosen_at end,
  price = case when ${hasArrived} then ${delivery}.price end`;

/** Returns SQL that starts a choice among the other buyers if a condition holds. Also set `due_at` to now. */
export const givesBack = (condition: string) => `is_unrouted = ${condition},
  chosen_at = case when not ${condition} then d.chosen_at end, price = case when not ${condition} then d.price end`;

/** SQL: inserts the deliveries of leads. An extra destination gets a lead only if it has a buyer's terms. */
const INSERT_DELIVERIES = `
  insert into deliveries
    (id, lead_id, destination, is_unrouted, state, due_at, event_key, event, revision)
  select d.id, d.lead_id, d.destination, has_terms and d.event is null and d.state <> 'no_destination',
    case when d.state = 'waiting' and not is_free then 'held' else d.state end,
    case when d.state = 'waiting' and is_free
      then now() + coalesce(d.wait_ms, 0) * interval '1 millisecond' end,
    coalesce(d."eventKey", ''), d.event, case when d.event is not null then given.revision end
  from json_to_recordset($2::json)
    as d(id uuid, lead_id uuid, destination text, state text, wait_ms integer, "eventKey" text, event jsonb)
  join given on given.id = d.lead_id
  cross join lateral (select given.state = 'accepted' and not given.is_over as is_free,
    exists (select 1 from buyers where buyers.destination = d.destination) as has_terms) as free
  where has_terms or strpos(d.destination, '/') = 0`;

/** SQL: makes one key for each IP address and clock hour. */
const ADDRESS_WINDOW = `substr(encode(sha256(convert_to(
  floor(extract(epoch from now()) / 3600)::bigint || ' ' || address_key, 'UTF8')), 'hex'), 1, 32)::uuid`;

/** SQL: counts the different persons in the leads from each IP address. */
const countPersons = `
found as (
  select id, address_window, most_persons, person,
    (select count(*) from (select 1 from address_persons a
      where a.address_window = one.address_window limit one.most_persons + 1) as present) as persons_before,
    not exists (select 1 from address_persons a
      where a.address_window = one.address_window and a.person = one.person) as is_new
  from (select input.*, ${ADDRESS_WINDOW} as address_window, ${PERSON} as person from input join own on own.lead_id = input.id
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

/** SQL: inserts leads whose ids are new, and returns these ids. */
export const INSERT_LEADS = `
with input as (select * from ${INPUT}
), own as (
  insert into visits (lead_id, secret_sha256, survey)
  select id, secret_sha256, survey from input order by id
  on conflict (lead_id) do update set seen_at = now()
  where visits.secret_sha256 is not distinct from excluded.secret_sha256 and visits.erased_at is null
  returning lead_id
), ${countPersons}, judged as (
  select input.*, over_limit.id is not null as is_over, coalesce(is_first, false) as is_first
  from input join own on own.lead_id = input.id left join over_limit on over_limit.id = input.id
), new_leads as (
  insert into leads (id, evidence_salt, survey, flow, language, state, revision, is_test, qualified, dq_reason,
    lead_is_qualified, do_not_send_to_dq, click_id, submitted_at, claims_id, ip, user_agent, sec_gpc, variants)
  select id, gen_random_uuid(), survey, flow, language, case when is_over then 'held' else state end, revision, is_test,
    qualified, dq_reason, lead_is_qualified, do_not_send_to_dq, click_id, submitted_at, claims_id, ip, user_agent,
    sec_gpc, variants
  from judged
  on conflict (id) do nothing
  returning id as new_id
), given as (
  select judged.* from judged join new_leads on new_id = judged.id
), ${INSERT_REVISION}, new_deliveries as (${INSERT_DELIVERIES}
)
select id, case when is_first then 'first_over_limit' when is_over then 'over_limit' else 'accepted' end as inserted
from given`;

/**
 * SQL: adds a revision to a lead that the transaction has locked. The revision offers a returned lead to no buyer: only
 * a resend does.
 */
export const UPDATE_LEAD = `
with given as (select *, false as is_over from ${INPUT}
), changed as (
  update leads set updated_at = now(), sec_gpc = leads.sec_gpc or given.sec_gpc, survey = given.survey, flow = given.flow,
    language = given.language, state = given.state, revision = given.revision, is_test = given.is_test,
    qualified = given.qualified, dq_reason = given.dq_reason, lead_is_qualified = given.lead_is_qualified,
    do_not_send_to_dq = given.do_not_send_to_dq, click_id = given.click_id, submitted_at = given.submitted_at
  from given where leads.id = given.id
), ${INSERT_REVISION}
update deliveries set state = case when given.state = 'accepted' then 'waiting' else 'held' end,
    due_at = case when given.state <> 'accepted' then null else least(
      deliveries.due_at, now() + coalesce((
      select max(d.wait_ms) from json_to_recordset($2::json) as d(destination text, wait_ms integer)
      where d.destination = deliveries.destination), 0) * interval '1 millisecond') end,
    ${chooseAgain('deliveries')}, end_reason = null, finished_at = null
from given
where deliveries.lead_id = given.id
  and (deliveries.state = 'waiting' and (deliveries.revision is null or deliveries.attempts = 0)
    or given.state = 'accepted' and (deliveries.state = 'held' or deliveries.state = 'passed_over'
      and not exists (select 1 from outcomes o where o.lead_id = given.id and o.decision = 'accepted')))`;

/** SQL: adds the missing deliveries if a later revision has new destinations. */
export const ADD_DELIVERIES = `
with given as (select *, false as is_over from ${INPUT}
)
${INSERT_DELIVERIES}
on conflict (lead_id, destination, event_key) do nothing`;

// SQL: the revision's number and answer, which are returned if the same body is posted again.
const SAME = `case when r.change->>'answer' is not null then
  json_build_object('revision', r.revision, 'answer', r.change->'answer') end as same`;

/** SQL: finds a lead, and the revision of the lead that has a given body. */
export const FIND_LEAD = `
select v.secret_sha256 as "secretSha256", v.erased_at is not null as "isErased",
  coalesce(l.revision, 0) as revision, ${SAME}
from visits v left join leads l on l.id = v.lead_id
left join lead_revisions r on r.lead_id = l.id and r.body_sha256 = $2
where v.lead_id = $1
order by r.revision limit 1`;

/**
 * SQL: locks a lead. It is a separate statement, so that `READ_LEAD` reads the revision that is
 * newest after the lock.
 */
export const LOCK_LEAD = 'select id from leads where id = $1 for no key update';

/** SQL: reads a lead with its newest revision. */
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

/** SQL: locks a visit, so that concurrent posts without the lead's secret are all counted. */
export const LOCK_VISIT = 'select lead_id from visits where lead_id = $1 for update';

/** SQL: counts the stored posts without the lead's secret. */
export const COUNT_CLAIMS = `
select count(*)::int as claims, coalesce(bool_or(id = $2), false) as is_there
from leads where claims_id = $1`;

/** Returns the values under the names of database columns: `survey_path` for `surveyPath`. */
export function columnsOf(fields: object, prefix = ''): Record<string, unknown> {
  const columnOf = (field: string) =>
    prefix + field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [columnOf(field), value]),
  );
}

/** Returns a lead as a row for the SQL statements. */
export function leadRow(
  lead: AcceptedLead,
  limit: AddressLimit | null = null,
): Record<string, unknown> {
  const { click, consent, deliveries: _, ...fields } = lead;
  return {
    ...columnsOf({ ...fields, ...storedParts(lead), ...limit }),
    ...columnsOf(click, 'click_'),
    ...(consent && columnsOf(consent, 'consent_')),
    // The table `consent_texts` has each published text once (`textRows`).
    ...(consent?.isPublished && { consent_text: null }),
  };
}

/** Returns the published consent text that a lead's visitor saw, as rows for the SQL statements. */
export function textRows({ consent }: AcceptedLead): Record<string, unknown>[] {
  return consent?.isPublished ? [{ sha256: consent.textSha256, text: consent.text }] : [];
}

/** Returns a lead's deliveries as rows for the SQL statements. */
export function deliveryRows(lead: AcceptedLead): Record<string, unknown>[] {
  return lead.deliveries.map(({ waitMs, ...delivery }) => ({
    ...delivery,
    lead_id: lead.id,
    ...(waitMs === undefined ? {} : { wait_ms: waitMs }),
  }));
}
