-- Services that fail, and until when no process calls them (docs/decisions/0024-checks.md). Unlogged: after a crash each
-- process counts anew.
create unlogged table service_circuits (
  service text primary key,
  -- In a row, of all processes.
  failures integer not null,
  failed_at timestamptz not null,
  -- Null: it is called.
  open_until timestamptz
);
