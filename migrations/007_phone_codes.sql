-- Phone verification by SMS (docs/decisions/0025-sms-codes.md): what was sent and tried, and the limits of
-- both. No code is in here, and no number or address in the clear.

-- Every code that was asked for and every try of one. It comes before its lead, and often without one: no
-- foreign key.
create table phone_codes (
  id uuid primary key,
  lead_id uuid not null,
  kind text not null constraint phone_codes_kind_check check (kind in ('send', 'check')),
  -- HMAC of the number under the secret below.
  number_key text not null,
  at timestamptz not null default now(),
  ended_at timestamptz,
  -- Null while the service is asked, and where nobody knows what became of it.
  outcome text
);
create index phone_codes_lead_id_idx on phone_codes (lead_id, at);

-- Sends and tries of the last hour or so, counted by number, address and visit: one row each, so that whoever
-- counts waits for whoever is counting.
create table phone_code_limits (
  -- What is counted, and the HMAC of the number or address, or the id of the visit.
  key text primary key,
  times timestamptz[] not null,
  last_at timestamptz not null
);

-- Made by whichever process is first. Without it a hash of a number could be found by trying them all.
create table phone_code_secret (
  id integer primary key constraint phone_code_secret_id_check check (id = 1),
  secret text not null
);
