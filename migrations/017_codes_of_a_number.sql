-- Codes by SMS by number (docs/decisions/0025-sms-codes.md): one send at a time, and a try for each visit.
-- Until then a send to the number is under way.
alter table phone_code_limits add column busy_until timestamptz;
create index phone_codes_number_key_idx on phone_codes (number_key, at);
