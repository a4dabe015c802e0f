-- Why a check has no answer, and how many paid checks were made (docs/decisions/0024-checks.md).

-- Status and message of the third party, without personal data; null: it answered.
alter table lead_checks add column reason text;

-- over_limit: it was not asked, as more were made than the settings allow.
alter table lead_checks drop constraint lead_checks_outcome_check;
alter table lead_checks add constraint lead_checks_outcome_check check (outcome in (
  'answered', 'failed', 'timed_out', 'skipped', 'remembered', 'over_limit')) not valid;
alter table lead_checks validate constraint lead_checks_outcome_check;

-- Paid checks by hour, of one address and of everybody together. An address is a hash with its hour.
create table paid_checks (
  key text not null,
  hour timestamptz not null,
  checks integer not null,
  primary key (key, hour)
);
