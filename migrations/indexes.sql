-- Indexes of large tables: built while leads come in, at the start that finds them missing. Each statement names one index.

create index concurrently progress_contact_keys_idx on progress using gin (contact_keys) with (fastupdate = off)
  where contact_keys is not null;
create index concurrently progress_unkeyed_idx on progress (lead_id, seq)
  where contact_keys is null and answers ?| '{email,phone,phoneNumber}';
create index concurrently consents_created_at_idx on consents (created_at);
create index concurrently visits_form_keys_idx on visits using gin (form_keys) with (fastupdate = off)
  where form_keys is not null;
create index concurrently visits_unkeyed_form_idx on visits (lead_id)
  where form is not null and form_keys_of is distinct from md5(form::text);

drop index concurrently progress_email_idx;
drop index concurrently progress_phone_idx;
drop index concurrently progress_phone_number_idx;

-- Leads that are not simply accepted: held, erased.
create index concurrently leads_state_idx on leads (state, created_at) where state <> 'accepted';
drop index concurrently leads_held_idx;
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

-- Deliveries that ended without the destination's yes.
create index concurrently deliveries_not_taken_idx on deliveries (destination, state, finished_at)
  where state in ('rejected', 'dead', 'uncertain', 'no_destination', 'suppressed');
drop index concurrently deliveries_failed_idx;

-- Do-not-sell requests: those with personal data, for the purge; by the reference that the visitor was given; by the
-- sender's address. opt_out_requests_outcome_idx finds waiting ones as well.
create index concurrently opt_out_requests_kept_idx on opt_out_requests (received_at) where email <> '' or phone <> '';
create index concurrently opt_out_requests_reference_idx on opt_out_requests (right(id::text, 12));
create index concurrently opt_out_requests_ip_idx on opt_out_requests (ip) where ip is not null;
drop index concurrently opt_out_requests_waiting_idx;
-- What a request put on the list, to undo it.
create index concurrently suppressions_request_id_idx on suppressions (request_id) where request_id is not null;
