/** Appends what was recorded to the log, and signs its heads (docs/evidence.md). */
import type pg from 'pg';
import { utf8 } from '../../../evidence/bytes.ts';
import { canonicalJson, parseCanonical } from '../../../evidence/canonical-json.ts';
import { headForm, type KeysById, read, type TreeHead } from '../../../evidence/formats.ts';
import { isSignedBy, parseJws } from '../../../evidence/jws.ts';
import { isValidAt, keysById } from '../../../evidence/keys.ts';
import type { Settings } from '../../config/settings.ts';
import { inTransaction, type Queryable } from '../../storage/database.ts';
import {
  deliveryEntries,
  type EntryKey,
  type LoggedEntry,
  revisionEntries,
  type Unmade,
} from './entries.ts';
import { readKeys, refuseIfEnded, type SigningKey } from './keys.ts';
import { appendLeaves, DamagedLogError, Tree } from './tree.ts';

/** What is appended in one transaction. */
const APPEND_AT_ONCE = 500;

type Pending = EntryKey & { readonly at: string; readonly is_delivery: boolean };

/**
 * Takes what waits, in the order in which its transactions began. $1: how many. $2: of this lead and its deliveries
 * only; null: all but what is set aside.
 */
const TAKE = `
select p.at::text as at, p.ref, p.number, p.is_delivery from evidence_pending p
where case when $2::uuid is null then p.set_aside_until is null or p.set_aside_until < now()
  else p.ref = $2 or p.is_delivery and p.ref in (select id from deliveries where lead_id = $2) end
order by p.at, p.ref, p.number limit $1`;

const THESE = `json_to_recordset($1::json) as k(at timestamptz, ref uuid, number integer)
where p.at = k.at and p.ref = k.ref and p.number = k.number`;
const DROP = `delete from evidence_pending p using ${THESE}`;
const SET_ASIDE = `
update evidence_pending p set set_aside_until = now() + interval '1 day' from ${THESE}`;

/** Locks the log until the commit, and returns its size. @returns undefined if another process has it */
async function lockLog(client: Queryable, waits: boolean): Promise<number | undefined> {
  const { rows } = await client.query<{ size: string }>(
    `select size from evidence_log where id = 1 for update ${waits ? '' : 'skip locked'}`,
  );
  return rows[0] && Number(rows[0].size);
}

/**
 * Appends entries that wait to the log, in the order in which they are taken. Only one process at a time does, and
 * only committed entries are seen, so that no index is given twice or left out. A row that gives no entry stays.
 *
 * @param options.leadId appends this lead's entries only, and waits for another process
 * @param options.unmade is told of rows that give no entry. With it, they are set aside for a day
 * @returns how many waited; undefined if another process is appending
 * @throws DamagedLogError
 */
export async function appendWithin(
  client: Queryable,
  {
    leadId,
    limit = APPEND_AT_ONCE,
    unmade,
  }: { leadId?: string; limit?: number; unmade?: Unmade } = {},
): Promise<number | undefined> {
  const size = await lockLog(client, leadId !== undefined);
  if (size === undefined) return undefined;
  const { rows: pending } = await client.query<Pending>(TAKE, [limit, leadId ?? null]);
  if (pending.length === 0) return 0;
  const turns = new Map(pending.map((each, turn) => [nameOf(each), turn]));
  const failed = new Map<string, unknown>();
  const fail: Unmade = (of, error) => failed.set(nameOf(of), error);
  const [deliveries, revisions] = [true, false].map((kind) =>
    pending.filter(({ is_delivery }) => is_delivery === kind),
  ) as [Pending[], Pending[]];
  const turnOf = ({ of }: LoggedEntry) => turns.get(nameOf(of)) ?? 0;
  const entries = [
    ...(await revisionEntries(client, revisions, fail)),
    ...(await deliveryEntries(client, deliveries, fail)),
  ].sort((a, b) => turnOf(a) - turnOf(b));
  if (entries.length > 0) {
    await appendLeaves(
      client,
      size,
      entries.map(({ leaf }) => leaf),
    );
    await client.query('update evidence_log set size = $1 where id = 1', [size + entries.length]);
  }
  const done = pending.filter((each) => !failed.has(nameOf(each)));
  await client.query(DROP, [JSON.stringify(done)]);
  const poison = pending.filter((each) => failed.has(nameOf(each)));
  if (unmade && poison.length > 0) {
    await client.query(SET_ASIDE, [JSON.stringify(poison)]);
    for (const each of poison) unmade(each, failed.get(nameOf(each)));
  }
  return pending.length;
}

/** Appends entries as `appendWithin`, in a new transaction. */
export function appendPending(pool: pg.Pool, options?: Parameters<typeof appendWithin>[1]) {
  return inTransaction(pool, (client) => appendWithin(client, options));
}

function nameOf({ ref, number }: EntryKey): string {
  return `${ref}/${number}`;
}

/** Returns the origin of the site, which is the log's name. */
export function originOf({ publicUrl, port }: Pick<Settings, 'publicUrl' | 'port'>): string {
  return publicUrl ?? `http://localhost:${port}`;
}

/** Returns a warning if a pack's issuer is a local address, where others cannot look up its keys. */
export function localIssuer({ publicUrl }: Pick<Settings, 'publicUrl'>): string[] {
  if (publicUrl !== undefined) return [];
  return [
    'A pack made now names localhost as its issuer, which proves nothing to others: set PUBLIC_URL first.',
  ];
}

export type SignedHead = TreeHead & { readonly jws: string };

/** A pack takes a head of this age, and needs none to be kept while there is one. */
const YOUNG_MINUTES = 5;

