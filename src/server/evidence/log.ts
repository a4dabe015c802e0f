/** Appends entries to the log, signs tree heads, and publishes proofs (docs/evidence.md). */
import type pg from 'pg';
import { canonicalJson, parseCanonical, utf8 } from '../../model/evidence/encoding.ts';
import { headForm, type KeysById, read, type TreeHead } from '../../model/evidence/formats.ts';
import { isValidAt, verifyJws } from '../../model/evidence/keys.ts';
import { inTransaction, type Queryable } from '../platform/database/database.ts';
import type { Settings } from '../settings/settings.ts';
import { deliveryEntries, type EntryKey, type LoggedEntry, revisionEntries } from './entries.ts';
import { readKeys, refuseIfEnded, type SigningKey } from './keys.ts';
import { appendLeaves, DamagedLogError, Tree } from './tree.ts';

const APPEND_AT_ONCE = 500;

/** Thrown if no valid log entry can be made from a row. */
export class UnmadeEntryError extends Error {
  override readonly name = 'UnmadeEntryError';
  readonly item: string;

  constructor({ ref, number }: EntryKey) {
    super(`Row ${ref}/${number} gives no entry of the log`);
    this.item = `${ref}/${number}`;
  }
}

export const APPEND_JOB = 'evidence';

/** SQL: the rows that have no entry in the log yet, except rows that could not be logged. */
export const WAITING = `evidence_pending p where not exists (select 1 from set_aside s
  where s.job = '${APPEND_JOB}' and s.item = p.ref || '/' || p.number and s.retry_at > now())`;

/** SQL: selects the rows that have waited longest to be appended to the log. */
const TAKE = `
with taken as (
  delete from evidence_pending where (at, ref, number) in (
    select at, ref, number from ${WAITING}
    and ($2::uuid is null or ref = $2 or is_delivery and ref in (select id from deliveries where lead_id = $2))
    order by at, ref, number limit $1)
  returning at, ref, number, is_delivery
), healed as (
  delete from set_aside s using taken where s.job = '${APPEND_JOB}' and s.item = taken.ref || '/' || taken.number
)
select ref, number, is_delivery from taken order by at, ref, number`;

/** Locks the log until the commit, and returns the log's size. */
async function lockLog(client: Queryable, waits: boolean): Promise<number | undefined> {
  const { rows } = await client.query<{ size: string }>(
    `select size from evidence_log where id = 1 for update ${waits ? '' : 'skip locked'}`,
  );
  return rows[0] && Number(rows[0].size);
}

export async function sizeOfLog(client: Queryable): Promise<number> {
  const { rows } = await client.query<{ size: string }>('select size from evidence_log');
  return Number(rows[0]?.size ?? 0);
}

/** Appends the waiting rows to the log, in the caller's transaction. */
export async function appendWithin(
  client: Queryable,
  leadId?: string,
): Promise<number | undefined> {
  const size = await lockLog(client, leadId !== undefined);
  if (size === undefined) return undefined;
  const { rows: taken } = await client.query<EntryKey & { is_delivery: boolean }>(TAKE, [
    ...[APPEND_AT_ONCE, leadId ?? null],
  ]);
  if (taken.length === 0) return 0;
  const turns = new Map(taken.map(({ ref, number }, turn) => [`${ref}/${number}`, turn]));
  const turnOf = ({ of: { ref, number } }: LoggedEntry) => turns.get(`${ref}/${number}`) ?? 0;
  const { revisions = [], deliveries = [] } = Object.groupBy(taken, ({ is_delivery }) =>
    is_delivery ? 'deliveries' : 'revisions',
  );
  const fail = (of: EntryKey) => {
    throw new UnmadeEntryError(of);
  };
  const leaves = [
    ...(await revisionEntries(client, revisions, fail)),
    ...(await deliveryEntries(client, deliveries, fail)),
  ]
    .sort((a, b) => turnOf(a) - turnOf(b))
    .map(({ leaf }) => leaf);
  await appendLeaves(client, size, leaves);
  await client.query('update evidence_log set size = $1 where id = 1', [size + leaves.length]);
  return taken.length;
}

/** Appends the waiting rows to the log, in a new transaction. */
export function appendPending(pool: pg.Pool, leadId?: string) {
  return inTransaction(pool, (client) => appendWithin(client, leadId));
}

/** Returns the site's origin, which is also the name of the log. */
export function originOf({ publicUrl, port }: Pick<Settings, 'publicUrl' | 'port'>): string {
  return publicUrl ?? `http://localhost:${port}`;
}

/** Returns a warning if the setting for the site's public URL is missing. */
export function localIssuer({ publicUrl }: Pick<Settings, 'publicUrl'>): string[] {
  const warning =
    'A pack made now names localhost as its issuer, which proves nothing to others: set PUBLIC_URL first.';
  return publicUrl === undefined ? [warning] : [];
}

