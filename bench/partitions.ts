/**
 * Measures what partitions by month would change for steps, the largest table that is purged
 * (docs/decisions/0075-no-partitions.md): one table, partitions by the time of a row, and partitions by the lead's id,
 * which begins with the browser's time.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { startEmbeddedPostgres } from '../src/postgres/embedded-postgres.ts';
import { median } from './figures.ts';

const MONTHS = 12;
const VISITS_A_MONTH = 20_000;
const STEPS = 10;
const LOOK_UPS = 500;
const ROUNDS = 9;
/** Visits that one statement of the purge takes. */
const PORTION = 500;

const monthAt = (month: number) => `timestamptz '2026-01-01 UTC' + ${month} * interval '30 days'`;
const idAt = (at: string) =>
  `(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid`;

/** The variants: how a table is partitioned, and its primary key. */
const variants = [
  { name: 'one table', by: undefined, key: 'lead_id, seq', bound: (at: string) => at },
  {
    ...{ name: 'months of rows', by: 'received_at', key: 'lead_id, seq, received_at' },
    bound: (at: string) => at,
  },
  { name: 'months of ids', by: 'lead_id', key: 'lead_id, seq', bound: idAt },
] as const;

/** Prints a line for each variant. */
export async function benchPartitions(): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'bench-partitions-'));
  const postgres = await startEmbeddedPostgres({ dataDir, log: pino({ level: 'silent' }) });
  const client = new pg.Client({ connectionString: postgres.connectionString });
  await client.connect();
  try {
    for (const variant of variants) await measure(client, variant);
  } finally {
    await client.end();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measure(client: pg.Client, variant: (typeof variants)[number]): Promise<void> {
  const { name, by, key, bound } = variant;
  await client.query(
    `create table steps (lead_id uuid, seq integer, survey text, step text, kind text, answers jsonb,
       received_at timestamptz, primary key (${key})) ${by === undefined ? '' : `partition by range (${by})`}`,
  );
  for (let month = 0; by !== undefined && month < MONTHS; month += 1) {
    const [from, to] = [monthAt(month), monthAt(month + 1)].map(bound);
    // Bounds are literals.
    const { rows } = await client.query<{ from: string; to: string }>(
      `select (${from})::text as from, (${to})::text as to`,
    );
    await client.query(
      `create table steps_${month} partition of steps for values from ('${rows[0]?.from}') to ('${rows[0]?.to}')`,
    );
  }
  const visitAt = `${monthAt(0)} + (n::float8 / ${VISITS_A_MONTH}) * interval '30 days'`;
  const filledMs = await timed(() =>
    client.query(
      `insert into steps select ${idAt(visitAt)}, seq, '/survey/v2', 'HasLawyer', 'answered', '{"has_lawyer":"no"}', ${visitAt}
       from generate_series(0, ${MONTHS * VISITS_A_MONTH - 1}) as n, generate_series(1, ${STEPS}) as seq`,
    ),
  );
  await client.query('vacuum analyze');
  const { rows: ids } = await client.query<{ id: string }>(
    `select ${idAt(visitAt)} as id from generate_series(0, ${MONTHS * VISITS_A_MONTH - 1}, ${(MONTHS * VISITS_A_MONTH) / LOOK_UPS}) as n`,
  );
  const reads: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const ms = await timed(async () => {
      for (const { id } of ids) {
        const text = 'select * from steps where lead_id = $1 order by seq';
        await client.query({ name, text, values: [id] });
      }
    });
    reads.push(ms / ids.length);
  }
  const { rows: sizes } = await client.query<{ bytes: number }>(
    `select sum(pg_relation_size(indexrelid))::float8 as bytes from pg_index
     where indrelid::regclass::text like 'steps%'`,
  );
  const purgedMs = await timed(() =>
    by === undefined ? deleteMonth(client) : client.query('drop table steps_0'),
  );
  console.log(
    `${name}: filled in ${(filledMs / 1000).toFixed(1)} s; indexes ${((sizes[0]?.bytes ?? 0) / 2 ** 20).toFixed(0)} MiB;` +
      ` a visit read in ${median(reads).toFixed(3)} ms; a month purged in ${(purgedMs / 1000).toFixed(2)} s`,
  );
  await client.query('drop table steps');
}

/** Deletes the first month as the purge does. */
async function deleteMonth(client: pg.Client): Promise<void> {
  for (let first = 0; first < VISITS_A_MONTH; first += PORTION) {
    await client.query(
      `delete from steps where lead_id = any(array(
         select ${idAt(`${monthAt(0)} + (n::float8 / ${VISITS_A_MONTH}) * interval '30 days'`)}
         from generate_series(${first}, ${first + PORTION - 1}) as n))`,
    );
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}
