-- Background jobs (docs/decisions/0080-jobs.md).

-- One row per job that one process at a time runs, under a lease.
create table jobs (
  name text primary key,
  -- The process that runs it.
  owner text not null default '',
  leased_until timestamptz not null default '-infinity',
  -- When a daily job was last done.
  done_at timestamptz not null default '-infinity'
);

-- Items that failed by themselves. Their jobs go on without them, and try them again later.
create table set_aside (
  job text not null,
  item text not null,
  -- The name or SQLSTATE of the error: its message could hold personal data.
  error text not null,
  at timestamptz not null default now(),
  retry_at timestamptz not null,
  primary key (job, item)
);

drop table chores;
