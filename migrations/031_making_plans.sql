-- Plans whose list is made in the background (docs/specification.md#plans), and the plans of an erased lead.

alter table plans drop constraint plans_state_check;
alter table plans add constraint plans_known_state_check
  check (state in ('making', 'ready', 'running', 'done', 'cancelled', 'failed'));
alter table plans
  -- What the list is made from, a `PlanSource`. Null once it is frozen, because a filter may search for a person.
  add column source jsonb,
  -- The place up to which the list is frozen; null: nothing is.
  add column frozen_to text,
  -- Why the list could not be made, in words.
  add column problem text;

-- The plans that a process can work on, the one that has waited longest first.
create index plans_open_idx on plans (lease_until) where state in ('making', 'running');
drop index plans_running_idx;

create index plan_items_lead_id_idx on plan_items (lead_id);
