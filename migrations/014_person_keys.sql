-- Keyed persons and look-ups by person that run on indexes (docs/decisions/0053-person-keys.md).

-- Which secret the keys of persons were made with. The secret itself is never in the database.
create table person_keys (
  id integer primary key constraint person_keys_id_check check (id = 1),
  fingerprint text not null,
  -- When the last unkeyed hash was replaced; null: some are left.
  rekeyed_at timestamptz
);

-- Every revision has its keys, so these find what the indexes of the newest revision's keys found, and more.
create index lead_revisions_email_key_idx on lead_revisions (email_key) where email_key is not null;
create index lead_revisions_phone_key_idx on lead_revisions (phone_key) where phone_key is not null;
drop index leads_email_key_idx;
drop index leads_phone_key_idx;

-- What a visitor answered as an address or a number, as an erasure looks for it (operators/contact-traces.ts).
create index progress_email_idx on progress
  (lower(regexp_replace(answers->>'email', '[[:space:]\u00a0\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]', '', 'g')))
  where answers ? 'email';
create index progress_phone_idx on progress
  (regexp_replace(regexp_replace(answers->>'phone', '\D', '', 'g'), '^1+', ''))
  where answers ? 'phone';
create index progress_phone_number_idx on progress
  (regexp_replace(regexp_replace(answers->>'phoneNumber', '\D', '', 'g'), '^1+', ''))
  where answers ? 'phoneNumber';
-- Few at any time: a visit's forms go after a day.
create index visits_with_form_idx on visits (lead_id) where form is not null;

-- When the first copy of the visit's progress was given to the mirror (SAVE_DATA_URL).
alter table visits add column mirrored_at timestamptz;

alter table opt_out_requests
  -- What requests of one address are counted by: the address, or the /64 of an IPv6 one.
  add column address_key text,
  -- `waiting`: above the limit of its address, and kept for a person to look at.
  add column outcome text not null default 'honoured'
    constraint opt_out_requests_outcome_check check (outcome in ('honoured', 'waiting', 'dismissed', 'undone'));
create index opt_out_requests_email_key_idx on opt_out_requests (email_key) where email_key is not null;
create index opt_out_requests_phone_key_idx on opt_out_requests (phone_key) where phone_key is not null;
create index opt_out_requests_address_idx on opt_out_requests (address_key, received_at)
  where address_key is not null;
create index opt_out_requests_waiting_idx on opt_out_requests (received_at) where outcome = 'waiting';

-- The request that put the key on the list; null: an operator did.
alter table suppressions add column request_id uuid;
