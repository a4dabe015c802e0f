/**
 * The statements of the lead's write path. Each takes rows as one JSON parameter, so that its text is
 * the same for one lead and for fifty, and is prepared once a connection.
 */
import type { AcceptedLead } from '../leads/lead-record.ts';

/** Lead, revision, click and consent, as one row of the first parameter. */
const leadColumns = `
  id uuid, revision integer, survey text, flow text, language text, state text, is_test boolean,
  qualified boolean, dq_reason text, lead_is_qualified boolean, do_not_send_to_dq text,
  answers jsonb, fields jsonb, decisions jsonb, overrides jsonb, differences jsonb, problems jsonb,
  email_key text, phone_key text, click_id text, ip text, user_agent text,
  received_at timestamptz, submitted_at timestamptz, body jsonb, change jsonb,
  click_landing_page text, click_params jsonb, click_referer text, click_sec_gpc boolean,
  consent_text text, consent_sha256 text, consent_version text, consent_language text, consent_page text,
  consent_shown_at timestamptz, consent_given_at timestamptz, consent_ip text,
  consent_user_agent text, consent_certificate text, consent_sent_text text, consent_buyers jsonb`;

const clickInsert = `
  insert into clicks (id, lead_id, survey, landing_page, params, referer, ip, user_agent, sec_gpc, created_at)
  select click_id, id, survey, click_landing_page, click_params, click_referer, ip, user_agent,
    click_sec_gpc, received_at
  from given
  on conflict (id) do nothing`;

const consentInsert = `
  insert into consents (lead_id, revision, text, text_sha256, version, language, page, shown_at, given_at, ip,
    user_agent, certificate, sent_text, buyers, created_at)
  select id, revision, consent_text, consent_sha256, consent_version, consent_language,
    consent_page, consent_shown_at, consent_given_at, consent_ip, consent_user_agent, consent_certificate,
    consent_sent_text, consent_buyers, received_at
  from given
  where consent_text is not null`;

const revisionInsert = `
  insert into lead_revisions (lead_id, revision, received_at, body, change)
  select id, revision, received_at, body, change from given`;

const deliveryInsert = `
  insert into deliveries (id, lead_id, destination, state, created_at)
  select d.id, d.lead_id, d.destination, d.state, given.received_at
  from jsonb_to_recordset($2::jsonb) as d(id uuid, lead_id uuid, destination text, state text)
  join given on given.id = d.lead_id`;

/**
 * New leads with everything that belongs to them, in one statement. Answers the ids that were new;
 * nothing at all is written for the others.
 * $1: rows of leads. $2: rows of deliveries.
 */
export const INSERT_LEADS = `
with input as (
  select * from jsonb_to_recordset($1::jsonb) as row(${leadColumns})
), new_leads as (
  insert into leads (id, survey, flow, language, state, revision, is_test, qualified, dq_reason,
    lead_is_qualified, do_not_send_to_dq, answers, fields, decisions, overrides, differences, problems,
    email_key, phone_key, click_id, ip, user_agent, created_at, submitted_at, updated_at)
  select id, survey, flow, language, state, revision, is_test, qualified, dq_reason,
    lead_is_qualified, do_not_send_to_dq, answers, fields, decisions, overrides, differences, problems,
    email_key, phone_key, click_id, ip, user_agent, received_at, submitted_at, received_at
  from input
  on conflict (id) do nothing
  returning id as new_id
), given as (
  select input.* from input join new_leads on new_id = input.id
), new_revisions as (${revisionInsert}
), new_clicks as (${clickInsert}
), new_consents as (${consentInsert}
), new_deliveries as (${deliveryInsert}
)
select new_id as id from new_leads`;

/**
 * A later revision over a lead that the caller has locked. Deliveries that are there stay as they are:
 * nothing is sent a second time.
 * $1: one row of leads. $2: rows of deliveries. Answers the ids of deliveries that are new.
 */
export const UPDATE_LEAD = `
with given as (
  select * from jsonb_to_recordset($1::jsonb) as row(${leadColumns})
), changed as (
  update leads set
    survey = given.survey, flow = given.flow, language = given.language, state = given.state,
    revision = given.revision, is_test = given.is_test, qualified = given.qualified,
    dq_reason = given.dq_reason, lead_is_qualified = given.lead_is_qualified,
    do_not_send_to_dq = given.do_not_send_to_dq, answers = given.answers, fields = given.fields,
    decisions = given.decisions, overrides = given.overrides, differences = given.differences,
    problems = given.problems, email_key = given.email_key, phone_key = given.phone_key,
    click_id = given.click_id, submitted_at = given.submitted_at, updated_at = given.received_at
  from given
  where leads.id = given.id
), new_revisions as (${revisionInsert}
), new_clicks as (${clickInsert}
), new_consents as (${consentInsert}
)
${deliveryInsert}
on conflict (lead_id, destination) do nothing
returning id`;

/** A lead that is no longer held: its deliveries may go. $1: lead. Answers their ids. */
export const RELEASE_DELIVERIES = `
update deliveries set state = 'waiting' where lead_id = $1 and state = 'held' returning id`;

/** $1: lead. */
export const LOCK_LEAD = `
select id, revision, state, problems, is_test, ip, user_agent from leads where id = $1 for update`;

/** $1: lead. */
export const READ_REVISIONS = `
select revision, body, change from lead_revisions where lead_id = $1 order by revision`;

/** The first parameter's row of a lead. */
export function leadRow(lead: AcceptedLead): Record<string, unknown> {
  const { click, consent } = lead;
  return {
    id: lead.id,
    revision: lead.revision,
    survey: lead.survey,
    flow: lead.flow,
    language: lead.language,
    state: lead.state,
    is_test: lead.isTest,
    qualified: lead.qualified,
    dq_reason: lead.dqReason,
    lead_is_qualified: lead.leadIsQualified,
    do_not_send_to_dq: lead.doNotSendToDq,
    answers: lead.answers,
    fields: lead.fields,
    decisions: lead.decisions,
    overrides: lead.overrides,
    differences: lead.differences,
    problems: lead.problems,
    email_key: lead.emailKey,
    phone_key: lead.phoneKey,
    click_id: click.id,
    ip: lead.ip,
    user_agent: lead.userAgent,
    received_at: lead.receivedAt,
    submitted_at: lead.submittedAt,
    body: lead.body,
    change: lead.change,
    click_landing_page: click.landingPage,
    click_params: click.params,
    click_referer: click.referer,
    click_sec_gpc: click.secGpc,
    ...(consent && {
      consent_text: consent.text,
      consent_sha256: consent.textSha256,
      consent_version: consent.version,
      consent_language: consent.language,
      consent_page: consent.page,
      consent_shown_at: consent.shownAt,
      consent_given_at: consent.givenAt,
      consent_ip: consent.ip,
      consent_user_agent: consent.userAgent,
      consent_certificate: consent.certificate,
      consent_sent_text: consent.sentText,
      consent_buyers: consent.buyers,
    }),
  };
}

/** The second parameter's rows of a lead. */
export function deliveryRows(lead: AcceptedLead): Record<string, unknown>[] {
  return lead.deliveries.map(({ id, destination, state }) => ({
    id,
    lead_id: lead.id,
    destination,
    state,
  }));
}
