-- A destination may be told of events of a lead (docs/decisions/0027-deliveries.md), each a delivery with
-- attempts and leases like any other. `event` says what happened, without personal data; `event_key` tells
-- the events of one lead apart, and is empty where the lead itself is sent.
alter table deliveries
  add column event_key text not null default '',
  add column event jsonb;
alter table deliveries drop constraint deliveries_lead_id_destination_key;
alter table deliveries add constraint deliveries_lead_id_destination_event_key
  unique (lead_id, destination, event_key);
