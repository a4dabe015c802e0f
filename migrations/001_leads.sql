-- Leads and everything that tells their story: click, consent, progress, revisions, deliveries.
--
-- Only SQL that PostgreSQL, CockroachDB, YugabyteDB and Citus share: no triggers, no extensions, no
-- generated columns. Ids are made by the application. Indexes are few: a lead's write path touches
-- leads, lead_revisions, consents and deliveries in one statement.

create table leads (
  id uuid primary key,
  survey text not null,
  flow text not null,
  language text not null,
  state text not null default 'accepted'
    constraint leads_state_check check (state in ('accepted', 'held')),
  revision integer not null default 1
    constraint leads_revision_check check (revision >= 1),
  is_test boolean not null default false,
  qualified boolean not null,
  dq_reason text not null default '',
  lead_is_qualified boolean not null,
  do_not_send_to_dq text not null
    constraint leads_do_not_send_to_dq_check check (do_not_send_to_dq in ('yes', 'no')),
  answers jsonb not null,
  fields jsonb not null,
  decisions jsonb not null default '[]',
  overrides jsonb not null default '{}',
  differences jsonb not null default '{}',
  problems jsonb not null default '[]',
  email_key text,
  phone_key text,
  click_id text,
  ip text,
  user_agent text,
  created_at timestamptz not null default now(),
  submitted_at timestamptz,
  updated_at timestamptz not null default now()
);

create index leads_created_at_idx on leads (created_at);
create index leads_email_key_idx on leads (email_key, created_at) where email_key is not null;
create index leads_phone_key_idx on leads (phone_key, created_at) where phone_key is not null;

create table lead_revisions (
  lead_id uuid not null references leads (id) on delete cascade,
  revision integer not null,
  received_at timestamptz not null default now(),
  body jsonb not null,
  change jsonb not null default '{}',
  primary key (lead_id, revision)
);

-- A click exists before its lead, and often without one: no foreign key.
create table clicks (
  id text primary key,
  lead_id uuid,
  survey text,
  landing_page text,
  params jsonb not null default '{}',
  referer text,
  ip text,
  user_agent text,
  sec_gpc boolean not null default false,
  created_at timestamptz not null default now()
);

create index clicks_lead_id_idx on clicks (lead_id) where lead_id is not null;

-- What the visitor saw as consent, as seen; kept for 5 years (16 CFR 310.5). One row a revision.
create table consents (
  lead_id uuid not null references leads (id) on delete cascade,
  revision integer not null,
  text text not null,
  text_sha256 text not null,
  version text not null default '',
  language text not null,
  page text not null,
  shown_at timestamptz,
  given_at timestamptz,
  ip text,
  user_agent text,
  buyers jsonb not null default '[]',
  certificate text,
  created_at timestamptz not null default now(),
  primary key (lead_id, revision)
);

-- Steps as the browser reports them. seq is the browser's own counter, so a repeated report changes
-- nothing. Progress exists before its lead, and without one: no foreign key.
create table progress (
  lead_id uuid not null,
  seq integer not null,
  survey text not null,
  step text not null,
  kind text not null,
  answers jsonb not null default '{}',
  seconds numeric(12, 3),
  at timestamptz,
  received_at timestamptz not null default now(),
  primary key (lead_id, seq)
);

create table deliveries (
  id uuid primary key,
  lead_id uuid not null references leads (id) on delete cascade,
  destination text not null,
  state text not null
    constraint deliveries_state_check check (state in (
      'waiting', 'sending', 'retrying', 'delivered', 'rejected', 'dead', 'uncertain',
      'no_destination', 'held')),
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  lease_until timestamptz,
  lease_owner text,
  payload_version integer not null default 1,
  external_id text,
  last_message text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  constraint deliveries_lead_id_destination_key unique (lead_id, destination)
);

-- What the reconciler looks for: deliveries that still have to move. Finished ones are not in it.
create index deliveries_open_idx on deliveries (state, next_attempt_at)
  where state in ('waiting', 'sending', 'retrying');

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
  primary key (delivery_id, attempt)
);
