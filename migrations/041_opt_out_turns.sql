-- The address whose do-not-sell request is being taken. Its transaction inserts the row and deletes it again: another
-- request of the address waits at the primary key, and no row is ever seen.
create table opt_out_turns (
  address_key text primary key
);
