-- What a visit posted without JavaScript is found by the keys of its person, too (docs/decisions/0053-person-keys.md).

alter table visits
  -- The person keys of the addresses and numbers in `form`; null: there are none.
  add column form_keys text[],
  -- MD5 of the form that the keys are of. A process of an earlier version writes a form without: of another one, or
  -- none. storage/contact-keys.ts keys those.
  add column form_keys_of text;
