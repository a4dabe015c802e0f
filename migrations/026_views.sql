-- The list of leads in the console: an index for its filters, and saved views.

-- Finds the leads of every filter that few leads match, or no recent ones: a held reason, dead deliveries of one
-- destination, an experiment that has ended. The day (UTC, since 1970) leads to the newest of many. The expression is that of operators/lead-list/condition.ts.
create index visit_summaries_facets_idx on visit_summaries using gin ((array[
  'survey=' || survey, 'lead=' || lead_state, 'reason=' || reason, 'source=' || source,
  'affiliate=' || affiliate, 'state=' || us_state, 'language=' || language,
  'day=' || ((received_at at time zone 'UTC')::date - date '1970-01-01')::text,
  case when is_test then 'tests=only' end,
  case when not qualified then 'qualified=no' end
] || holds || deliveries || variants)) where received_at is not null;

create table saved_views (
  id uuid primary key,
  -- The operator's e-mail address.
  owner text not null,
  name text not null,
  -- A `LeadFilter` without a search, which could name a person.
  filter jsonb not null,
  columns text[] not null,
  is_shared boolean not null,
  saved_at timestamptz not null default now(),
  constraint saved_views_owner_name_key unique (owner, name)
);
create index saved_views_shared_idx on saved_views (name) where is_shared;
