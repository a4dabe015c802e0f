/** Measures the bytes on disk per lead and per abandoned visit, table by table, with real surveys. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { pino } from 'pino';
import { startEmbeddedPostgres } from '../src/postgres/embedded-postgres.ts';
import { appendPending } from '../src/server/operators/evidence/log.ts';
import { openDatabase } from '../src/server/storage/database.ts';
import { createProgressStore } from '../src/server/storage/leads-progress.ts';
import { createLeadsStore } from '../src/server/storage/leads-store.ts';
import { migrate } from '../src/server/storage/migrate.ts';
import { packPortion } from '../src/server/storage/packing/job.ts';
import { personKey } from '../tests/support/person-keys.ts';
import { madeVisits } from './made-visits.ts';

const COUNT = 20_000;
/** Packed and vacuumed together: the share of a table at which migrations 048 and 049 have autovacuum start. */
const PORTIONS = 100;
/** What is wanted of packed ones, without the log of evidence. */
const wanted = { lead: 3_000, 'abandoned visit': 1_500 };
const LOG = 'evidence_';
type Kind = keyof typeof wanted;
const patient = { connection: 60_000, statement: 600_000, query: 600_000 };

/** Prints a table for leads and one for abandoned visits. Sets the exit code if they take more than wanted. */
export async function benchBytes(count = COUNT): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-bytes-'));
  const log = pino({ level: 'silent' });
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  const { connectionString } = postgres;
  await migrate({ connectionString, log });
  const { pool, close } = openDatabase({ connectionString, poolMax: 8, log, timeouts: patient });
  try {
    const store = createLeadsStore({ pool, wake: () => undefined });
    const made = await madeVisits(store, createProgressStore(pool, personKey));
    const kinds = {
      lead: async (from: number, to: number) => {
        await inTurns(from, to, made.postLead);
        await pool.query(DELIVER);
        await appendPending(pool);
      },
      'abandoned visit': (from: number, to: number) => inTurns(from, to, made.abandon),
    };
    for (const kind of Object.keys(wanted) as Kind[]) {
      const fresh = await measured(pool, count, (from, to) => kinds[kind](from, to));
      const packed = await measured(pool, count, async (from, to) => {
        await kinds[kind](from, to);
        await packAll(pool);
      });
      printTable(kind, count, fresh, packed);
    }
  } finally {
    await close();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Packs as a day later. */
async function packAll(pool: pg.Pool): Promise<void> {
  await pool.query("update packing set begins_at = '-infinity'");
  const later = new Date(Date.now() + 2 * 86_400_000);
  for (const what of ['leads', 'visits'] as const) {
    while ((await packPortion(pool, what, later)) !== undefined);
  }
}

async function inTurns(
  from: number,
  to: number,
  work: (number: number) => Promise<unknown>,
): Promise<void> {
  let next = from;
  const worker = async () => {
    while (next < to) {
      next += 1;
      await work(next - 1);
    }
  };
  await Promise.all(Array.from({ length: 64 }, worker));
}

/** What a worker writes for an accepted lead, as one statement. */
const DELIVER = `
with due as (
  update deliveries set state = 'delivered', attempts = 1, revision = 1, account = '1234/567', payload_version = 3,
    due_at = null, may_have_arrived = true, external_id = substr(md5(id::text), 1, 24), finished_at = now(),
    last_message = null
  where state = 'waiting' returning id, external_id
), pending as (
  insert into evidence_pending (ref, number, is_delivery) select id, 1, true from due
)
insert into delivery_attempts (delivery_id, attempt, started_at, ended_at, outcome, http_status, response,
  duration_ms, sent_sha256, revision, account, payload_version)
select id, 1, now(), now(), 'delivered', 200,
  '{"result":"success","lead_id":"' || external_id || '","price":0,"msg":"Lead Accepted"}', 231,
  encode(sha256(external_id::bytea), 'hex'), 1, '1234/567', 3 from due`;

const EMPTY = `
truncate visits, leads, lead_revisions, clicks, consents, progress, deliveries, delivery_attempts, visit_summaries,
  lead_events, lead_checks, address_persons, evidence_pending, evidence_tiles`;
const EMPTY_LOG = 'update evidence_log set size = 0';

const SIZES = `
select c.relname as name, pg_table_size(c.oid)::float8 as bytes,
  coalesce(pg_total_relation_size(nullif(c.reltoastrelid, 0)), 0)::float8 as toast,
  (select coalesce(json_agg(json_build_array(i.relname, pg_relation_size(i.oid)) order by i.relname), '[]')
   from pg_index x join pg_class i on i.oid = x.indexrelid where x.indrelid = c.oid) as indexes
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = 'public' and c.relkind = 'r' order by c.relname`;

type Size = { name: string; bytes: number; toast: number; indexes: [string, number][] };

type Sizes = ReadonlyMap<string, number>;

/** Empties the database, stores in portions, and returns the bytes of one by table and index. */
async function measured(
  pool: pg.Pool,
  count: number,
  store: (from: number, to: number) => Promise<void>,
): Promise<Sizes> {
  await pool.query(EMPTY);
  await pool.query(EMPTY_LOG);
  const before = await sizes(pool);
  const portion = Math.ceil(count / PORTIONS);
  for (let from = 0; from < count; from += portion) {
    await store(from, Math.min(from + portion, count));
    // As autovacuum does, so that the space of old row versions is used again.
    await pool.query('vacuum');
  }
  const after = await sizes(pool);
  return new Map(
    [...after].map(([name, size]) => [name, (size - (before.get(name) ?? 0)) / count]),
  );
}

function printTable(kind: Kind, count: number, fresh: Sizes, packed: Sizes): void {
  const line = (name: string, a: number | string, b: number | string) =>
    console.log(`  ${name.padEnd(46)}${[a, b].map((cell) => String(cell).padStart(9)).join('')}`);
  console.log(`Bytes of one ${kind}, of ${count}:`);
  line('', 'fresh', 'packed');
  const together = { fresh: 0, packed: 0 };
  for (const name of fresh.keys()) {
    const [one = 0, other = 0] = [fresh.get(name), packed.get(name)];
    if (!name.startsWith(' ') && !name.startsWith(LOG)) {
      together.fresh += one;
      together.packed += other;
    }
    if (one >= 1 || other >= 1) line(name, one.toFixed(0), other.toFixed(0));
  }
  line(`together, without ${LOG}*`, together.fresh.toFixed(0), together.packed.toFixed(0));
  const isMissed = together.packed > wanted[kind];
  if (isMissed) process.exitCode = 1;
  line(`wanted${isMissed ? ', MISSED' : ''}`, '', wanted[kind]);
}

/** Returns bytes by table, and by part of a table, whose name begins with blanks. */
async function sizes(pool: pg.Pool): Promise<Sizes> {
  await pool.query('vacuum');
  const { rows } = await pool.query<Size>(SIZES);
  return new Map(
    rows.flatMap(({ name, bytes, toast, indexes }): [string, number][] => [
      [name, indexes.reduce((sum, [, size]) => sum + size, bytes)],
      [`  ${name}: rows`, bytes - toast],
      [`  ${name}: TOAST`, toast],
      ...indexes.map(([index, size]): [string, number] => [`  ${index}`, size]),
    ]),
  );
}
