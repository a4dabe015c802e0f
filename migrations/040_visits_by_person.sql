-- What a visit saved is found by the keys of its person (docs/decisions/0053-person-keys.md).

-- The tables that this and the next migrations change, in the order in which an older version's posts lock them. In
-- another order, posts and the migration would wait for each other until one is cancelled.
lock table progress, visits, leads, lead_revisions, clicks, consents in access exclusive mode;

alter table progress
  -- The person keys of the addresses and numbers among the answers; null: there are none, or a process of an earlier
  -- version wrote the row. storage/contact-keys.ts fills those in.
  add column contact_keys text[];
