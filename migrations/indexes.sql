-- Indexes of large tables: built while leads come in, at the start that finds them missing. Each statement names one index.

create index concurrently progress_contact_keys_idx on progress using gin (contact_keys) with (fastupdate = off)
  where contact_keys is not null;
create index concurrently progress_unkeyed_idx on progress (lead_id, seq)
  where contact_keys is null and answers ?| '{email,phone,phoneNumber}';
create index concurrently consents_created_at_idx on consents (created_at);
create index concurrently visits_contact_hashes_idx on visits using gin (contact_hashes) with (fastupdate = off)
  where contact_hashes is not null;
create index concurrently visits_form_keys_idx on visits using gin (form_keys) with (fastupdate = off)
  where form_keys is not null;
create index concurrently visits_unkeyed_form_idx on visits (lead_id)
  where form is not null and form_keys_of is distinct from md5(form::text);

-- Leads that are not simply accepted: held, erased.
create index concurrently leads_state_idx on leads (state, created_at) where state <> 'accepted';
create index concurrently leads_survey_idx on leads (survey, created_at);

-- A person's key has 46 characters. An index of 64 bits of it takes a third of the space, and finds it as well.
-- The expression is that of src/server/storage/contact-keys.ts. It covers all rows: of a partial index
-- PostgreSQL ignores the expression's statistics, and scans the table.
create index concurrently lead_revisions_email_idx on lead_revisions
  ((('x' || substr(md5(email_key), 1, 16))::bit(64)::bigint));
create index concurrently lead_revisions_phone_idx on lead_revisions
  ((('x' || substr(md5(phone_key), 1, 16))::bit(64)::bigint));
drop index concurrently lead_revisions_email_key_idx;
drop index concurrently lead_revisions_phone_key_idx;
