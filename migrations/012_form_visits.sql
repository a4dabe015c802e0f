-- Visits that go by posts of their forms (docs/decisions/0038-without-javascript.md): what their next page is
-- made of. Null: the page's script keeps it in the browser.
alter table visits add column form jsonb;
create index visits_form_idx on visits (seen_at) where form is not null;