/** Signs a tree head, and stores it unless the newest stored tree head is recent. */
export function signHead(
  pool: pg.Pool,
  key: SigningKey,
  origin: string,
  { youngMinutes = 0, signsAlways = true } = {},
): Promise<(TreeHead & { readonly jws: string }) | undefined> {
  return inTransaction(pool, async (client) => {
    const size = (await lockLog(client, true)) ?? 0;
    await refuseIfEnded(client, key.kid);
    if (size === 0) return undefined;
    // The time is the primary key of tree heads, so two tree heads cannot have the same time.
    const { rows } = await client.query<{ at: Date; isYoung: boolean }>(
      `select greatest(date_trunc('milliseconds', clock_timestamp()),
         max(at) + interval '1 millisecond') as at,
         coalesce(max(at) > now() - $1::integer * interval '1 minute', false) as "isYoung"
       from evidence_heads`,
      [youngMinutes],
    );
    const { at, isYoung } = rows[0] as { at: Date; isYoung: boolean };
    if (isYoung && !signsAlways) return undefined;
    const rootHash = await new Tree(client).root(size);
    const head = { origin, treeSize: size, rootHash, at: at.toISOString() };
    const jws = await key.sign('evidence-head', utf8(canonicalJson(head)));
    if (!isYoung) {
      await client.query(
        'insert into evidence_heads (at, size, root_hash, jws) values ($1, $2, $3, $4)',
        [at, size, rootHash, jws],
      );
    }
    return { ...head, jws };
  });
}

type SignedHead = {
  readonly at: Date;
  readonly size: number;
  readonly rootHash: string;
  readonly jws: string;
};

/** Returns signed tree heads, newest first. */
export async function readHeads(
  client: Queryable,
  limit: number,
  before?: Date | undefined,
): Promise<SignedHead[]> {
  const { rows } = await client.query<SignedHead & { size: string }>(
    `select at, size, root_hash as "rootHash", jws from evidence_heads
     where $2::timestamptz is null or at < $2 order by at desc limit $1`,
    [limit, before ?? null],
  );
  return rows.map((row) => ({ ...row, size: Number(row.size) }));
}

/** Describes why a stored tree head is invalid. Returns undefined if the tree head is valid. */
export async function headProblem(
  stored: SignedHead,
  size: number,
  tree: Tree,
  keys: KeysById,
): Promise<string | undefined> {
  const differs = await rootProblem(stored, size, tree);
  if (differs) return differs;
  try {
    const { kid, payload } = await verifyJws(utf8(stored.jws), 'evidence-head', keys);
    const { rootHash, treeSize, at } = read(headForm, parseCanonical(payload));
    const isSame =
      rootHash === stored.rootHash && treeSize === stored.size && at === stored.at.toISOString();
    if (!isSame) return 'was changed';
    const key = keys.get(kid);
    return key && isValidAt(key, at) ? undefined : `was signed when key ${kid} was not valid`;
  } catch (error) {
    return `cannot be verified: ${error instanceof Error ? error.message : error}`;
  }
}

/** Returns how a tree head differs from this log, which has `size` entries. */
export async function rootProblem(
  head: Pick<SignedHead, 'size' | 'rootHash'>,
  size: number,
  tree: Tree,
): Promise<string | undefined> {
  if (head.size > size) return `has ${head.size} leaves, the log only ${size}`;
  try {
    const isSame = (await tree.root(head.size)) === head.rootHash;
    return isSame ? undefined : 'has another root than the log';
  } catch (error) {
    if (!(error instanceof DamagedLogError)) throw error;
    return `cannot be compared: ${error.message}`;
  }
}

const HEADS_A_PAGE = 500;

export function createPublishedLog(pool: pg.Pool) {
  return {
    keys: () => readKeys(pool),
    /** Returns signed tree heads, newest first. */
    async heads(before?: Date) {
      const rows = await readHeads(pool, HEADS_A_PAGE, before);
      const heads = rows.map(({ at, size: treeSize, rootHash, jws }) => {
        return { at: at.toISOString(), treeSize, rootHash, jws };
      });
      return { heads, next: rows.length < HEADS_A_PAGE ? null : (heads.at(-1)?.at ?? null) };
    },
    /** The newest tree head as a compact JWS; undefined if the log is empty. */
    newestHead: async () => (await readHeads(pool, 1))[0]?.jws,
    /** Returns the consistency proof between two sizes of the log; undefined for invalid sizes. */
    async consistency(from: number, to: number) {
      if (from < 1 || from > to || to > (await sizeOfLog(pool))) return undefined;
      return { from, to, path: await new Tree(pool).consistencyPath(from, to) };
    },
    /** Returns an entry's audit path; undefined if index or size is invalid. */
    async proof(index: number, size: number) {
      if (index >= size || size > (await sizeOfLog(pool))) return undefined;
      return { index, size, path: await new Tree(pool).auditPath(index, size) };
    },
  };
}
