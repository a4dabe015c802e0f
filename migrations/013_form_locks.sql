-- Leases on forms that are being taken (docs/specification.md#without-javascript): one form of a visit at a
-- time, in all processes. Unlogged: a lease lasts seconds, and after a crash nobody holds one.
create unlogged table form_locks (
  -- A lead's id, or the digest of a form that has none yet.
  key text primary key,
  holder uuid not null,
  until timestamptz not null
);
