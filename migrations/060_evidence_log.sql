-- The log of what was recorded about consent (docs/evidence.md): a Merkle tree over salted hashes. A lead's salt lies
-- with the lead and goes with it, so that nothing ties the log to a person afterwards.

-- Leads from before the log have no salt and are not in it. The second statement does not rewrite the table.
alter table leads add column evidence_salt uuid;
alter table leads alter column evidence_salt set default gen_random_uuid();

-- What is to be logged, written with the row that it names. One process at a time appends and deletes it.
create table evidence_pending (
  at timestamptz not null default now(),
  -- A lead with its revision, or a delivery with its attempt.
  ref uuid not null,
  number integer not null,
  is_delivery boolean not null,
  primary key (at, ref, number)
);

-- Whoever appends locks this row.
create table evidence_log (
  id smallint primary key default 1
    constraint evidence_log_id_check check (id = 1),
  size bigint not null default 0
);
insert into evidence_log (id) values (1);

-- Hashes of whole subtrees, 256 a row: of leaves at level 0, of 256 leaves at level 1, and so on.
create table evidence_tiles (
  level smallint not null,
  tile integer not null,
  hashes bytea not null,
  at timestamptz not null default now(),
  primary key (level, tile)
);
create index evidence_tiles_at_idx on evidence_tiles (at) where level = 0;

-- Signed tree heads. `told_at`: sent to the operator's own place.
create table evidence_heads (
  at timestamptz primary key,
  size bigint not null,
  root_hash text not null,
  jws text not null,
  told_at timestamptz
);

-- Public keys. A private key is never in the database.
create table evidence_keys (
  kid text primary key,
  x text not null,
  valid_from timestamptz not null,
  valid_until timestamptz
);
