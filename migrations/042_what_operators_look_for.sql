-- What operators and the purge look for is found by an index, however many leads there are.

-- How far the purge came, and what it has to look at again (docs/decisions/0017-retention-and-erasure.md).
-- The last row that it looked at, by time, for each thing with a period of its own.
create table purge_places (
  source text primary key,
  at timestamptz not null,
  id uuid not null
);

-- Leads that it left alone because they could still be sent.
create table purge_later (
  lead_id uuid primary key
);
