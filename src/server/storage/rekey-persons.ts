/** Replaces the unkeyed person hashes of earlier versions by keys with a secret. */
import type pg from 'pg';
import {
  createPersonKey,
  keyOfHash,
  PERSON_KEY_PREFIX,
  type PersonKeyKind,
  unkeyedPersonKey,
} from '../../intake/person-key.ts';
import { inTransaction } from './database.ts';

const PORTION = 1_000;
const NIL = '00000000-0000-0000-0000-000000000000';

/** A row with unkeyed hashes, and the e-mail address if it is known. */
type Row = {
  id: string;
  revision: number | null;
  email_key: string | null;
  phone_key: string | null;
  email: string | null;
  /** Whether the person was erased, so that the row keeps no key. */
  is_erased: boolean;
};

// $1: the last id of the previous portion. $2: the size of a portion.
const LEADS = `
with portion as (select id, revision from leads where id > $1 order by id limit $2)
select l.id, r.revision, r.email_key, r.phone_key, r.fields->>'email' as email,
  exists (select 1 from lead_events e where e.lead_id = l.id and e.kind = 'erased') as is_erased
from portion l join lead_revisions r on r.lead_id = l.id
order by l.id, r.revision`;
const REQUESTS = `
select id, null as revision, email_key, phone_key, email, email = '' and phone = '' as is_erased
from opt_out_requests where id > $1 order by id limit $2`;

const GIVEN = `jsonb_to_recordset($1::jsonb)
  as k(id uuid, revision integer, email_key text, phone_key text)`;
const WRITE: Readonly<Record<'leads' | 'requests', readonly string[]>> = {
  leads: [
    `update lead_revisions r set email_key = k.email_key, phone_key = k.phone_key
     from ${GIVEN} where r.lead_id = k.id and r.revision = k.revision`,
    // This version no longer reads these columns.
    `update leads l set email_key = null, phone_key = null from ${GIVEN} where l.id = k.id`,
  ],
  requests: [
    `update opt_out_requests o set email_key = k.email_key, phone_key = k.phone_key
     from ${GIVEN} where o.id = k.id`,
  ],
};

/** Suppresses the whole mailbox if one spelling of it is on the list. */
const SUPPRESS_MAILBOX = `
insert into suppressions (key, kind, actor, created_at)
select k.key, s.kind, s.actor, s.created_at
from jsonb_to_recordset($1::jsonb) as k(key text, unkeyed text) join suppressions s on s.key = k.unkeyed
on conflict (key) do nothing`;

/**
 * Replaces the unkeyed hashes, a thousand leads per transaction. An interrupted run continues at the next start,
 * because keys have a prefix. The suppression list comes last: its old hashes find a mailbox's other spellings.
 */
export async function rekeyPersons(pool: pg.Pool, secret: string): Promise<void> {
  await rekeyRows(pool, secret, 'leads', LEADS);
  await rekeyRows(pool, secret, 'requests', REQUESTS);
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ key: string }>(
      'select key from suppressions where key not like $1 for update',
      [`${PERSON_KEY_PREFIX}%`],
    );
    const keys = rows.map(({ key }) => ({ unkeyed: key, key: keyOfHash(secret, key) }));
    await client.query(SUPPRESS_MAILBOX, [JSON.stringify(keys)]);
    await client.query('delete from suppressions where key = any($1::text[])', [
      rows.map(({ key }) => key),
    ]);
    // These rows hold hashes of unkeyed hashes, and count for one hour only.
    await client.query('delete from address_persons');
    await client.query('update person_keys set rekeyed_at = now()');
  });
}

async function rekeyRows(
  pool: pg.Pool,
  secret: string,
  what: keyof typeof WRITE,
  read: string,
): Promise<void> {
  for (let after: string | undefined = NIL; after !== undefined; ) {
    const { rows }: { rows: Row[] } = await pool.query<Row>(read, [after, PORTION]);
    after = rows.at(-1)?.id;
    const stale = rows.filter(isStale);
    if (stale.length === 0) continue;
    const written = JSON.stringify(stale.map((row) => renewed(secret, row)));
    const mailboxes = stale.flatMap(({ email_key: unkeyed, email, is_erased }) =>
      unkeyed === null || is_erased || !isOf(unkeyed, 'email', email)
        ? []
        : [{ unkeyed, key: createPersonKey(secret)('email', email.toLowerCase()) }],
    );
    await inTransaction(pool, async (client) => {
      await client.query(SUPPRESS_MAILBOX, [JSON.stringify(mailboxes)]);
      for (const statement of WRITE[what]) await client.query(statement, [written]);
    });
  }
}

function isStale({ email_key, phone_key, is_erased }: Row): boolean {
  return [email_key, phone_key].some(
    (key) => key !== null && (is_erased || !key.startsWith(PERSON_KEY_PREFIX)),
  );
}

function renewed(secret: string, row: Row) {
  const { id, revision, email_key, phone_key, email, is_erased } = row;
  const keyed = (key: string | null) =>
    key === null || key.startsWith(PERSON_KEY_PREFIX) ? key : keyOfHash(secret, key);
  if (is_erased) return { id, revision, email_key: null, phone_key: null };
  return {
    id,
    revision,
    // The mailbox if the address is known, otherwise the spelling that was hashed.
    email_key:
      email_key !== null && isOf(email_key, 'email', email)
        ? createPersonKey(secret)('email', email)
        : keyed(email_key),
    phone_key: keyed(phone_key),
  };
}

/** Returns whether an unkeyed hash is the hash of a value. */
function isOf(unkeyed: string, kind: PersonKeyKind, value: string | null): value is string {
  return value !== null && unkeyed === unkeyedPersonKey(kind, value.toLowerCase());
}
