-- What a visit saved is found by the keys of its person (docs/decisions/0053-person-keys.md).

alter table progress
  -- The person keys of the addresses and numbers among the answers; null: there are none, or a process of an earlier
  -- version wrote the row. storage/contact-keys.ts fills those in.
  add column contact_keys text[];
