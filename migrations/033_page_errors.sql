-- Visits that met an error of our own page (docs/decisions/0068-counts.md).
alter table visit_summaries add column has_page_errors boolean not null default false;
alter table hourly_counts add column page_errors integer not null default 0;
