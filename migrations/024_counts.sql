-- What the console counts and lists (docs/decisions/0068-counts.md). Both tables can be made again from the ledger.

-- One row per visit, with its lead if it has one. No contact details but the key of the name.
create table visit_summaries (
  lead_id uuid primary key,
  began_at timestamptz not null,
  survey text not null,
  language text not null default '',
  source text not null default '',
  affiliate text not null default '',
  us_state text not null default '',
  device text not null default '',
  -- As `buttons.rounded`, one entry per experiment.
  variants text[] not null default '{}',
  is_test boolean not null default false,
  has_answered boolean not null default false,
  has_completed boolean not null default false,
  has_refusals boolean not null default false,
  -- The lead; null: none was posted, or it is not counted yet.
  received_at timestamptz,
  lead_state text,
  revision integer,
  qualified boolean,
  reason text not null default '',
  holds text[] not null default '{}',
  -- As `webhook:dead`, one entry per delivery of the lead itself.
  deliveries text[] not null default '{}',
  is_delivered boolean not null default false,
  is_rejected boolean not null default false,
  -- Last and first name in lower case, for the search by the beginning of a name. Erasure removes the row.
  name_key text
);
create index visit_summaries_began_at_idx on visit_summaries (began_at);
create index visit_summaries_received_at_idx on visit_summaries (received_at, lead_id) where received_at is not null;
create index visit_summaries_name_key_idx on visit_summaries (name_key text_pattern_ops) where name_key is not null;

-- Visits by the hour in which they began. Test leads are left out.
create table hourly_counts (
  -- `all`, or a dimension with its value, such as `source=google`.
  segment text not null,
  -- A survey's path; empty: all surveys together.
  survey text not null,
  hour timestamptz not null,
  visits integer not null,
  first_answers integer not null,
  completed integer not null,
  accepted integer not null,
  held integer not null,
  qualified integer not null,
  delivered integer not null,
  rejected integer not null,
  refusals integer not null,
  -- Steps and edges of one survey's flow; null for all surveys together.
  steps jsonb,
  primary key (segment, survey, hour)
);
create index hourly_counts_hour_idx on hourly_counts (hour);

-- Until when the ledger has been counted. One row.
create table counting (
  id integer primary key constraint counting_id_check check (id = 1),
  counted_until timestamptz not null,
  counted_at timestamptz not null
);

-- What has changed since, for the counting and nothing else.
create index visits_created_at_idx on visits (created_at);
create index visits_seen_at_idx on visits (seen_at);
create index deliveries_finished_at_idx on deliveries (finished_at) where finished_at is not null;
create index lead_events_at_idx on lead_events (at);

-- The fields that a step refused, with commas between them; null unless the kind is `refused`.
alter table progress add column refused text;