/**
 * Signs the present size of the log, and keeps the head.
 *
 * @param ifNoneForMinutes signs nothing if a younger head is kept; default: always signs
 * @returns undefined if nothing was signed, or the log is empty
 * @throws UnusableKeyError if the key has ended
 */
export function signHead(
  pool: pg.Pool,
  key: SigningKey,
  origin: string,
  ifNoneForMinutes?: number,
): Promise<SignedHead | undefined> {
  return inTransaction(pool, async (client) => {
    const size = (await lockLog(client, true)) ?? 0;
    await refuseIfEnded(client, key.kid);
    if (size === 0) return undefined;
    const { at, isYoung } = await timeOfHead(client, ifNoneForMinutes ?? 0);
    if (isYoung && ifNoneForMinutes !== undefined) return undefined;
    const head = await signed(client, key, { origin, size, at });
    await keepHead(client, head);
    return head;
  });
}

/**
 * Returns a head for a pack, and the time of the pack. A young kept head will do if it covers the lead's entries.
 * Otherwise one is signed, and kept unless a young one is: the next kept head says as much about its entries.
 *
 * @param covers the size that the head has at least
 * @returns undefined if the log is empty
 * @throws UnusableKeyError if the key has ended
 */
export function headForPack(
  pool: pg.Pool,
  key: SigningKey,
  origin: string,
  covers: number,
): Promise<{ head: SignedHead; madeAt: string } | undefined> {
  return inTransaction(pool, async (client) => {
    const size = (await lockLog(client, true)) ?? 0;
    await refuseIfEnded(client, key.kid);
    if (size === 0) return undefined;
    const { at, isYoung } = await timeOfHead(client, YOUNG_MINUTES);
    const madeAt = at.toISOString();
    const [kept] = isYoung ? await readHeads(client, 1) : [];
    if (kept && kept.size >= covers) {
      const keys = keysById(await readKeys(client));
      const { head, kid, problem } = await examineHead(kept, size, new Tree(client), keys);
      if (head && problem === undefined && kid === key.kid && head.origin === origin) {
        return { head: { ...head, jws: kept.jws }, madeAt };
      }
    }
    const head = await signed(client, key, { origin, size, at });
    if (!kept) await keepHead(client, head);
    return { head, madeAt };
  });
}

/** Returns the time of the next head, and whether a kept one is younger than this. The log is locked. */
async function timeOfHead(
  client: Queryable,
  minutes: number,
): Promise<{ at: Date; isYoung: boolean }> {
  // One head a millisecond: it is the row's key.
  const { rows } = await client.query<{ at: Date; isYoung: boolean }>(
    `select greatest(date_trunc('milliseconds', clock_timestamp()),
       max(at) + interval '1 millisecond') as at,
       coalesce(max(at) > now() - $1::integer * interval '1 minute', false) as "isYoung"
     from evidence_heads`,
    [minutes],
  );
  return rows[0] as { at: Date; isYoung: boolean };
}

async function signed(
  client: Queryable,
  key: SigningKey,
  { origin, size, at }: { origin: string; size: number; at: Date },
): Promise<SignedHead> {
  const rootHash = (await new Tree(client).root(size)).toString('hex');
  const head = { origin, treeSize: size, rootHash, at: at.toISOString() };
  return { ...head, jws: await key.sign('evidence-head', utf8(canonicalJson(head))) };
}

async function keepHead(client: Queryable, head: SignedHead): Promise<void> {
  await client.query(
    'insert into evidence_heads (at, size, root_hash, jws) values ($1, $2, $3, $4)',
    [head.at, head.treeSize, head.rootHash, head.jws],
  );
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

/** What a kept head says, and what is wrong with it, in words; undefined: nothing. */
type Examined = { head?: TreeHead; kid?: string; problem: string | undefined };

/** Compares a kept head with the log and the keys. It throws for nothing that is in its row, or in a key's. */
export async function examineHead(
  { size: told, rootHash, jws, at }: KeptHead,
  size: number,
  tree: Tree,
  keys: KeysById,
): Promise<Examined> {
  const wrong = (problem: string): Examined => ({ problem });
  const differs = await rootProblem({ size: told, rootHash }, size, tree);
  if (differs) return wrong(differs);
  let head: TreeHead;
  let parsed: ReturnType<typeof parseJws>;
  try {
    parsed = parseJws(utf8(jws), 'evidence-head');
    head = read(headForm, parseCanonical(parsed.payload));
  } catch {
    return wrong('cannot be read');
  }
  const key = keys.get(parsed.kid);
  if (!key) return wrong('is signed with an unknown key');
  const isSame =
    head.rootHash === rootHash && head.treeSize === told && head.at === at.toISOString();
  if (!isSame) return wrong('was changed');
  const isSigned = await isSignedBy(parsed, key.x).catch(() => undefined);
  if (isSigned === undefined) return wrong(`is signed with key ${key.kid}, which was changed`);
  if (!isSigned) return wrong('has a wrong signature');
  const isTimely = isValidAt(key, head.at);
  const problem = isTimely ? undefined : `was signed when key ${key.kid} was not valid`;
  return { head, kid: key.kid, problem };
}

/** Returns why a kept head is not of this log, in words. @param size the log's */
export async function rootProblem(
  head: Pick<KeptHead, 'size' | 'rootHash'>,
  size: number,
  tree: Tree,
): Promise<string | undefined> {
  if (head.size > size) return `has ${head.size} leaves, the log only ${size}`;
  try {
    const root = (await tree.root(head.size)).toString('hex');
    return root === head.rootHash ? undefined : 'has another root than the log';
  } catch (error) {
    if (!(error instanceof DamagedLogError)) throw error;
    return `cannot be compared: ${error.message}`;
  }
}
