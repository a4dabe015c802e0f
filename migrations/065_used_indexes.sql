-- No index is kept that no statement uses (tests/statements).

-- `indexes.sql` replaces it by one of all leads that are held or erased.
drop index leads_held_idx;

-- What a do-not-sell request put on the list, to undo it.
create index suppressions_request_id_idx on suppressions (request_id) where request_id is not null;
-- Requests by the reference that the visitor was given, and by the sender's address.
create index opt_out_requests_reference_idx on opt_out_requests (right(id::text, 12));
create index opt_out_requests_ip_idx on opt_out_requests (ip) where ip is not null;
-- opt_out_requests_outcome_idx finds waiting ones as well.
drop index opt_out_requests_waiting_idx;

-- Tables of people: a few hundred rows.
drop index console_sessions_operator_id_idx;
drop index console_sessions_ends_at_idx;
drop index passkeys_operator_id_idx;
drop index saved_views_shared_idx;
drop index sign_in_secrets_expires_at_idx;
drop index sign_in_secrets_operator_id_idx;
drop index suppression_imports_open_idx;

-- Heads of the evidence log that wait to be sent to the operator's own place.
create index evidence_heads_untold_idx on evidence_heads (at) where told_at is null;
