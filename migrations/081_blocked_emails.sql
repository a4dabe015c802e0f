-- How often a blocked e-mail address was given (docs/specification.md#e-mail-check). Removed after a day.
create table blocked_emails (
  -- A keyed hash of lead, sender and address.
  key text primary key,
  times integer not null,
  at timestamptz not null
);
