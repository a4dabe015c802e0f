/**
 * Compares the hashes of imports with the leads that we hold: hashes their addresses and numbers in portions, and
 * suppresses the persons found. Any process does it, and another goes on after a crash. A person who comes later
 * is not found: the hashes are deleted at the end.
 */
import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../../postgres/logger.ts';
import { inTransaction, type Queryable } from '../storage/database.ts';
import { cleanDatabaseError } from '../storage/database-error.ts';
import type { LeadRevisionRow } from '../storage/schema.ts';
import type { StoredPersonKey } from './person.ts';
import { LEASE, suppressNew } from './suppression-import.ts';

const PORTION = 1_000;
const LOOK_EVERY_MS = 60_000;
/** Pauses this many times as long as a portion took, so that visitors come first. */
const PAUSES = 3;

type Import = { id: string; actor: string; lead_id: string; revision: number };
type Revision = Pick<
  LeadRevisionRow,
  'lead_id' | 'revision' | 'fields' | 'email_key' | 'phone_key'
>;

/** Compares the hashes of waiting imports until all are finished. */
export async function matchHashes(pool: pg.Pool, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<Import>(
      `update suppression_imports set leased_until = ${LEASE}
       where id = (select id from suppression_imports where finished_at is null and leased_until <= now()
         order by created_at limit 1 for update skip locked)
       returning id, actor, lead_id, revision`,
    );
    const [next] = rows;
    if (!next) return;
    const found = await pool.query<{ hash: string }>(
      'select hash from suppression_import_hashes where import_id = $1',
      [next.id],
    );
    const hashes = new Set(found.rows.map((row) => row.hash));
    for (let isLast = false; !isLast; ) {
      if (signal?.aborted) return;
      const startMs = performance.now();
      const done = await inTransaction(pool, (client) => matchPortion(client, next, hashes));
      isLast = done.isLast;
      Object.assign(next, done.place);
      await sleep((performance.now() - startMs) * PAUSES, undefined, { ref: false });
    }
  }
}

/** Compares the next revisions and stores the place. */
async function matchPortion(
  client: Queryable,
  of: Import,
  hashes: ReadonlySet<string>,
): Promise<{ isLast: boolean; place: Pick<Import, 'lead_id' | 'revision'> }> {
  const { rows } = await client.query<Revision>(
    `select lead_id, revision, fields, email_key, phone_key
     from lead_revisions where (lead_id, revision) > ($1, $2)
     order by lead_id, revision limit ${PORTION}`,
    [of.lead_id, of.revision],
  );
  const found = rows.flatMap((row) => keysIn(row, hashes));
  const keys = new Map(found.map((one) => [one.key, one] as const));
  const matched = await suppressNew(client, [...keys.values()], of.actor);
  const isLast = rows.length < PORTION;
  if (isLast)
    await client.query('delete from suppression_import_hashes where import_id = $1', [of.id]);
  const { lead_id, revision } = rows.at(-1) ?? of;
  await client.query(
    `update suppression_imports set lead_id = $2, revision = $3, compared = compared + $4,
       matched = matched + $5, leased_until = ${LEASE}, finished_at = case when $6 then now() end
     where id = $1`,
    [of.id, lead_id, revision, rows.length, matched, isLast],
  );
  return { isLast, place: { lead_id, revision } };
}

function keysIn(row: Revision, hashes: ReadonlySet<string>): StoredPersonKey[] {
  const isHashed = (spellings: readonly string[]) =>
    spellings.some((text) => hashes.has(hash('sha256', text)) || hashes.has(hash('md5', text)));
  const { email_key, phone_key } = row;
  const { email, phone } = row.fields as Readonly<Record<string, string | undefined>>;
  const found: StoredPersonKey[] = [];
  if (email && email_key && isHashed([email.toLowerCase()]))
    found.push({ kind: 'email', key: email_key });
  // Ten digits, as everybody writes them before hashing: bare, or with the country code.
  if (phone && phone_key && isHashed(['', '1', '+1'].map((code) => code + phone)))
    found.push({ kind: 'phone', key: phone_key });
  return found;
}

/** Compares waiting imports now, each minute, and when asked to. */
export function startHashMatching(pool: pg.Pool, log: Logger) {
  const stopping = new AbortController();
  const once = () =>
    matchHashes(pool, stopping.signal).catch((error: unknown) => {
      log.warn(
        { err: cleanDatabaseError(error) },
        'Comparing imported hashes failed; it is retried',
      );
    });
  let working = once();
  const look = () => {
    working = working.then(once);
  };
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  return {
    look,
    stop(): Promise<void> {
      clearInterval(timer);
      stopping.abort();
      return working;
    },
  };
}
