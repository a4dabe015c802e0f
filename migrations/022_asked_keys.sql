-- What was asked of third parties is keyed as persons are (docs/decisions/0053-person-keys.md): an unkeyed hash
-- of a phone number is the number.

-- Only answers that would be asked for again.
delete from check_answers;
alter table check_answers rename column asked_sha256 to asked_key;

-- Empty: what was asked is not known any more.
update lead_checks set asked_sha256 = '';
alter table lead_checks rename column asked_sha256 to asked_key;
