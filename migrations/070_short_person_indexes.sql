-- A person's key has 46 characters. An index of 64 bits of it takes a third of the space, and finds it as well.
-- The expression is that of src/server/storage/contact-keys.ts.
create index lead_revisions_email_idx on lead_revisions ((('x' || substr(md5(email_key), 1, 16))::bit(64)::bigint))
  where email_key is not null;
create index lead_revisions_phone_idx on lead_revisions ((('x' || substr(md5(phone_key), 1, 16))::bit(64)::bigint))
  where phone_key is not null;
drop index lead_revisions_email_key_idx;
drop index lead_revisions_phone_key_idx;
