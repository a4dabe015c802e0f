/** Appends what was recorded to the log, and signs its heads (docs/evidence.md). */
import type pg from 'pg';
import { canonicalJson } from '../../../evidence/canonical-json.ts';
import type { TreeHead } from '../../../evidence/formats.ts';
import type { Settings } from '../../config/settings.ts';
import { inTransaction, type Queryable } from '../../storage/database.ts';
import { deliveryEntries, type EntryKey, revisionEntries } from './entries.ts';
import type { SigningKey } from './keys.ts';
import { appendLeaves, Tree } from './tree.ts';

/** What is appended in one transaction. */
const APPEND_AT_ONCE = 500;

type Pending = EntryKey & { readonly at: string; readonly is_delivery: boolean };

/** Takes what waits, in order. $1: how many. $2: of these leads and their deliveries only; null: all. */
const TAKE = `
select p.at::text as at, p.ref, p.number, p.is_delivery from evidence_pending p
where $2::uuid is null or p.ref = $2 or p.is_delivery
  and p.ref in (select id from deliveries where lead_id = $2)
order by p.at, p.ref, p.number limit $1`;

const DROP = `
delete from evidence_pending p
using json_to_recordset($1::json) as k(at timestamptz, ref uuid, number integer)
where p.at = k.at and p.ref = k.ref and p.number = k.number`;

/** Locks the log until the commit, and returns its size. @returns undefined if another process has it */
async function lockLog(client: Queryable, waits: boolean): Promise<number | undefined> {
  const { rows } = await client.query<{ size: string }>(
    `select size from evidence_log where id = 1 for update ${waits ? '' : 'skip locked'}`,
  );
  return rows[0] && Number(rows[0].size);
}

/**
 * Appends entries that wait to the log, in the order of their events. Only one process at a time does, and only
 * committed entries are seen, so that no index is given twice or left out.
 *
 * @param options.leadId appends this lead's entries only, and waits for another process
 * @returns how many waited; undefined if another process is appending
 */
export function appendPending(
  pool: pg.Pool,
  { leadId, limit = APPEND_AT_ONCE }: { leadId?: string; limit?: number } = {},
): Promise<number | undefined> {
  return inTransaction(pool, async (client) => {
    const size = await lockLog(client, leadId !== undefined);
    if (size === undefined) return undefined;
    const { rows: pending } = await client.query<Pending>(TAKE, [limit, leadId ?? null]);
    if (pending.length === 0) return 0;
    const entries = [
      ...(await revisionEntries(
        client,
        pending.filter(({ is_delivery }) => !is_delivery),
      )),
      ...(await deliveryEntries(
        client,
        pending.filter(({ is_delivery }) => is_delivery),
      )),
    ];
    if (entries.length > 0) {
      await appendLeaves(
        client,
        size,
        entries.map(({ leaf }) => leaf),
      );
      await client.query('update evidence_log set size = $1 where id = 1', [size + entries.length]);
    }
    await client.query(DROP, [JSON.stringify(pending)]);
    return pending.length;
  });
}

/** Returns the origin of the site, which is the log's name. */
export function originOf({ publicUrl, port }: Pick<Settings, 'publicUrl' | 'port'>): string {
  return publicUrl ?? `http://localhost:${port}`;
}

export type SignedHead = TreeHead & { readonly jws: string };

/**
 * Signs the present size of the log.
 *
 * @param ifNoneForMinutes signs nothing if a younger head is there; default: always signs
 * @returns undefined if nothing was signed, or the log is empty
 */
export function signHead(
  pool: pg.Pool,
  key: SigningKey,
  origin: string,
  ifNoneForMinutes?: number,
): Promise<SignedHead | undefined> {
  return inTransaction(pool, async (client) => {
    const treeSize = (await lockLog(client, true)) ?? 0;
    if (treeSize === 0) return undefined;
    // One head a millisecond: it is the row's key.
    const { rows } = await client.query<{ at: Date; is_young: boolean }>(
      `select greatest(date_trunc('milliseconds', clock_timestamp()),
         max(at) + interval '1 millisecond') as at,
         coalesce(max(at) > now() - $1::integer * interval '1 minute', false) as is_young
       from evidence_heads`,
      [ifNoneForMinutes ?? 0],
    );
    if (rows[0]?.is_young && ifNoneForMinutes !== undefined) return undefined;
    const rootHash = (await new Tree(client).root(treeSize)).toString('hex');
    const at = (rows[0] as { at: Date }).at.toISOString();
    const head = { origin, treeSize, rootHash, at };
    const jws = await key.sign('evidence-head', Buffer.from(canonicalJson(head)));
    await client.query(
      'insert into evidence_heads (at, size, root_hash, jws) values ($1, $2, $3, $4)',
      [at, treeSize, rootHash, jws],
    );
    return { ...head, jws };
  });
}

export type KeptHead = {
  readonly at: Date;
  readonly size: number;
  readonly rootHash: string;
  readonly jws: string;
};

/** Returns signed heads, the newest first. @param before the `at` of the last head of the page before */
export async function readHeads(
  client: Queryable,
  limit: number,
  before?: Date | undefined,
): Promise<KeptHead[]> {
  const { rows } = await client.query<KeptHead & { size: string }>(
    `select at, size, root_hash as "rootHash", jws from evidence_heads
     where $2::timestamptz is null or at < $2 order by at desc limit $1`,
    [limit, before ?? null],
  );
  return rows.map((row) => ({ ...row, size: Number(row.size) }));
}
