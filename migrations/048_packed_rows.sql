-- Revisions and consents are packed a day after they came (docs/decisions/0073-packed-rows.md). Adding columns
-- rewrites nothing.

-- The columns of src/server/storage/packed-rows.ts, compressed; null: they are in their own columns.
alter table lead_revisions add column packed bytea;
alter table consents add column packed bytea;
-- Packed bytes cannot be compressed again.
alter table lead_revisions alter column packed set storage external;
alter table consents alter column packed set storage external;
-- A packed row leaves its old version behind, many times as large: its space is to be used again soon.
alter table lead_revisions set (autovacuum_vacuum_scale_factor = 0.01);
alter table consents set (autovacuum_vacuum_scale_factor = 0.01);

-- How far the leads are packed, by time of arrival. The process that packs holds the row locked.
create table packing (
  what text primary key constraint packing_what_check check (what = 'leads'),
  -- Processes of the version before still run for a while, and cannot read packed rows.
  begins_at timestamptz not null,
  at timestamptz not null,
  lead_id uuid not null
);
insert into packing (what, begins_at, at, lead_id)
values ('leads', now() + interval '1 hour', '-infinity', '00000000-0000-0000-0000-000000000000');
