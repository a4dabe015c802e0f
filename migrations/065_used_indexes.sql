-- No index is kept that no statement uses (tests/statements).

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
