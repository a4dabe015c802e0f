-- How much an address has written in an hour (docs/decisions/0020-address-limits.md). Only addresses
-- that write much have a row. The window is a hash of address and hour; the purge removes it after a day.
create table address_bytes (
  address_window uuid primary key,
  bytes bigint not null default 0,
  -- Posts and saves beyond the limit.
  refused bigint not null default 0,
  seen_at timestamptz not null default now()
);
