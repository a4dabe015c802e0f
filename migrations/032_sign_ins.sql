-- How sessions were opened, and challenges of a sign-in that are not stored (docs/decisions/0067-console.md).

alter table console_sessions
  -- `link`, `passkey` or `oidc`; null: before this was noted.
  add column way text,
  -- Who made the link.
  add column link_by text;

-- Signs what a sign-in has to bring back. It proves only that we made it, so it opens nothing by itself.
create table challenge_keys (
  id integer primary key constraint challenge_keys_id_check check (id = 1),
  key text not null
);
insert into challenge_keys (id, key) values (1, gen_random_uuid()::text || gen_random_uuid()::text);
