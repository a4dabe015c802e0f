-- How each destination does, for all processes: whether it is paused and why, how many sends failed in a row,
-- and what the operators were told (docs/decisions/0056-destination-health.md). No row: all is well.
create table destination_health (
  destination text primary key,
  -- Nothing is sent to a paused destination, but one delivery whenever probe_at is reached; probe_at null:
  -- only a person resumes it.
  paused_at timestamptz,
  -- 'answer': the destination refused our account. Else the name of an operator.
  paused_by text,
  pause_reason text,
  probe_at timestamptz,
  -- Sends that failed one after another, and what the last of them said.
  failures integer not null default 0,
  last_failure text,
  -- The last time that it answered again after a pause or a row of failures.
  recovered_at timestamptz,
  -- When the operators were told; null: they were not, or were told that it is over.
  failing_told_at timestamptz,
  waiting_told_at timestamptz,
  -- Since when its settings are not given; null: they are.
  off_at timestamptz
);
