-- One ledger (docs/decisions/0016-ledger.md): whose a lead is, immutable revisions, clicks by visit,
-- deliveries that are their own queue, events, suppression. Stop every older process before: the queue
-- that they work is dropped here.

-- Whose a lead is, and what is known before it is posted. One row a lead id, from its first contact on.
create table visits (
  lead_id uuid primary key,
  -- Of the secret that the browser made with the id; null: begun without one.
  secret_sha256 text,
  survey text not null default '',
  -- The ingest account that the mapping service named, in place of the settings'.
  account jsonb,
  -- The buyers that were offered, by zip code.
  offers jsonb not null default '{}',
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  erased_at timestamptz
);

insert into visits (lead_id, survey, created_at, seen_at)
  select id, survey, created_at, updated_at from leads;
insert into visits (lead_id, survey, created_at, seen_at)
  select lead_id, min(survey), min(received_at), max(received_at) from progress group by lead_id
  on conflict (lead_id) do nothing;
delete from clicks where lead_id is null;
insert into visits (lead_id, survey, created_at, seen_at)
  select lead_id, coalesce(min(survey), ''), min(created_at), max(created_at) from clicks group by lead_id
  on conflict (lead_id) do nothing;
insert into visits (lead_id, account, created_at, seen_at)
  select lead_id, jsonb_build_object('campaignId', campaign_id, 'supplierId', supplier_id, 'key', key),
    created_at, created_at
  from lead_accounts
  on conflict (lead_id) do update set account = excluded.account;
insert into visits (lead_id, offers, created_at, seen_at)
  select lead_id, offer, created_at, created_at from buyer_offers
  on conflict (lead_id) do update set offers = excluded.offers;
drop table lead_accounts;
drop table buyer_offers;

-- A click belongs to one visit: a link that was forwarded brings the same transaction id twice.
alter table clicks alter column lead_id set not null;
alter table clicks drop constraint clicks_pkey;
alter table clicks add primary key (lead_id, id);
drop index clicks_lead_id_idx;

-- A revision says everything of its own, and is never updated. Its documents are of the type json: kept
-- to the letter as they were written, and without the cost of taking them apart for each lead.
alter table lead_revisions
  alter column change drop default,
  alter column body type json using body::text::json,
  alter column change type json using change::text::json,
  -- SHA-256 of the body with its keys sorted; the next migration fills it in for the rows of before.
  add column body_sha256 text not null default '',
  -- The body merged with those before; null: the body itself.
  add column merged json,
  add column answers json not null default '{}',
  add column fields json not null default '{}',
  add column decisions json not null default '[]',
  add column overrides json not null default '[]',
  add column differences json not null default '[]',
  add column problems json not null default '[]',
  add column email_key text,
  add column phone_key text,
  add column rules_version text not null default '',
  add column flow_version text not null default '';
alter table lead_revisions alter column change set default '{}';

-- What was overwritten before cannot be brought back: only the newest revision is known in full.
update lead_revisions set answers = leads.answers::text::json, fields = leads.fields::text::json,
    decisions = leads.decisions::text::json, overrides = leads.overrides::text::json,
    differences = leads.differences::text::json, problems = leads.problems::text::json,
    email_key = leads.email_key, phone_key = leads.phone_key
  from leads where leads.id = lead_revisions.lead_id and leads.revision = lead_revisions.revision;

alter table leads
  drop column answers,
  drop column fields,
  drop column decisions,
  drop column overrides,
  drop column differences,
  drop column problems,
  -- The opt-out signal of the request that brought the lead (Sec-GPC: 1).
  add column sec_gpc boolean not null default false,
  -- The lead that this one claims to be, without the proof.
  add column claims_id uuid,
  add column erased_at timestamptz;
alter table leads drop constraint leads_state_check;
alter table leads add constraint leads_state_check check (state in ('accepted', 'held', 'erased'));
create index leads_claims_id_idx on leads (claims_id) where claims_id is not null;

update leads set sec_gpc = true
  where exists (select 1 from clicks where clicks.lead_id = leads.id and clicks.sec_gpc);

-- Who gave a consent, kept with it where the lead itself is no longer kept.
alter table consents add column person jsonb;

