-- Clicks and steps of visits are packed a day after the last one (docs/decisions/0073-packed-rows.md).

-- What packed-visits.ts makes of them; null: nothing. The row of a click with the opt-out signal stays. What comes
-- later is a row beside.
alter table visits add column packed bytea;
alter table visits alter column packed set storage external;
-- By these a packed visit is found: 64 bits of each person key of its steps. Whole keys would double its size.
alter table visits add column contact_hashes bigint[];
alter table visits set (autovacuum_vacuum_scale_factor = 0.01);
alter table clicks set (autovacuum_vacuum_scale_factor = 0.01);
alter table progress set (autovacuum_vacuum_scale_factor = 0.01);

-- Visits by the time of their last save.
alter table packing drop constraint packing_what_check;
insert into packing (what, begins_at, at, lead_id)
values ('visits', now() + interval '1 hour', '-infinity', '00000000-0000-0000-0000-000000000000');
