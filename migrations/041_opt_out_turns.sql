-- The address whose do-not-sell request is being taken. Its transaction inserts the row and deletes it again: another
-- request of the address waits at the primary key, and no row is ever seen.
create table opt_out_turns (
  address_key text primary key
);
-- Requests that still have personal data, for the purge.
create index opt_out_requests_kept_idx on opt_out_requests (received_at) where email <> '' or phone <> '';
