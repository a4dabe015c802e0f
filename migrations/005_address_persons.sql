-- Which persons an address sent leads of in an hour (docs/decisions/0020-address-limits.md). Nobody is
-- named: the window is a hash of address and hour, the person one of the keys of the lead. An address over
-- its limit gets no further rows; the purge removes what is older than a day.
create table address_persons (
  address_window uuid not null,
  person uuid not null,
  seen_at timestamptz not null,
  primary key (address_window, person)
);
