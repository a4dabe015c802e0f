-- Bulk actions of operators, and the attempts to deliver by hour (docs/decisions/0067-console.md).

-- A bulk action on a frozen list. Any process runs it, in portions, under a lease.
create table plans (
  id uuid primary key,
  action text not null
    constraint plans_action_check check (action in ('release', 'resend', 'suppress')),
  -- What was selected, in words without personal data.
  selection text not null,
  reason text not null,
  -- Who made it, and who started it; leads are changed in the name of the latter.
  actor text not null,
  started_by text,
  state text not null default 'ready'
    constraint plans_state_check check (state in ('ready', 'running', 'done', 'cancelled', 'failed')),
  -- The number of items by their state. Each portion of a run updates them.
  due integer not null default 0,
  passed_over integer not null default 0,
  done integer not null default 0,
  failed integer not null default 0,
  -- Deliveries by destination, of the items that are due or done.
  buyers jsonb not null default '{}',
  -- Items that are passed over, by reason.
  refusals jsonb not null default '{}',
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  changed_at timestamptz not null default now(),
  lease_owner text,
  lease_until timestamptz
);
create index plans_created_at_idx on plans (created_at);
create index plans_changed_at_idx on plans (changed_at);
create index plans_running_idx on plans (started_at) where state = 'running';

create table plan_items (
  plan_id uuid not null references plans (id) on delete cascade,
  number integer not null,
  lead_id uuid not null,
  -- Only of a resend.
  delivery_id uuid,
  -- The destinations to which something is sent.
  destinations text[] not null default '{}',
  -- What must not have changed when the item's turn comes: the delivery's state, or the lead's revision.
  was text not null default '',
  state text not null
    constraint plan_items_state_check check (state in ('due', 'passed_over', 'done', 'failed')),
  text text not null,
  primary key (plan_id, number)
);
create index plan_items_due_idx on plan_items (plan_id, number) where state = 'due';

-- Attempts by the hour in which they began. Test leads are left out. Can be made again from the ledger.
create table hourly_attempts (
  hour timestamptz not null,
  destination text not null,
  -- A `SendOutcome`.
  outcome text not null,
  -- The duration: four buckets per doubling, from 1 ms; -1: unknown.
  bucket integer not null,
  attempts integer not null,
  primary key (hour, destination, outcome, bucket)
);
-- By the start: it never changes, so ending an attempt touches no index.
create index delivery_attempts_started_at_idx on delivery_attempts (started_at);

-- Deliveries that no destination took: their reasons, and what a plan recovers.
create index deliveries_failed_idx on deliveries (destination, state, finished_at)
  where state in ('rejected', 'dead', 'uncertain');
