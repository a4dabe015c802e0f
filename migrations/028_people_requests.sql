-- The console's lists of suppressions, do-not-sell requests and erasures, and imports into the suppression list.

create index suppressions_created_at_idx on suppressions (created_at, key);
create index opt_out_requests_outcome_idx on opt_out_requests (outcome, received_at, id);
create index lead_events_erased_idx on lead_events (at, id) where kind = 'erased';

create table suppression_imports (
  id uuid primary key,
  actor text not null,
  created_at timestamptz not null default now(),
  added integer not null default 0,
  known integer not null default 0,
  refused integer not null default 0,
  hashes integer not null default 0,
  -- The last lead revision that was compared with the hashes.
  lead_id uuid not null default '00000000-0000-0000-0000-000000000000',
  revision integer not null default 0,
  compared integer not null default 0,
  matched integer not null default 0,
  -- Until when one process reads or compares; then another may take over.
  leased_until timestamptz not null,
  finished_at timestamptz
);
create index suppression_imports_created_at_idx on suppression_imports (created_at, id);
create index suppression_imports_open_idx on suppression_imports (created_at) where finished_at is null;

-- Hashes of another system, while they are compared with our leads. Deleted at the end: an address can be
-- guessed from its hash.
create table suppression_import_hashes (
  import_id uuid not null,
  hash text not null,
  primary key (import_id, hash)
);
