-- What the console counts and lists (docs/decisions/0068-counts.md). These tables can be made again from the ledger.

-- One row per visit that has a step or a lead. No contact details but the key of the name.
create table visit_summaries (
  lead_id uuid primary key,
  began_at timestamptz not null,
  -- A path of the survey table, the contact form's, or `unknown`.
  survey text not null,
  language text not null default '',
  source text not null default '',
  affiliate text not null default '',
  us_state text not null default '',
  -- `phone`, `tablet` or `desktop`; empty: not known.
  device text not null default '',
  -- As `buttons.rounded`, one entry per experiment.
  variants text[] not null default '{}',
  is_test boolean not null default false,
  has_answered boolean not null default false,
  has_completed boolean not null default false,
  has_refusals boolean not null default false,
  -- The lead is a disputed post: it has no visit of its own.
  is_disputed boolean not null default false,
  -- The lead; null: none was posted, or it is not counted yet.
  received_at timestamptz,
  lead_state text,
  revision integer,
  qualified boolean,
  reason text not null default '',
  -- The reasons for which the lead is held now.
  holds text[] not null default '{}',
  -- As `webhook:dead`, one entry per delivery of the lead itself. While a delivery is open, its state may be older.
  deliveries text[] not null default '{}',
  is_delivered boolean not null default false,
  is_rejected boolean not null default false,
  -- Last and first name in lower case, for the search by the beginning of a name. Erasure removes the row.
  name_key text
);
create index visit_summaries_began_at_idx on visit_summaries (began_at);
create index visit_summaries_received_at_idx on visit_summaries (received_at, lead_id) where received_at is not null;
create index visit_summaries_name_key_idx on visit_summaries (name_key text_pattern_ops) where name_key is not null;
-- The held leads by reason, without a look at their rows.
create index visit_summaries_holds_idx on visit_summaries (holds) where holds <> '{}' and not is_test;

-- Visits by the hour in which they began. Test leads and erased visits are left out.
create table hourly_counts (
  -- `all`, `survey`, `source`, `affiliate`, `state`, `language`, `device` or `variant`.
  dimension text not null,
  -- A survey's path; empty: all surveys together.
  survey text not null,
  hour timestamptz not null,
  -- The dimension's value, such as `google`; `other`: one of many rare values.
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
  primary key (dimension, survey, hour, value)
);
create index hourly_counts_hour_idx on hourly_counts (hour);

-- The way of these visits through a survey's flow: visits by what they did, as `edge|StartPath|AtFault`.
create table hourly_steps (
  dimension text not null,
  survey text not null,
  hour timestamptz not null,
  value text not null,
  steps jsonb not null,
  primary key (dimension, survey, hour, value)
);
create index hourly_steps_hour_idx on hourly_steps (hour);

-- How far the ledger has been counted. One row, which the process that counts holds locked.
create table counting (
  id integer primary key constraint counting_id_check check (id = 1),
  -- Every change until then is counted for good.
  settled_until timestamptz not null,
  -- Changes until then are counted, except those that were committed late; null: nothing is counted yet.
  counted_until timestamptz,
  -- When the counting last found something to change.
  changed_at timestamptz,
  -- Since then no visit was purged, so that hours can be counted again.
  complete_since timestamptz not null
);
insert into counting (id, settled_until, complete_since) values (1, 'epoch', 'epoch');

-- The hours with changed visits.
create table hours_to_count (
  hour timestamptz primary key
);

-- What has changed since, for the counting and nothing else.
create index visits_seen_at_idx on visits (seen_at);
create index deliveries_finished_at_idx on deliveries (finished_at) where finished_at is not null;
create index lead_events_at_idx on lead_events (at);

-- The leads that wait for a person.
create index leads_held_idx on leads (created_at) where state = 'held' and not is_test;

-- The fields that a step refused, with commas between them; null unless the kind is `refused`.
alter table progress add column refused text;
