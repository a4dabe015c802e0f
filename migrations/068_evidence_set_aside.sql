-- A row of which no entry can be made is set aside until then, so that it does not hold up the others.
alter table evidence_pending add column set_aside_until timestamptz;
