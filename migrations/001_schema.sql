-- The whole schema. To query leads by hand, start with the views of the schema `report`, at the end (docs/operations.md#sql).
--
-- Only SQL that PostgreSQL, CockroachDB, YugabyteDB and Citus share: no triggers, no extensions, no generated columns.
-- The application makes the ids: UUIDv7, so ids sort by time.


-- VISITS: what happens before a lead, and often without one. No foreign keys: rows come in any order.

create table visits (
  lead_id uuid primary key,
  secret_sha256 text,
  survey text not null default '',
  account jsonb,
  offers jsonb not null default '{}',
  form jsonb,
  form_keys text[],
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  mirrored_at timestamptz,
  erased_at timestamptz
);
comment on table visits is 'One person''s way through a survey, from the first save on. Its id becomes the lead''s id.';
comment on column visits.lead_id is 'UUIDv7 that the browser makes when the survey starts.';
comment on column visits.secret_sha256 is 'Hash of the browser''s secret: only its owner may change the visit. Null: it has none.';
comment on column visits.account is 'Ingest account that the mapping service named, instead of the one in the settings.';
comment on column visits.offers is 'Buyer lists that were offered, by zip code.';
comment on column visits.form is 'State of a visit without JavaScript. Emptied after a day.';
comment on column visits.form_keys is 'Person keys of the address and numbers in form, by which an erasure finds it.';
comment on column visits.seen_at is 'Time of the last save or post.';
comment on column visits.mirrored_at is 'When its first copy was given to the mirror (SAVE_DATA_URL).';
comment on column visits.erased_at is 'The row stays, empty, so that its id cannot be used again.';
create index visits_seen_at_idx on visits (seen_at);
create index visits_form_idx on visits (seen_at) where form is not null;
create index visits_form_keys_idx on visits using gin (form_keys) with (fastupdate = off) where form_keys is not null;

create table clicks (
  lead_id uuid not null,
  id text not null,
  survey text,
  landing_page text,
  params jsonb not null default '{}',
  referer text,
  ip text,
  user_agent text,
  sec_gpc boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (lead_id, id)
);
-- Finds leads by a click id. src/server/insight/lead-condition.ts has the same expression.
create index clicks_ids_idx on clicks using gin ((array[
  params->>'sub5', params->>'_ef_transaction_id', params->>'transaction_id', params->>'gclid', params->>'gbraid', params->>'wbraid',
  params->>'fbclid', params->>'ttclid', params->>'msclkid', params->>'li_fat_id', params->>'twclid', params->>'rdt_cid']));
comment on table clicks is 'Where a visit came from: one row for each transaction id of the visit.';
comment on column clicks.id is 'Transaction id: 32 hexadecimal digits, or the click tracker''s id.';
comment on column clicks.params is 'Query parameters of the landing page, at most 200.';
comment on column clicks.sec_gpc is 'The browser sent the opt-out signal (Sec-GPC: 1).';

create table progress (
  lead_id uuid not null,
  seq integer not null,
  survey text not null,
  step text not null,
  kind text not null,
  answers jsonb not null default '{}',
  contact_keys text[],
  variants text not null default '',
  refused text,
  seconds numeric(12, 3),
  at timestamptz,
  received_at timestamptz not null default now(),
  primary key (lead_id, seq)
);
comment on table progress is 'Steps of a visit, as the browser reports them.';
comment on column progress.seq is 'The browser''s counter within the visit: a repeated report changes nothing.';
comment on column progress.kind is 'viewed, answered, back, submitted, refused or failed.';
comment on column progress.contact_keys is 'Person keys of the address and numbers among the answers. Null: there are none.';
comment on column progress.variants is 'Experiment variants that were seen, as buttons.rounded~theme.plain.';
comment on column progress.refused is 'The refused fields, with commas between them. Null unless the kind is refused.';
comment on column progress.seconds is 'Seconds on the step.';
comment on column progress.at is 'The browser''s clock.';
create index progress_contact_keys_idx on progress using gin (contact_keys) with (fastupdate = off)
  where contact_keys is not null;

create unlogged table form_locks (
  key text primary key,
  holder uuid not null,
  until timestamptz not null
);
comment on table form_locks is 'Leases on visits whose form is being taken: one form at a time. Unlogged, because a lease lasts seconds.';
comment on column form_locks.key is 'A lead id, or the digest of a form that has none yet.';


-- LEADS: written once for each post. A lead's write path touches leads, lead_revisions, consents and deliveries.

create table leads (
  id uuid primary key,
  survey text not null,
  flow text not null,
  language text not null,
  state text not null default 'accepted'
    constraint leads_state_check check (state in ('accepted', 'held', 'dismissed', 'erased')),
  revision integer not null default 1 constraint leads_revision_check check (revision >= 1),
  is_test boolean not null default false,
  qualified boolean not null,
  dq_reason text not null default '',
  lead_is_qualified boolean not null,
  do_not_send_to_dq text not null
    constraint leads_do_not_send_to_dq_check check (do_not_send_to_dq in ('yes', 'no')),
  click_id text,
  variants text not null default '',
  claims_id uuid,
  ip text,
  user_agent text,
  sec_gpc boolean not null default false,
  evidence_salt uuid,
  created_at timestamptz not null default now(),
  submitted_at timestamptz,
  updated_at timestamptz not null default now(),
  erased_at timestamptz
);
comment on table leads is 'Posted leads, each with a summary of its newest revision.';
comment on column leads.survey is 'Path of the survey, such as /survey/v4nv.';
comment on column leads.flow is 'Name of the flow. Empty: the survey is not in the table, and its name is text from the visitor.';
comment on column leads.state is 'held: waits for a person; the reasons are in problems of the newest revision. dismissed: a person closed it.';
comment on column leads.revision is 'Number of the newest revision, from 1.';
comment on column leads.is_test is 'Posted as a test (lp_action=test): not counted.';
comment on column leads.qualified is 'Result of the qualification rule (docs/specification.md#qualification).';
comment on column leads.dq_reason is 'First rule that disqualifies, as field|value.';
comment on column leads.lead_is_qualified is 'The general rule''s result, without the survey''s own.';
comment on column leads.click_id is 'Transaction id of the click (clicks.id).';
comment on column leads.variants is 'Experiment variants that were seen, as buttons.rounded~theme.plain.';
comment on column leads.claims_id is 'The lead that this post named without its secret. Null for other posts.';
comment on column leads.sec_gpc is 'The browser sent the opt-out signal: nothing is sold or shared.';
comment on column leads.evidence_salt is 'Ties the evidence log to the lead. Removed by an erasure.';
comment on column leads.submitted_at is 'The browser''s clock at the post.';
create index leads_created_at_idx on leads (created_at, id);
create index leads_survey_idx on leads (survey, created_at);
create index leads_state_idx on leads (state, created_at) where state <> 'accepted';
create index leads_claims_id_idx on leads (claims_id) where claims_id is not null;

create table lead_revisions (
  lead_id uuid not null references leads (id) on delete cascade,
  revision integer not null,
  received_at timestamptz not null default now(),
  email_key text,
  phone_key text,
  body json not null,
  body_sha256 text not null default '',
  merged json,
  change json not null default '{}',
  fields json not null default '{}',
  given json,
  decisions json not null default '[]',
  overrides json not null default '[]',
  differences json not null default '[]',
  problems json not null default '[]',
  rules_version text not null default '',
  flow_version text not null default '',
  primary key (lead_id, revision)
);
comment on table lead_revisions is 'Each post of a lead with what was decided. Never updated; only an erasure empties it.';
comment on column lead_revisions.email_key is 'Person key of the e-mail address (docs/decisions/0053-person-keys.md).';
comment on column lead_revisions.phone_key is 'Person key of the phone number.';
comment on column lead_revisions.body is 'What was posted. Without lead_id: also without the tcpa that consents has, and the user_agent that leads has (null: none was posted).';
comment on column lead_revisions.body_sha256 is 'Hash of the body, by which a repeated post is recognised. Of an erased lead a keyed hash.';
comment on column lead_revisions.merged is 'The body merged with earlier ones. Null: the body itself.';
comment on column lead_revisions.change is 'The answer that was given, and which fields changed.';
comment on column lead_revisions.fields is 'The outgoing fields in their order. Null: as posted (report.fields has the values).';
comment on column lead_revisions.given is 'Services'' answers that the rules used instead of our own checks.';
comment on column lead_revisions.decisions is 'The result of each rule, with its inputs.';
comment on column lead_revisions.overrides is 'Answers that a rule replaced.';
comment on column lead_revisions.differences is 'Values that browser and server derived differently.';
comment on column lead_revisions.problems is 'Reasons for a hold, rules that the post broke, unknown fields.';
comment on column lead_revisions.rules_version is 'An id in rule_versions.';
comment on column lead_revisions.flow_version is 'Hash of the flow''s data.';
-- 64 bits of a key take a third of its space and find it as well (src/server/platform/database/contact-keys.ts). The indexes cover
-- all rows: for a partial one PostgreSQL ignores the expression's statistics, and scans the table.
create index lead_revisions_email_idx on lead_revisions ((('x' || substr(md5(email_key), 1, 16))::bit(64)::bigint));
create index lead_revisions_phone_idx on lead_revisions ((('x' || substr(md5(phone_key), 1, 16))::bit(64)::bigint));

-- Returns the outgoing fields of a revision, all but tcpa and user_agent with their values.
create function outgoing_fields(revision lead_revisions) returns json language sql stable as $$
select json_object_agg(field.key, coalesce(field.value, posted.value)) from json_each_text(revision.fields) as field
left join json_each_text(coalesce(revision.merged, revision.body)) as posted on posted.key = field.key
$$;

create table consent_texts (
  sha256 text primary key,
  text text not null
);
comment on table consent_texts is 'Published consent texts that visitors saw.';
comment on column consent_texts.sha256 is 'SHA-256 of the text (UTF-8), hexadecimal.';

create table consents (
  lead_id uuid not null references leads (id) on delete cascade,
  revision integer not null,
  text text,
  text_sha256 text not null,
  sent_text text,
  version text not null default '',
  language text not null,
  page text not null,
  shown_at timestamptz,
  given_at timestamptz,
  ip text,
  user_agent text,
  buyers jsonb not null default '[]',
  certificate text,
  person jsonb,
  created_at timestamptz not null default now(),
  primary key (lead_id, revision)
);
comment on table consents is 'The consent text as the visitor saw it. Kept for 5 years (16 CFR 310.5).';
comment on column consents.ip is 'Null, as user_agent is: the one of the lead.';
comment on column consents.text is 'Null: the text of this hash in consent_texts.';
comment on column consents.text_sha256 is 'SHA-256 of the text (UTF-8), hexadecimal.';
comment on column consents.sent_text is 'Statement that is sent instead of the text. Null: the text is sent.';
comment on column consents.version is 'Date of the text''s file in content/consent/. Empty: the page did not send it.';
comment on column consents.buyers is 'The firms that the visitor chose.';
comment on column consents.certificate is 'Address of the certificate (TrustedForm).';
comment on column consents.person is 'Name, address and number of the person, once the lead itself has expired.';
create index consents_created_at_idx on consents (created_at);

create table rule_versions (
  version text primary key,
  files jsonb not null,
  settings jsonb not null,
  firms jsonb not null,
  first_used_at timestamptz not null default now()
);
comment on table rule_versions is 'Which files, settings and firms each version of the rules was made of.';

create table lead_events (
  id uuid primary key,
  lead_id uuid not null,
  delivery_id uuid,
  at timestamptz not null default now(),
  kind text not null
    constraint lead_events_kind_check check (
      kind in ('resent', 'released', 'dismissed', 'suppressed', 'erased', 'expired')),
  actor text not null,
  detail jsonb not null default '{}'
);
comment on table lead_events is 'What operators and retention rules did to leads.';
create index lead_events_lead_id_idx on lead_events (lead_id, at);
create index lead_events_at_idx on lead_events (at);
create index lead_events_erased_idx on lead_events (at, id) where kind = 'erased';


-- DELIVERIES: where leads go. The table is the queue and the record (docs/decisions/0016-ledger.md).

create table deliveries (
  id uuid primary key,
  lead_id uuid not null references leads (id) on delete cascade,
  destination text not null,
  event_key text not null default '',
  event jsonb,
  state text not null constraint deliveries_state_check check (state in ('waiting', 'sending', 'retrying', 'delivered',
    'rejected', 'dead', 'uncertain', 'no_destination', 'held', 'suppressed', 'passed_over')),
  is_unrouted boolean not null default false,
  chosen_at timestamptz,
  price numeric(12, 2),
  attempts integer not null default 0,
  attempts_before_round integer not null default 0,
  due_at timestamptz,
  lease_owner text,
  revision integer,
  account text,
  payload_version integer,
  may_have_arrived boolean not null default false,
  first_due_at timestamptz,
  end_reason text,
  answer_code text,
  external_id text,
  last_message text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  constraint deliveries_lead_id_destination_event_key unique (lead_id, destination, event_key)
);
comment on table deliveries is 'One row for each destination of a lead, and for each event that a destination is told.';
comment on column deliveries.event_key is 'Tells the events of one lead apart. Empty: the lead itself is sent.';
comment on column deliveries.event is 'The event, without personal data.';
comment on column deliveries.state is 'uncertain: perhaps arrived, so not sent again. dead: given up. suppressed: must not be sent. passed_over: another buyer has it, or this one may not; end_reason says why.';
comment on column deliveries.is_unrouted is 'Waits for the choice of a buyer, so it is not sent yet.';
comment on column deliveries.chosen_at is 'When the buyer was chosen: what caps count. Null: the destination has no buyer''s terms, or gave the lead back.';
comment on column deliveries.price is 'What the buyer''s terms said at chosen_at.';
comment on column deliveries.attempts_before_round is 'Attempts before the present round: a resend begins a new one.';
comment on column deliveries.due_at is 'When to act next: send, retry, or take over after the lease has run out.';
comment on column deliveries.revision is 'What is sent, and to whose account: pinned at the first lease of a round.';
comment on column deliveries.may_have_arrived is 'An attempt arrived or may have.';
comment on column deliveries.first_due_at is 'When the round''s first attempt was due, or the first one after the destination answered "later".';
comment on column deliveries.answer_code is 'The code of the destination''s last answer, if it refused.';
comment on column deliveries.end_reason is 'Why it ended, as a code. Stays when the messages expire.';
comment on column deliveries.external_id is 'The destination''s id of the lead.';
create index deliveries_due_idx on deliveries (destination, due_at)
  where state in ('waiting', 'sending', 'retrying') and not is_unrouted;
create index deliveries_unrouted_idx on deliveries (due_at) where is_unrouted;
create index deliveries_chosen_idx on deliveries (destination, chosen_at) where chosen_at is not null;
create index deliveries_external_id_idx on deliveries (external_id) where external_id is not null;
create index deliveries_finished_at_idx on deliveries (finished_at) where finished_at is not null;
create index deliveries_not_taken_idx on deliveries (destination, state, finished_at)
  where state in ('rejected', 'dead', 'uncertain', 'no_destination', 'suppressed');

create table delivery_attempts (
  delivery_id uuid not null references deliveries (id) on delete cascade,
  attempt integer not null,
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  outcome text,
  http_status integer,
  response text,
  error text,
  duration_ms integer,
  sent_sha256 text,
  revision integer,
  account text,
  payload_version integer,
  primary key (delivery_id, attempt)
);
comment on table delivery_attempts is 'Each try to send: inserted before the send, completed after it.';
comment on column delivery_attempts.outcome is 'delivered, rejected, retry, failed, unknown and others. Null: it runs.';
comment on column delivery_attempts.response is 'The destination''s answer, shortened.';
comment on column delivery_attempts.sent_sha256 is 'Hash of the exact bytes. Null: nothing was sent, or the lead is erased or expired.';
create index delivery_attempts_started_at_idx on delivery_attempts (started_at);

create table destination_health (
  destination text primary key,
  paused_at timestamptz,
  paused_by text,
  pause_reason text,
  trial_at timestamptz,
  failures integer not null default 0,
  last_failure text,
  recovered_at timestamptz,
  failing_alerted_at timestamptz,
  late_alerted_at timestamptz,
  off_at timestamptz
);
comment on table destination_health is 'Health of each destination for all processes. No row: no problems.';
comment on column destination_health.paused_by is 'answer: the destination refused our account. Otherwise the operator.';
comment on column destination_health.trial_at is 'When one delivery may be sent as the paused destination''s trial. Null: only a person resumes it.';
comment on column destination_health.failures is 'Failed sends in a row.';
comment on column destination_health.failing_alerted_at is 'When the operators were alerted. Null: they were not, or it is over.';
comment on column destination_health.off_at is 'Since when its settings are missing.';


-- MONEY (docs/decisions/0091-money.md): what a lead cost, sold for and became.

create table buyers (
  destination text primary key,
  terms jsonb not null,
  changed_at timestamptz not null default now(),
  changed_by text not null
);
comment on table buyers is 'Terms of the destinations that buy leads. A lead goes to the first buyer that may have it. Whoever plans locks the rows.';
comment on column buyers.terms is 'BuyerTerms (src/model/rules/buyer-terms.ts). Earlier terms are in audit_log.';

create table money_entries (
  id uuid primary key,
  key text not null constraint money_entries_key unique,
  kind text not null constraint money_entries_kind_check check (kind in ('cost', 'sale', 'return', 'adjustment', 'payout')),
  amount numeric(14, 4) not null,
  currency text not null default 'USD',
  at timestamptz not null,
  -- Not now(), because the transaction can have waited for a count, which would then miss the entry.
  created_at timestamptz not null default clock_timestamp(),
  lead_id uuid,
  delivery_id uuid,
  destination text,
  about jsonb not null default '{}',
  source text not null constraint money_entries_source_check check (
    source in ('answer', 'terms', 'click', 'rate', 'import', 'outcome', 'operator')),
  reason text not null default '',
  actor text not null,
  constraint money_entries_destination_check check (
    case kind when 'adjustment' then true else (destination is null) = (kind in ('cost', 'payout')) end)
);
comment on table money_entries is 'The money ledger. Rows are only added: a correction is a row of its own. No foreign keys: it outlives leads.';
comment on column money_entries.key is 'What the entry is for, so that it is made once: sale <delivery>, rate <rate> <visit>.';
comment on column money_entries.amount is 'Positive: we receive it (sale). Negative: it costs us (cost, payout, return).';
comment on column money_entries.at is 'When it happened.';
comment on column money_entries.lead_id is 'The visit or lead. Null: a cost of a day that no visit carries.';
comment on column money_entries.destination is 'The buyer: the amount is revenue. Null: it is a cost.';
comment on column money_entries.about is 'Survey, source, campaign, affiliate and sub of a cost without visit; row of the import.';
create index money_entries_lead_id_idx on money_entries (lead_id) where lead_id is not null;
create index money_entries_created_at_idx on money_entries (created_at);
create index money_entries_at_idx on money_entries (at) where lead_id is null;
create index money_entries_cost_idx on money_entries (at) where kind in ('cost', 'payout');
create index money_entries_row_idx on money_entries ((about->>'row')) where source = 'import';
create index money_entries_destination_idx on money_entries (destination, at) where destination is not null;

create table cost_rates (
  id uuid primary key,
  dimension text not null constraint cost_rates_dimension_check check (dimension in ('source', 'affiliate')),
  value text not null,
  per text not null constraint cost_rates_per_check check (per in ('click', 'lead', 'sale')),
  amount numeric(12, 4) not null constraint cost_rates_amount_check check (amount >= 0),
  valid_from date not null,
  created_at timestamptz not null default now(),
  actor text not null,
  unique (dimension, value, per, valid_from)
);
comment on table cost_rates is 'What a source or affiliate gets. The newest rate on a day applies. 0 ends a rate.';

create table outcomes (
  id text primary key,
  destination text not null,
  reference text not null,
  lead_id uuid,
  delivery_id uuid,
  kind text not null constraint outcomes_kind_check check (
    kind in ('contacted', 'no_contact', 'declined', 'signed', 'settled', 'returned')),
  reason text not null default '',
  amount numeric(12, 2),
  at timestamptz not null,
  received_at timestamptz not null default now(),
  source text not null constraint outcomes_source_check check (source in ('webhook', 'import', 'operator')),
  decision text constraint outcomes_decision_check check (decision in ('accepted', 'refused')),
  decided_at timestamptz,
  decided_by text,
  decision_reason text
);
comment on table outcomes is 'What buyers report about leads that they got.';
comment on column outcomes.id is 'The message: its buyer and webhook id, or the hash of a row of an import. A repeat changes nothing.';
comment on column outcomes.reference is 'The lead as the buyer names it: our id, or the buyer''s own.';
comment on column outcomes.lead_id is 'Null: we know no such lead of this buyer.';
comment on column outcomes.reason is 'Of a return or a refusal: a code of the vocabulary.';
comment on column outcomes.decision is 'Of a return: what an operator decided.';
create index outcomes_lead_id_idx on outcomes (lead_id) where lead_id is not null;
create index outcomes_received_at_idx on outcomes (destination, received_at);
create index outcomes_open_idx on outcomes (received_at) where kind = 'returned' and decision is null;
create index outcomes_returned_idx on outcomes (received_at) where kind = 'returned';
create index outcomes_decided_idx on outcomes (decided_at, id) where decision is not null;
create index outcomes_unknown_idx on outcomes (received_at) where lead_id is null;

create table statements (
  id uuid primary key,
  destination text not null,
  first_day date not null,
  last_day date not null,
  file_name text not null,
  lines integer not null,
  agree integer not null,
  ours numeric(14, 2) not null,
  theirs numeric(14, 2) not null,
  created_at timestamptz not null default now(),
  actor text not null,
  constraint statements_period unique (destination, first_day, last_day)
);
comment on table statements is 'Statements of buyers that were compared with our ledger.';
comment on column statements.agree is 'Leads without a difference.';
comment on column statements.ours is 'What the buyer owes for these leads by our ledger.';
comment on column statements.theirs is 'What it owes by its statement: ours and the differences.';

create table statement_differences (
  statement_id uuid not null references statements (id) on delete cascade,
  number integer not null generated by default as identity,
  kind text not null constraint statement_differences_kind_check check (
    kind in ('missing_here', 'missing_there', 'price', 'state', 'twice')),
  reference text not null,
  lead_id uuid,
  ours text not null,
  theirs text not null,
  amount numeric(14, 2) not null,
  state text not null default 'open' constraint statement_differences_state_check check (
    state in ('open', 'explained', 'disputed')),
  note text not null default '',
  changed_by text,
  changed_at timestamptz,
  primary key (statement_id, number)
);
create index statement_differences_noted_idx on statement_differences (lead_id) where note <> '';
comment on table statement_differences is 'Where a statement and our ledger differ.';
comment on column statement_differences.kind is 'missing_here: they have it, and we do not. twice: it is in the statement twice.';
comment on column statement_differences.amount is 'Theirs less ours, in US dollars.';


-- CHECKS: questions to third parties about a value (docs/decisions/0024-checks.md). Written before the lead, too.

create table check_answers (
  service text not null,
  asked_sha256 text not null,
  answer jsonb not null,
  expires_at timestamptz not null,
  primary key (service, asked_sha256)
);
comment on table check_answers is 'Cached answers: the same value is not paid for twice.';
comment on column check_answers.asked_sha256 is 'Hash of what was asked, keyed for a number or address.';
create index check_answers_expires_at_idx on check_answers (expires_at);

create table lead_checks (
  id uuid primary key,
  lead_id uuid not null,
  revision integer,
  service text not null,
  asked_sha256 text not null,
  at timestamptz not null,
  duration_ms integer not null,
  outcome text not null constraint lead_checks_outcome_check check (outcome in (
    'answered', 'failed', 'timed_out', 'skipped', 'remembered', 'over_limit')),
  said jsonb,
  reason text
);
comment on table lead_checks is 'Each check of a lead, made or refused.';
comment on column lead_checks.revision is 'The revision it was about. Null: it was made before the post.';
comment on column lead_checks.outcome is 'remembered: a cached answer was used. over_limit: it was not made.';
comment on column lead_checks.said is 'The answer, without personal data.';
comment on column lead_checks.reason is 'Why there is no answer, without personal data.';
create index lead_checks_lead_id_idx on lead_checks (lead_id, at);
-- The first answer stays: it may have been sent along.
create unique index lead_checks_revision_key on lead_checks (lead_id, revision, service) where revision is not null;

create table blocked_emails (
  key text primary key,
  times integer not null,
  at timestamptz not null
);
comment on table blocked_emails is 'How often a blocked e-mail address was given (docs/specification.md#e-mail-check). Removed after a day.';
comment on column blocked_emails.key is 'Keyed hash of lead, sender and address.';

create table paid_checks (
  key text not null,
  hour timestamptz not null,
  checks integer not null,
  primary key (key, hour)
);
comment on table paid_checks is 'Number of paid checks an hour, of each address and of everybody.';
comment on column paid_checks.key is 'Keyed hash of the address, or everybody.';


-- CODES BY SMS (docs/decisions/0025-sms-codes.md). No code, number or address in the clear.

create table phone_codes (
  id uuid primary key,
  lead_id uuid not null,
  kind text not null constraint phone_codes_kind_check check (kind in ('send', 'check')),
  number_key text not null,
  at timestamptz not null default now(),
  ended_at timestamptz,
  outcome text
);
comment on table phone_codes is 'Each code that was sent, and each try of one.';
comment on column phone_codes.number_key is 'Keyed hash of the number.';
comment on column phone_codes.outcome is 'Null: the service is being asked, or the outcome is unknown.';
create index phone_codes_lead_id_idx on phone_codes (lead_id, at);
create index phone_codes_number_key_idx on phone_codes (number_key, at);

create table phone_code_limits (
  key text primary key,
  times timestamptz[] not null,
  last_at timestamptz not null,
  busy_until timestamptz
);
comment on table phone_code_limits is 'Sends and tries of the last hour, by number, address and visit.';
comment on column phone_code_limits.key is 'What is counted, with a keyed hash of the number or address, or the visit''s id.';
comment on column phone_code_limits.busy_until is 'Until then a send to the number is under way.';

create table phone_code_secret (
  id integer primary key constraint phone_code_secret_id_check check (id = 1),
  secret text not null
);
comment on table phone_code_secret is 'Secret of this database''s keyed hashes, made by the first process that needs it.';


-- LIMITS OF AN ADDRESS (docs/decisions/0020-address-limits.md). The purge removes rows after a day.

create table address_persons (
  address_window uuid not null,
  person uuid not null,
  seen_at timestamptz not null,
  primary key (address_window, person)
);
comment on table address_persons is 'Which persons an address sent leads of in an hour. Both are hashes.';

create unlogged table request_counts (
  key uuid primary key,
  since timestamptz not null,
  amount bigint not null
);
comment on table request_counts is 'Requests in a minute and bytes in an hour, of busy addresses and leads. Unlogged: after a crash they begin again.';


-- PRIVACY: who must not be contacted, requests of visitors, retention.

create table person_keys (
  id integer primary key constraint person_keys_id_check check (id = 1),
  fingerprint text not null
);
comment on table person_keys is 'Which secret the person keys were made with. The secret itself is never in the database.';

create table suppressions (
  key text primary key,
  kind text not null constraint suppressions_kind_check check (kind in ('email', 'phone')),
  actor text not null,
  source text not null default 'operator' constraint suppressions_source_check check (
    source in ('sms', 'call', 'form', 'email', 'letter', 'import', 'operator')),
  request_id uuid,
  created_at timestamptz not null default now()
);
comment on table suppressions is 'Person keys of everybody about whom nothing may be sent.';
comment on column suppressions.source is 'How the person revoked consent.';
comment on column suppressions.request_id is 'The do-not-sell request that added it. Null: an operator did.';
create index suppressions_created_at_idx on suppressions (created_at, key);
create index suppressions_request_id_idx on suppressions (request_id) where request_id is not null;

create table revocations (
  lead_id uuid not null references leads (id) on delete cascade,
  destination text not null,
  source text not null,
  confirm_by date not null,
  created_at timestamptz not null default now(),
  confirmed_at timestamptz,
  confirmed_by text,
  primary key (lead_id, destination)
);
comment on table revocations is 'Buyers that had received a lead when its person revoked consent. No personal data, so an erasure keeps it.';
comment on column revocations.confirm_by is 'The last day on which the law allows the buyer to call (47 CFR 64.1200(a)(10)).';
comment on column revocations.confirmed_by is 'The operator to whom the buyer confirmed that it stopped.';
create index revocations_open_idx on revocations (confirm_by, lead_id, destination) where confirmed_at is null;

create table opt_out_requests (
  id uuid primary key,
  received_at timestamptz not null default now(),
  language text not null,
  name text not null,
  email text not null,
  phone text not null,
  state text not null,
  email_key text,
  phone_key text,
  sec_gpc boolean not null,
  ip text,
  user_agent text,
  address_key text,
  page text not null,
  outcome text not null default 'honoured'
    constraint opt_out_requests_outcome_check check (outcome in ('honoured', 'waiting', 'dismissed', 'undone')),
  leads integer not null,
  stopped integer not null,
  receipts jsonb not null
);
comment on table opt_out_requests is 'Do-not-sell requests, each with the proof that it was honoured.';
comment on column opt_out_requests.state is 'The US state that the visitor gave.';
comment on column opt_out_requests.address_key is 'What requests of one address are counted by: the address, or the /64 of an IPv6 one.';
comment on column opt_out_requests.outcome is 'waiting: above the limit of its address, for a person to look at.';
comment on column opt_out_requests.leads is 'How many leads the person had.';
comment on column opt_out_requests.stopped is 'How many deliveries were stopped.';
comment on column opt_out_requests.receipts is 'Who had received a lead of the person before.';
create index opt_out_requests_received_at_idx on opt_out_requests (received_at);
create index opt_out_requests_outcome_idx on opt_out_requests (outcome, received_at, id);
create index opt_out_requests_email_key_idx on opt_out_requests (email_key) where email_key is not null;
create index opt_out_requests_phone_key_idx on opt_out_requests (phone_key) where phone_key is not null;
create index opt_out_requests_address_idx on opt_out_requests (address_key, received_at) where address_key is not null;
create index opt_out_requests_ip_idx on opt_out_requests (ip) where ip is not null;
create index opt_out_requests_kept_idx on opt_out_requests (received_at) where email <> '' or phone <> '';
-- The reference that the visitor was given.
create index opt_out_requests_reference_idx on opt_out_requests (right(id::text, 12));

create table opt_out_turns (
  address_key text primary key
);
comment on table opt_out_turns is 'Always empty: requests of one address wait for each other at its primary key.';

create table purge_places (
  source text primary key,
  at timestamptz not null,
  id uuid not null
);
comment on table purge_places is 'How far the purge came in each source (docs/decisions/0017-retention-and-erasure.md).';

create table purge_later (
  lead_id uuid primary key
);
comment on table purge_later is 'Leads and visits that the purge left: they could still be sent, or were set aside.';


-- JOBS in the background (docs/decisions/0080-jobs.md).

create table jobs (
  name text primary key,
  owner text not null default '',
  leased_until timestamptz not null default '-infinity',
  done_at timestamptz not null default '-infinity'
);
comment on table jobs is 'Jobs that one process at a time runs, under a lease.';
comment on column jobs.owner is 'The process that runs it.';
comment on column jobs.done_at is 'When a daily job was last done.';

create table set_aside (
  job text not null,
  item text not null,
  error text not null,
  at timestamptz not null default now(),
  retry_at timestamptz not null,
  primary key (job, item)
);
comment on table set_aside is 'Items that failed by themselves: their jobs go on without them, and try them again later.';
comment on column set_aside.error is 'Name or SQLSTATE of the error: its message could hold personal data.';


-- EVIDENCE: a log of consents and deliveries that others can check (docs/evidence.md): a Merkle tree over salted hashes.

create table evidence_pending (
  at timestamptz not null default now(),
  ref uuid not null,
  number integer not null,
  is_delivery boolean not null,
  primary key (at, ref, number)
);
comment on table evidence_pending is 'What waits to be logged: a lead''s revision, or a delivery''s attempt.';

create table evidence_log (
  id smallint primary key default 1 constraint evidence_log_id_check check (id = 1),
  size bigint not null default 0
);
comment on table evidence_log is 'The number of entries. Whoever appends locks the row.';
insert into evidence_log (id) values (1);

create table evidence_tiles (
  level smallint not null,
  tile integer not null,
  hashes bytea not null,
  at timestamptz not null default now(),
  primary key (level, tile)
);
comment on table evidence_tiles is 'Hashes of subtrees, 256 a row: of entries at level 0, of 256 entries at level 1, and so on.';
create index evidence_tiles_at_idx on evidence_tiles (at) where level = 0;

create table evidence_heads (
  at timestamptz primary key,
  size bigint not null,
  root_hash text not null,
  jws text not null,
  sent_at timestamptz
);
comment on table evidence_heads is 'Signed heads of the log.';
comment on column evidence_heads.sent_at is 'When it was sent to the operator''s own place (EVIDENCE_HEADS_URL).';
create index evidence_heads_unsent_idx on evidence_heads (at) where sent_at is null;

create table evidence_keys (
  kid text primary key,
  x text not null,
  valid_from timestamptz not null,
  valid_until timestamptz
);
comment on table evidence_keys is 'Public keys. A private key is never in the database.';


-- PEOPLE who use the console (docs/decisions/0067-console.md). Secrets are stored as SHA-256.

create table operators (
  id uuid primary key,
  email text not null constraint operators_email_key unique,
  role text not null constraint operators_role_check check (role in ('viewer', 'operator', 'admin')),
  oidc_subject text,
  invited_by text not null,
  created_at timestamptz not null default now(),
  disabled_at timestamptz,
  seen_at timestamptz
);
comment on table operators is 'Who may use the console.';
comment on column operators.email is 'In lower case.';
comment on column operators.oidc_subject is 'The person at the identity provider, since the first sign-in there.';

create table sign_in_secrets (
  sha256 text primary key,
  kind text not null constraint sign_in_secrets_kind_check check (kind in ('link', 'passkey', 'registration', 'oidc')),
  operator_id uuid references operators (id),
  detail jsonb not null default '{}',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
comment on table sign_in_secrets is 'Secrets that work once: sign-in links, challenges of passkeys, states of OpenID Connect.';

create table console_sessions (
  id uuid primary key,
  sha256 text not null constraint console_sessions_sha256_key unique,
  operator_id uuid not null references operators (id),
  way text not null,
  link_by text,
  user_agent text not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  ends_at timestamptz not null,
  revoked_at timestamptz
);
comment on table console_sessions is 'Sessions of the console.';
comment on column console_sessions.way is 'link, passkey or oidc.';
comment on column console_sessions.link_by is 'Who made the link.';

create table passkeys (
  id text primary key,
  operator_id uuid not null references operators (id),
  public_key text not null,
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null,
  created_at timestamptz not null default now(),
  used_at timestamptz
);
comment on table passkeys is 'Passkeys of operators. The id is the credential''s, the key COSE, both base64url.';

create table audit_log (
  id uuid primary key,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  subject text not null,
  reason text not null default '',
  detail jsonb not null default '{}'
);
comment on table audit_log is 'Every action, export and opening of personal data. Rows are only added.';
create index audit_log_actor_idx on audit_log (actor, id);
create index audit_log_action_idx on audit_log (action, id);
create index audit_log_subject_idx on audit_log (subject, id);

create table plans (
  id uuid primary key,
  action text not null constraint plans_action_check check (action in ('release', 'resend', 'suppress')),
  selection text not null,
  reason text not null,
  actor text not null,
  started_by text,
  state text not null default 'ready' constraint plans_known_state_check check (
    state in ('ready', 'running', 'done', 'cancelled', 'failed')),
  created_at timestamptz not null default now(),
  started_at timestamptz,
  changed_at timestamptz not null default now(),
  finished_at timestamptz
);
comment on table plans is 'Bulk actions on a frozen list. Any process runs them, in portions.';
comment on column plans.selection is 'What was selected, in words without personal data.';
comment on column plans.actor is 'Who made it. Leads are changed in the name of started_by.';
create index plans_created_at_idx on plans (created_at);
create index plans_running_idx on plans (changed_at) where state = 'running';

create table plan_items (
  plan_id uuid not null references plans (id) on delete cascade,
  number integer not null,
  lead_id uuid not null,
  delivery_id uuid,
  destinations text[] not null default '{}',
  was text not null default '',
  state text not null constraint plan_items_state_check check (state in ('due', 'passed_over', 'done', 'failed')),
  text text not null,
  primary key (plan_id, number)
);
comment on table plan_items is 'The items of a plan.';
comment on column plan_items.delivery_id is 'Only of a resend.';
comment on column plan_items.destinations is 'The destinations to which something is sent.';
comment on column plan_items.was is 'What must not have changed when its turn comes: the delivery''s state, or the lead''s revision.';
create index plan_items_due_idx on plan_items (plan_id, number) where state = 'due';
create index plan_items_lead_id_idx on plan_items (lead_id);


-- COUNTS for the console (docs/decisions/0068-counts.md). Everything here can be made again from the tables above.

create table visit_summaries (
  lead_id uuid primary key,
  began_at timestamptz not null,
  survey text not null,
  language text not null default '',
  source text not null default '',
  campaign text not null default '',
  sub_ids text[] not null default '{}',
  affiliate text not null default '',
  us_state text not null default '',
  device text not null default '',
  variants text[] not null default '{}',
  is_test boolean not null default false,
  has_answered boolean not null default false,
  has_completed boolean not null default false,
  has_refusals boolean not null default false,
  has_page_errors boolean not null default false,
  is_unauthorized boolean not null default false,
  received_at timestamptz,
  lead_state text,
  revision integer,
  qualified boolean,
  reason text not null default '',
  holds text[] not null default '{}',
  deliveries text[] not null default '{}',
  is_delivered boolean not null default false,
  is_rejected boolean not null default false,
  code text not null default '',
  name_key text
);
comment on table visit_summaries is 'One row for each visit that has a step, a lead or money.';
comment on column visit_summaries.survey is 'A path of the survey table, the contact form''s, or unknown.';
comment on column visit_summaries.device is 'phone, tablet or desktop. Empty: unknown.';
comment on column visit_summaries.variants is 'As buttons.rounded, one for each experiment.';
comment on column visit_summaries.campaign is 'The utm_campaign of the click.';
comment on column visit_summaries.sub_ids is 'As sub1=abc, one for each sub id of the click.';
comment on column visit_summaries.code is 'Why a buyer rejected the lead, as its code. Empty: none did.';
comment on column visit_summaries.is_unauthorized is 'The lead is a post without the secret of the lead that it names: it has no visit of its own.';
comment on column visit_summaries.received_at is 'When the lead came. Null: none was posted, or it is not counted yet.';
comment on column visit_summaries.holds is 'The reasons for which the lead is held now.';
comment on column visit_summaries.deliveries is 'As webhook:dead, one for each delivery of the lead itself, and as ingest:cap_reached if that buyer did not get it. The state of an open one may be older.';
comment on column visit_summaries.name_key is 'Last and first name in lower case, for the search. An erasure removes the row.';
create index visit_summaries_began_at_idx on visit_summaries (began_at);
create index visit_summaries_received_at_idx on visit_summaries (received_at, lead_id) where received_at is not null;
create index visit_summaries_name_key_idx on visit_summaries (name_key text_pattern_ops) where name_key is not null;
create index visit_summaries_holds_idx on visit_summaries (holds) where holds <> '{}' and not is_test;
-- Returns what filters of the list of leads compare. Null for a visit without a lead: the index is of all rows, since
-- PostgreSQL has no statistics from an index of a part of them.
create function facets_of(visit visit_summaries) returns text[] language sql immutable as $$
select case when visit.received_at is not null then array[
  'survey=' || visit.survey, 'lead=' || visit.lead_state, 'reason=' || visit.reason, 'source=' || visit.source,
  'affiliate=' || visit.affiliate, 'state=' || visit.us_state, 'language=' || visit.language,
  'campaign=' || visit.campaign, 'device=' || visit.device, 'code=' || visit.code,
  case when visit.is_test then 'tests=only' end, case when not visit.qualified then 'qualified=no' end
] || visit.holds || visit.deliveries || visit.variants || visit.sub_ids end
$$;
create index visit_summaries_facets_idx on visit_summaries using gin (facets_of(visit_summaries));
-- With the usual 100, rare values are unknown: their leads would be sought by walking all of them.
alter index visit_summaries_facets_idx alter column 1 set statistics 500;

-- Returns a click parameter in lower case if it is a short plain word. A placeholder, an address or seven digits, which
-- may be a phone number, are nothing to count by: null.
create function plain_word(value text) returns text language sql immutable as $$
select case
  when lower(btrim(value)) ~ '^[a-z0-9]([a-z0-9 ._+-]{0,38}[a-z0-9])?$' and btrim(value) !~ '[0-9]([ ._+-]*[0-9]){6}'
    and lower(btrim(value)) not in ('undefined', 'null', 'nan')
  then lower(btrim(value)) end
$$;

-- Returns the rows of visit_summaries as the ledger has them now. Reads at most 200 steps and 10 variants of a visit.
-- surveys: the survey table, as [{"path", "affiliate", "language"}]. services: destinations that buy no leads.
create function summaries_of(visits uuid[], surveys jsonb, services text[])
returns setof visit_summaries language sql stable as $$
select visit.lead_id, visit.created_at,
  -- Without a flow, the survey of a lead is a text from the visitor.
  case when lead.flow <> '' then lead.survey else coalesce(survey.path, 'unknown') end,
  case when lead.language ~ '^[a-z]{2}$' then lead.language else coalesce(survey.language, '') end,
  coalesce(plain_word(click.params->>'utm_source'), plain_word(fields.utm_source), case
      when click.params->>'gclid' ~ '^[A-Za-z0-9_-]{6,}$' then 'google'
      when click.params->>'fbclid' ~ '^[A-Za-z0-9_-]{6,}$' then 'facebook' end,
    nullif(plain_word(click.params->>'s1'), '1'), nullif(plain_word(click.params->>'sub1'), '1'), ''),
  coalesce(plain_word(click.params->>'utm_campaign'), plain_word(fields.utm_campaign), ''),
  array_remove(array[
    'sub1=' || nullif(plain_word(coalesce(click.params->>'s1', click.params->>'sub1')), '1'),
    'sub2=' || plain_word(click.params->>'sub2'), 'sub3=' || plain_word(click.params->>'sub3'),
    'sub4=' || plain_word(click.params->>'sub4')], null),
  -- That of the visitor: special routing sends another.
  coalesce(substring(fields.original_affid from '^[0-9]{1,6}$'), substring(fields.affid from '^[0-9]{1,6}$'),
    substring(click.params->>'affid' from '^[0-9]{1,6}$'), survey.affiliate, ''),
  coalesce(substring(fields.state from '^[A-Z]{2}$'), substring(fields.state_accident_occurred from '^[A-Z]{2}$'),
    substring(did.us_state from '^[A-Z]{2}$'), ''),
  case when browser.agent = '' then ''
    when browser.agent ~* 'ipad|tablet|kindle|silk' then 'tablet'
    when browser.agent ~* 'android' and browser.agent !~* 'mobile' then 'tablet'
    when browser.agent ~* 'mobi|iphone|ipod|android' then 'phone' else 'desktop' end,
  (string_to_array(coalesce(nullif(lead.variants, ''), did.variants, ''), '~'))[1:10],
  coalesce(lead.is_test, lower(btrim(click.params->>'lp_action')) = 'test', false),
  coalesce(did.has_answered, false) or (lead.id is not null and lead.claims_id is null),
  coalesce(did.has_completed, false) or (lead.id is not null and lead.claims_id is null),
  coalesce(did.has_refusals, false), coalesce(did.has_page_errors, false),
  lead.claims_id is not null, lead.created_at,
  coalesce(lead.state, case when visit.erased_at is not null then 'erased' end), lead.revision, lead.qualified,
  coalesce(lead.dq_reason, ''),
  coalesce(held.reasons, '{}'), coalesce(sent.deliveries, '{}'), coalesce(sent.is_delivered, false),
  coalesce(sent.is_rejected and not sent.is_delivered, false), coalesce(sent.code, ''),
  nullif(left(lower(btrim(concat_ws(' ', btrim(fields.last_name), btrim(fields.first_name)))), 100), '')
from unnest(visits) as asked(id)
join visits visit on visit.lead_id = asked.id
left join leads lead on lead.id = visit.lead_id
left join jsonb_to_recordset(surveys) as survey(path text, affiliate text, language text) on survey.path = visit.survey
left join lead_revisions newest on newest.lead_id = lead.id and newest.revision = lead.revision
left join lateral (
  select params, user_agent from clicks where clicks.lead_id = visit.lead_id order by created_at, id limit 1
) as click on true
left join lateral json_to_record(outgoing_fields(newest)) as fields(affid text, original_affid text, state text,
  state_accident_occurred text, utm_source text, utm_campaign text, first_name text, last_name text, user_agent text)
  on true
cross join lateral (
  select coalesce(nullif(click.user_agent, ''), lead.user_agent, fields.user_agent, '') as agent) as browser
cross join lateral (
  select count(*) as steps, bool_or(kind = 'answered' and answers <> '{}') as has_answered,
    bool_or(kind = 'submitted') as has_completed, bool_or(kind = 'refused') as has_refusals,
    bool_or(kind = 'failed') as has_page_errors,
    (array_agg(variants order by seq) filter (where variants <> ''))[1] as variants,
    (array_agg(coalesce(answers->>'state', answers->>'state_accident_occurred') order by seq desc)
      filter (where answers ?| '{state,state_accident_occurred}'))[1] as us_state
  from (select * from progress where progress.lead_id = visit.lead_id order by seq limit 200) as step
) as did
cross join lateral (
  select array_agg(distinct problem->>'reason') as reasons from json_array_elements(newest.problems) as problem
  where lead.state = 'held' and problem->>'problem' = 'held'
) as held
cross join lateral (
  select array_agg(destination || ':' || state order by destination)
      || array_agg(destination || ':' || end_reason order by destination) filter (where state = 'passed_over')
      as deliveries,
    bool_or(state = 'delivered' and destination <> all(services)) as is_delivered,
    bool_or(state = 'rejected' and destination <> all(services)) as is_rejected,
    max(answer_code) filter (where state = 'rejected' and destination <> all(services)) as code
  from deliveries where deliveries.lead_id = lead.id and event_key = ''
) as sent
where did.steps > 0 or lead.id is not null
  -- The money of an erased visit still counts.
  or exists (select 1 from money_entries where money_entries.lead_id = visit.lead_id)
$$;

-- Returns what a visit did at the known steps of its survey, each once, as edge|StartPath|AtFault. An edge is a step that
-- was answered and the step that was shown next, so that a branch not taken is no loss. Durations are in buckets, two
-- for each doubling of the seconds. Reads at most 200 steps.
create function step_facts(visit uuid, known text[], has_completed boolean)
returns setof text language sql stable as $$
with entries as (
  select step, kind, seconds, refused, lag(kind) over by_time as kind_before, lag(step) over by_time as step_before,
    seq = max(seq) filter (where kind = 'viewed') over () as is_last
  from (select * from progress where lead_id = visit order by seq limit 200) as entry
  where step = any(known) and kind in ('viewed', 'answered', 'back', 'submitted', 'refused')
  window by_time as (order by seq)
)
select 'seen|' || step from entries where kind = 'viewed'
union select 'edge|' || step_before || '|' || step from entries where kind = 'viewed' and kind_before = 'answered'
union select 'edge|' || step || '|submit' from entries where kind = 'submitted'
union select 'left|' || step from entries where is_last and not has_completed
union select 'back|' || step from entries where kind = 'back'
union select 'answered|' || step from entries where kind in ('answered', 'submitted')
union select 'time|' || step || '|' ||
    case when seconds < 1 then 0 else least(40, 1 + floor(2 * ln(seconds::float8) / ln(2) + 1e-9)::integer) end
  from entries where kind in ('answered', 'submitted') and seconds is not null
union select 'refused|' || step || '|' || field
  from entries cross join lateral unnest(string_to_array(refused, ',')) as field where kind = 'refused'
$$;

create table hourly_counts (
  dimension text not null,
  survey text not null,
  hour timestamptz not null,
  value text not null,
  visits integer not null,
  first_answers integer not null,
  completed integer not null,
  accepted integer not null,
  held integer not null,
  qualified integer not null,
  delivered integer not null,
  rejected integer not null,
  refusals integer not null,
  page_errors integer not null default 0,
  cost numeric(14, 4) not null default 0,
  revenue numeric(14, 4) not null default 0,
  returned numeric(14, 4) not null default 0,
  primary key (dimension, survey, hour, value)
);
comment on table hourly_counts is 'Visits and their money by the hour in which they began, without tests. Erased visits count only as money.';
comment on column hourly_counts.dimension is 'all, survey, source, campaign, sub, affiliate, state, language, device, buyer, code or variant.';
comment on column hourly_counts.cost is 'What these visits cost, payouts included.';
comment on column hourly_counts.revenue is 'What their leads brought, net of returns.';
comment on column hourly_counts.returned is 'The returns that revenue is net of.';
comment on column hourly_counts.survey is 'A survey''s path. Empty: all surveys together.';
comment on column hourly_counts.value is 'The dimension''s value, such as google. other: one of many rare values.';
create index hourly_counts_hour_idx on hourly_counts (hour);

create table hourly_steps (
  dimension text not null,
  survey text not null,
  hour timestamptz not null,
  value text not null,
  steps jsonb not null,
  primary key (dimension, survey, hour, value)
);
comment on table hourly_steps is 'The same visits by what they did, as edge|StartPath|AtFault.';
create index hourly_steps_hour_idx on hourly_steps (hour);

create table page_speeds (
  page text not null,
  day date not null,
  step text not null,
  device text not null,
  metric text not null constraint page_speeds_metric_check check (metric in ('LCP', 'INP', 'CLS')),
  bucket smallint not null,
  views integer not null,
  primary key (page, day, step, device, metric, bucket)
);
comment on table page_speeds is 'Page views by how fast the page was. Nothing about the visitor.';
comment on column page_speeds.step is 'The survey''s step on screen. Empty: not a survey.';
comment on column page_speeds.device is 'slow_phone, phone or computer.';
comment on column page_speeds.metric is 'Core Web Vitals: largest paint, tap to next paint, layout shift.';
comment on column page_speeds.bucket is 'Eight for each doubling of 1 + milliseconds, or of 1 + thousandths of layout shift.';
create index page_speeds_day_idx on page_speeds (day);

create table hourly_attempts (
  hour timestamptz not null,
  destination text not null,
  outcome text not null,
  bucket integer not null,
  attempts integer not null,
  primary key (hour, destination, outcome, bucket)
);
comment on table hourly_attempts is 'Delivery attempts by the hour in which they began, without tests.';
comment on column hourly_attempts.bucket is 'The duration: four buckets for each doubling, from 1 ms. -1: unknown.';

create table counting (
  id integer primary key constraint counting_id_check check (id = 1),
  counted_until timestamptz,
  complete_since timestamptz not null
);
comment on table counting is 'How far the tables above are counted. A portion and an erasure lock the row.';
comment on column counting.counted_until is 'Changes until then are counted, except those that were committed late.';
comment on column counting.complete_since is 'Since then no visit was purged, so hours can be counted again.';
insert into counting (id, complete_since) values (1, 'epoch');

create table hours_to_count (
  hour timestamptz primary key,
  at timestamptz not null default now()
);
comment on table hours_to_count is 'The hours with changed visits or attempts. They are counted in the order in which they were marked.';


-- REPORTS for the owner (docs/operations.md#sql). They name persons.

create schema report;

create view report.leads as
select l.id as lead_id, l.created_at as received_at, l.survey, l.language, l.state, l.is_test,
  l.claims_id is not null as is_unauthorized, l.qualified, l.dq_reason,
  f.first_name, f.last_name, f.email, f.phone, f.zip_code, f.state as us_state,
  s.source, s.affiliate, coalesce(s.holds, '{}') as holds, l.click_id, l.revision, l.erased_at
from leads l join lead_revisions r on r.lead_id = l.id and r.revision = l.revision
left join visit_summaries s on s.lead_id = l.id
cross join lateral json_to_record(outgoing_fields(r)) as f(first_name text, last_name text, email text, phone text,
  zip_code text, state text);
comment on view report.leads is 'One row for each lead, as its newest revision has it.';
comment on column report.leads.state is 'accepted, held, dismissed or erased.';
comment on column report.leads.is_unauthorized is 'The post named another visitor''s lead without its secret.';
comment on column report.leads.dq_reason is 'First rule that disqualifies, as field|value.';
comment on column report.leads.source is 'Counted within minutes, as holds are: null until then.';
comment on column report.leads.holds is 'The reasons for which the lead is held now.';

create view report.deliveries as
select d.id as delivery_id, d.lead_id, l.is_test, d.destination, d.event_key as event, d.state, d.end_reason,
  d.attempts, d.external_id, d.last_message, d.created_at, d.due_at, d.finished_at
from deliveries d join leads l on l.id = d.lead_id;
comment on view report.deliveries is 'One row for each destination of a lead, and for each event that a destination is told.';
comment on column report.deliveries.event is 'Empty: the lead itself is sent.';
comment on column report.deliveries.state is 'uncertain: perhaps arrived, so not sent again. dead: given up. suppressed: must not be sent.';

create view report.answers as
select r.lead_id, r.revision, r.revision = l.revision as is_newest, r.received_at, a.key as question, a.value as answer
from lead_revisions r join leads l on l.id = r.lead_id cross join lateral json_each_text(coalesce(r.merged, r.body)) as a
where a.key <> all (array[
    '1_to_1_dq', '1_to_1_result', '1_to_1_timeout', 'accident_limit_exceeded', 'accident_within_last_year', 'affid',
    'all_possible_buyer_ids', 'all_possible_buyer_names', 'all_possible_buyers_number', 'bad_words',
    'call_tracking_number', 'came_by', 'case_type', 'city', 'click_id', 'consent_seen', 'consent_shown_at',
    'consent_version', 'county', 'date_of_birth', 'days_from_incident_date', 'debug_id', 'do_not_send_to_dq',
    'dq_reason', 'ef_transaction_id', 'enough_words', 'fbclid', 'flow_version', 'gbraid', 'gclid', 'health_authorization',
    'health_authorization_text', 'incident_date', 'injuries_sustained', 'injury_rx_qualified',
    'ip_address', 'is_gibberish', 'jornaya_leadid', 'landing_page', 'landing_page_url', 'language', 'lead_id', 'lead_is_qualified', 'leadid_token', 'li_fat_id', 'lp_action',
    'lp_campaign_id', 'lp_key', 'lp_s2', 'lp_subid1', 'lp_supplier_id', 'may_call_from',
    'may_call_on_sunday', 'may_call_time_zone', 'may_call_until', 'months_from_incident_date', 'msclkid',
    'name_bad_word', 'name_gibberish', 'oid', 'original_affid', 'original_oid', 'page_referer', 'rdt_cid',
    'selected_buyer_names', 'selected_buyers_changed', 'selected_buyers_number', 'settlement_offers', 'sms_verified',
    'sms_verified_at', 'source_id', 'state', 'state_long', 'sub_id', 'sub_id2', 'sub_id3', 'sub_id4', 'submitted_at',
    'survey', 'tcpa', 'time_on_steps', 'traffic_source_pool', 'trusted_form_cert_id', 'trustedform_cert_url',
    'ttclid', 'twclid', 'uid', 'user_agent', 'utm_campaign', 'utm_content', 'utm_medium', 'utm_source', 'utm_term',
    'visitor_state', 'wbraid'
  ]);
comment on view report.answers is 'One row for each answer of each revision of a lead, as received. Also posted names that no field has.';

create view report.fields as
select r.lead_id, r.revision, r.revision = l.revision as is_newest, f.key as field,
  coalesce(f.value, coalesce(r.merged, r.body)->>f.key,
    case f.key when 'tcpa' then coalesce(c.text, t.text) when 'user_agent' then l.user_agent end) as value
from lead_revisions r join leads l on l.id = r.lead_id cross join lateral json_each_text(r.fields) as f
left join consents c on c.lead_id = r.lead_id and c.revision = r.revision
left join consent_texts t on t.sha256 = c.text_sha256;
comment on view report.fields is 'One row for each outgoing field of each revision of a lead, with the rules'' values.';

create view report.clicks as
select c.lead_id as visit_id, l.id is not null as has_lead, c.id as click_id, c.created_at as clicked_at, c.survey,
  c.landing_page, c.referer, c.params->>'utm_source' as utm_source, c.params->>'utm_campaign' as utm_campaign,
  c.params, c.sec_gpc as has_opt_out_signal
from clicks c left join leads l on l.id = c.lead_id;
comment on view report.clicks is 'One row for each click that began a visit, with or without a lead.';
comment on column report.clicks.visit_id is 'The lead''s id, if the visit became a lead.';
comment on column report.clicks.params is 'All query parameters of the landing page.';

create view report.consents as
select c.lead_id, c.revision, c.created_at as received_at, c.shown_at, c.given_at, coalesce(c.text, t.text) as text,
  c.version, c.language, c.page, c.buyers, c.certificate, coalesce(c.ip, l.ip) as ip,
  coalesce(c.user_agent, l.user_agent) as user_agent, c.person
from consents c join leads l on l.id = c.lead_id left join consent_texts t on t.sha256 = c.text_sha256;
comment on view report.consents is 'One row for each consent, with the text as the visitor saw it. Stays when the lead expires.';
comment on column report.consents.person is 'Name, address and number, once the lead itself has expired.';

create view report.money as
select m.at, m.kind, m.amount, m.currency, m.destination as buyer, m.lead_id as visit_id, m.delivery_id,
  coalesce(v.created_at, m.at) as counted_at, coalesce(s.survey, m.about->>'survey', '') as survey,
  coalesce(s.source, m.about->>'source', '') as source, coalesce(s.campaign, m.about->>'campaign', '') as campaign,
  coalesce(s.affiliate, m.about->>'affiliate', '') as affiliate, coalesce(l.is_test, s.is_test, false) as is_test,
  m.source as origin, m.reason, m.actor
from money_entries m left join visits v on v.lead_id = m.lead_id left join leads l on l.id = m.lead_id
left join visit_summaries s on s.lead_id = m.lead_id;
comment on view report.money is 'One row for each entry of the money ledger. Names no person.';
comment on column report.money.amount is 'Positive: we receive it (sale). Negative: it costs us (cost, payout, return).';
comment on column report.money.visit_id is 'The lead''s id, if the visit became a lead. Null: a cost of a day that no visit carries.';
comment on column report.money.counted_at is 'When its visit began: the console counts it in this hour.';
