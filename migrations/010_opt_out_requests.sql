-- Do-not-sell requests (docs/decisions/0037-do-not-sell.md), each with what was done because of it: the proof
-- that it came and was honoured. What it stops is in `suppressions`.
create table opt_out_requests (
  id uuid primary key,
  received_at timestamptz not null default now(),
  language text not null,
  name text not null,
  email text not null,
  phone text not null,
  state text not null,
  email_key text,
  phone_key text,
  -- The browser's own signal came with it (Sec-GPC: 1).
  sec_gpc boolean not null,
  ip text,
  user_agent text,
  page text not null,
  -- How many leads of the person there were, what was stopped, and who had got one before.
  leads integer not null,
  stopped integer not null,
  receipts jsonb not null
);

create index opt_out_requests_received_at_idx on opt_out_requests (received_at);