-- What was done to a lead by people and by rules of retention.
create table lead_events (
  id uuid primary key,
  lead_id uuid not null,
  delivery_id uuid,
  at timestamptz not null default now(),
  kind text not null
    constraint lead_events_kind_check check (kind in ('resent', 'released', 'suppressed', 'erased', 'expired')),
  actor text not null,
  detail jsonb not null default '{}'
);
create index lead_events_lead_id_idx on lead_events (lead_id, at);

-- A resend was a row among the attempts; it is an event, and attempts are counted without it.
insert into lead_events (id, lead_id, delivery_id, at, kind, actor, detail)
  select md5(a.delivery_id::text || a.attempt::text)::uuid, d.lead_id, d.id, a.started_at, 'resent',
    'an operator', jsonb_build_object('note', a.error)
  from delivery_attempts a join deliveries d on d.id = a.delivery_id
  where a.outcome = 'resend';

alter table deliveries
  -- When it has to be looked at next: sent, tried again, or taken over (the end of a lease).
  add column due_at timestamptz,
  -- Pinned at the first claim: what is sent, and to whose account.
  add column revision integer,
  add column account text,
  -- An attempt was taken, or perhaps was.
  add column may_have_arrived boolean not null default false,
  -- The attempts before the present round; a resend begins a new one.
  add column attempts_before_round integer not null default 0;
alter table deliveries alter column payload_version drop not null;
alter table deliveries alter column payload_version drop default;

update deliveries set
  may_have_arrived = exists (select 1 from delivery_attempts a where a.delivery_id = deliveries.id
    and (a.outcome is null or a.outcome in ('unknown', 'delivered'))),
  attempts = attempts - (select count(*) from delivery_attempts a
    where a.delivery_id = deliveries.id and a.outcome = 'resend'),
  attempts_before_round = (select count(*) from delivery_attempts a
    where a.delivery_id = deliveries.id and a.outcome is distinct from 'resend'
      and a.attempt < (select max(r.attempt) from delivery_attempts r
        where r.delivery_id = deliveries.id and r.outcome = 'resend')),
  due_at = case state when 'waiting' then coalesce(next_attempt_at, created_at)
    when 'retrying' then coalesce(next_attempt_at, now())
    when 'sending' then coalesce(lease_until, now()) end;
-- Pinned is what was claimed; a resend that nobody has taken up was no attempt.
update deliveries set
  payload_version = case when attempts > 0 then payload_version end,
  revision = case when attempts > 0
    then (select case when l.revision = 1 then 1 end from leads l where l.id = deliveries.lead_id) end;

-- Attempts are numbered anew without the notes; through negative numbers, so that no two meet.
delete from delivery_attempts where outcome = 'resend';
update delivery_attempts set attempt = -numbered.number
  from (select delivery_id as id, attempt as old,
      row_number() over (partition by delivery_id order by attempt) as number
    from delivery_attempts) as numbered
  where numbered.id = delivery_attempts.delivery_id and numbered.old = delivery_attempts.attempt;
update delivery_attempts set attempt = -attempt;

alter table delivery_attempts
  -- SHA-256 of the exact bytes, committed before they are sent.
  add column sent_sha256 text,
  add column revision integer,
  add column account text,
  add column payload_version integer;

drop index deliveries_open_idx;
alter table deliveries drop column next_attempt_at, drop column lease_until;
alter table deliveries drop constraint deliveries_state_check;
alter table deliveries add constraint deliveries_state_check check (state in (
  'waiting', 'sending', 'retrying', 'delivered', 'rejected', 'dead', 'uncertain',
  'no_destination', 'held', 'suppressed'));
-- The queue: what is due, destination by destination. Finished deliveries are not in it.
create index deliveries_due_idx on deliveries (destination, due_at)
  where state in ('waiting', 'sending', 'retrying');

-- Nothing is sent of anyone who is in here. The key is a hash of an e-mail address or a phone number.
create table suppressions (
  key text primary key,
  kind text not null constraint suppressions_kind_check check (kind in ('email', 'phone')),
  actor text not null,
  created_at timestamptz not null default now()
);

-- Which files and settings a version of the rules was.
create table rule_versions (
  version text primary key,
  files jsonb not null,
  settings jsonb not null,
  first_used_at timestamptz not null default now()
);

-- Work that is done once a day, by whichever process takes it.
create table chores (
  name text primary key,
  last_run_at timestamptz not null
);

drop schema if exists pgboss cascade;
