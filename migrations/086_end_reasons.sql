-- Why a delivery ended: a code, so that retention of messages loses no state.
alter table deliveries add column end_reason text;
-- When the round's first attempt was due.
alter table deliveries add column first_due_at timestamptz;
alter table leads drop constraint leads_state_check;
alter table leads add constraint leads_state_check check (state in ('accepted', 'held', 'dismissed', 'erased'));
alter table lead_events drop constraint lead_events_kind_check;
alter table lead_events add constraint lead_events_kind_check
  check (kind in ('resent', 'released', 'dismissed', 'suppressed', 'erased', 'expired'));
