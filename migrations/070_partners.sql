-- The firms on the page of partners, which the version is a hash of too. Null: from before they were kept.
alter table rule_versions add column firms jsonb;
