-- Requests of an address, and posts of a lead, in a minute, of all processes (docs/decisions/0020-address-limits.md).
-- Only busy ones have a row; the purge removes it after a day. Unlogged: after a crash the minute is over.
create unlogged table request_counts (
  -- A hash of what is counted and for whom.
  key uuid primary key,
  since timestamptz not null,
  requests integer not null
);
