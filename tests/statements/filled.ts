/** A database with so many rows in each table that grows that no statement has a good reason to scan one. */
import type pg from 'pg';

const VISITS = 120_000;
/** Visits with a kept form. Whoever reads them all reads more than a statement may. */
const FORMS = 28_000;

/** Visits over a month; five of six have a lead. Ids begin with their time, as browsers make them. */
const FILLER = `
create temporary table filler as
select n, at, n % 6 > 0 as has_lead, '/survey/v' || n % 12 as survey,
  (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3)
    || '8' || substr(md5(n::text), 4, 15))::uuid as id,
  md5('email' || n) as email_key, md5('phone' || n) as phone_key,
  case when n % 97 = 1 then 'held' when n % 97 = 2 then 'erased' else 'accepted' end as state,
  case when n % 97 = 1 then 'held' when n % 50 = 3 then 'rejected' when n % 50 = 4 then 'dead'
    when n % 1000 = 5 then 'retrying' when n % 1000 = 7 then 'waiting' else 'delivered' end as delivery
from generate_series(1, ${VISITS}) as n
cross join lateral (select now() - interval '1 minute' - (1 - n::float8 / ${VISITS}) * interval '30 days' as at) as time`;
const LEADS = '(select * from filler where has_lead) as leads';

const ROWS = [
  `insert into visits (lead_id, survey, created_at, seen_at, form, form_keys)
   select id, survey, at, at + interval '3 minutes', form, case when form is not null then array[phone_key] end
   from filler cross join lateral (select case when n > ${VISITS - FORMS} then
     jsonb_build_object('state', jsonb_build_object('drafts', jsonb_build_object('Phone',
       jsonb_build_object('phone', '2125550100', 'text', repeat('x', 300))))) end as form) as posted`,
  `insert into clicks (id, lead_id, survey, landing_page, params, referer, ip, user_agent, created_at)
   select n::text, id, survey, '', '{"utm_source":"google"}', '', '203.0.113.7', repeat('x', 80), at from filler`,
  `insert into progress (lead_id, seq, survey, step, kind, answers, seconds, at, received_at, contact_keys)
   select id, seq, survey, 'Phone', 'answered', case when seq = 2 then '{"phone":"2125550100"}' else '{}' end::jsonb, 4,
     at, at, case when seq = 2 then array[phone_key] end
   from filler, generate_series(1, 2) as seq`,
  `insert into leads (id, survey, flow, language, state, is_test, qualified, dq_reason, lead_is_qualified,
     do_not_send_to_dq, click_id, claims_id, ip, user_agent, created_at, updated_at)
   select id, survey, 'v4', 'en', state, n % 200 = 0, n % 5 > 0, '', n % 5 > 0, 'no', n::text,
     case when n % 300 = 1 then id end, '203.0.113.7', repeat('x', 80), at, at from ${LEADS}`,
  `insert into lead_revisions (lead_id, revision, received_at, body, body_sha256, fields, problems, email_key, phone_key)
   select id, 1, at, '{}', md5(n::text),
     json_build_object('first_name', 'Ana', 'last_name', 'Diaz' || n % 5000, 'case_description', repeat('rear-ended ', 30)),
     case state when 'held' then '[{"problem":"held","reason":"missing_consent"}]' else '[]' end::json,
     email_key, phone_key from ${LEADS}`,
  `insert into consents (lead_id, revision, text, text_sha256, version, language, page, created_at)
   select id, 1, repeat('I agree. ', 30), 'hash', '2026-11-20', 'en', survey, at from ${LEADS}`,
  `insert into deliveries (id, lead_id, destination, state, attempts, revision, last_message, created_at, due_at, finished_at)
   select id, id, 'ingest', delivery, 1, 1, case delivery when 'rejected' then 'Duplicate' end, at,
     case when delivery in ('retrying', 'waiting') then now() end,
     case when delivery in ('delivered', 'rejected', 'dead') then at end from ${LEADS}`,
  `insert into delivery_attempts (delivery_id, attempt, started_at, ended_at, outcome, http_status, response, duration_ms, revision)
   select id, 1, at, at, delivery, 200, '{"status":"ACCEPTED"}', 80, 1 from ${LEADS}`,
  `insert into lead_events (id, lead_id, at, kind, actor)
   select id, id, at, (array['resent', 'released', 'suppressed', 'erased', 'expired'])[1 + n % 5], 'x' from ${LEADS}`,
  `insert into lead_checks (id, lead_id, revision, service, asked_sha256, at, duration_ms, outcome, said)
   select id, id, 1, 'phone', md5(n::text), at, 80, 'answered', '{"line_type":"Wireless"}' from ${LEADS}`,
  `insert into check_answers (service, asked_sha256, answer, expires_at)
   select 'phone', md5(n::text), '{}', at + interval '90 days' from ${LEADS}`,
  `insert into phone_codes (id, lead_id, kind, number_key, at, ended_at, outcome)
   select id, id, 'send', phone_key, at, at, 'sent' from ${LEADS}`,
  `insert into opt_out_requests (id, received_at, language, name, email, phone, state, email_key, phone_key, sec_gpc,
     page, address_key, outcome, leads, stopped, receipts)
   select id, at, 'en', 'Ana', case when n % 2 = 0 then 'ana@mail.example' else '' end, '', 'TX', email_key, phone_key,
     false, '/do-not-sell/', md5(n::text), case when n % 500 = 1 then 'waiting' else 'honoured' end, 1, 1, '[]' from ${LEADS}`,
  `insert into suppressions (key, kind, actor, created_at, request_id) select email_key, 'email', 'x', at, id from ${LEADS}`,
  `insert into audit_log (id, at, actor, action, subject)
   select id, at, 'operator' || n % 9, (array['lead.open', 'export', 'release'])[1 + n % 3], id::text from ${LEADS}`,
  `insert into plans (id, action, selection, reason, actor, state, created_at, changed_at, finished_at)
   select id, 'resend', 'all', 'again', 'x', 'done', at, at, at from ${LEADS} where n % 60 = 1`,
  `insert into plan_items (plan_id, number, lead_id, state, text) select plan.id, number, leads.id, 'done', 'sent' from ${LEADS}
   cross join lateral (select n - n % 60 + 1 as first, n % 60 as number) as place join filler as plan on plan.n = first`,
  `insert into visit_summaries (lead_id, began_at, survey, language, source, us_state, variants, received_at, lead_state,
     revision, qualified, reason, holds, deliveries, name_key)
   select id, at, survey, 'en', 'source' || n % 40, 'TX', array['buttons.plain'], case when has_lead then at end,
     case when has_lead then state end, 1, n % 5 > 0, '',
     case when has_lead and state = 'held' then array['missing_consent'] else '{}' end,
     case when has_lead then array['ingest:' || delivery] else '{}' end, case when has_lead then 'diaz' || n end
   from filler`,
  `insert into hourly_counts
   select 'source', survey, hour, 'source' || value, 9, 8, 7, 6, 1, 5, 4, 1, 1
   from generate_series(now() - interval '300 days', now(), interval '1 hour') as hour,
     unnest(array['', '/survey/v2']) as survey, generate_series(1, 5) as value`,
  `insert into hourly_steps
   select 'variant', survey, hour, value::text, '{"edge|StartPath|AtFault":9}'
   from generate_series(now() - interval '300 days', now(), interval '1 hour') as hour,
     unnest(array['/survey/v2', '/survey/v6']) as survey, generate_series(1, 5) as value`,
  `insert into hourly_attempts
   select hour, 'ingest', 'delivered', bucket, 9
   from generate_series(now() - interval '300 days', now(), interval '1 hour') as hour, generate_series(1, 10) as bucket`,
  `insert into evidence_tiles (level, tile, hashes, at) select 0, n, '\\x00', at from ${LEADS}`,
  `insert into evidence_heads (at, size, root_hash, jws, told_at)
   select at, n, md5(n::text), '', case when n < 119000 then at end from ${LEADS}`,
];

/** Indexes are built at once after the rows: inserting one by one takes three times as long. */
const INDEXES = `
select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
from pg_index join pg_class on pg_class.oid = indrelid
where relnamespace = 'public'::regnamespace and not indisunique`;

/** Fills a migrated, empty database. */
export async function fill(client: pg.ClientBase): Promise<void> {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(INDEXES);
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await client.query(FILLER);
  await client.query('analyze filler');
  for (const rows of ROWS) await client.query(rows);
  for (const { definition } of indexes) await client.query(definition);
  await client.query('vacuum analyze');
}
