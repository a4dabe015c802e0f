/** Measures the counting and the console's reads with a million leads and twenty million steps. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { dimensions } from '../src/contract/console/numbers.ts';
import { surveys } from '../src/flows/surveys.ts';
import { loadSurveyTable } from '../src/intake/survey-table.ts';
import { startEmbeddedPostgres } from '../src/postgres/embedded-postgres.ts';
import { destinations } from '../src/server/destinations/index.ts';
import { readExperiments } from '../src/server/operators/counts/experiments.ts';
import { readFunnel } from '../src/server/operators/counts/funnel.ts';
import { countChanges, countingOptions } from '../src/server/operators/counts/job.ts';
import { readNow } from '../src/server/operators/counts/now.ts';
import { readBreakdown, readOverview } from '../src/server/operators/counts/overview.ts';
import { migrate } from '../src/server/storage/migrate.ts';
import { figuresOf } from './figures.ts';
import { fillHistory, largeHistory } from './fill-history.ts';

const ROUNDS = 15;
const TARGET_MS = 300;
const timeZone = 'America/New_York';

/**
 * @param keptDir a folder whose filled database is kept and used again; default: a temporary one
 */
export async function benchCounts(keptDir?: string): Promise<void> {
  const dataDir = keptDir ? resolve(keptDir) : mkdtempSync(join(tmpdir(), 'bench-'));
  const log = pino({ level: 'silent' });
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  const { connectionString } = postgres;
  await migrate({ connectionString, log });
  const pool = new pg.Pool({ connectionString, max: 4 });
  // The last connections may end with the database.
  pool.on('error', () => undefined);
  try {
    await measure(pool);
  } finally {
    await pool.end();
    await postgres.stop();
    if (!keptDir) rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measure(pool: pg.Pool): Promise<void> {
  const options = await countingOptions({
    surveys,
    destinations: destinations.map((definition) => ({ definition, values: undefined })),
    keep: {
      visits: 31,
      leads: 1_826,
      clicks: 395,
      attempts: 395,
      consents: 1_826,
      requests: 1_826,
    },
  });
  const known = await pool.query('select 1 from visits limit 1');
  if (known.rowCount === 0) {
    await timed('filled in', () => fillHistory(pool, options.surveys, largeHistory));
  }
  // All of it the first time; else what an earlier bench has left.
  await timed('counted in', async () => {
    while ((await countChanges(pool, options))?.hasMore);
  });
  await pool.query('vacuum analyze');
  await printSizes(pool);
  await measureRuns(pool, (now) => countChanges(pool, { ...options, ...(now && { now }) }));
  await measureReads(pool);
}

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const startedMs = performance.now();
  await work();
  console.log(`  ${what} ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
}

async function printSizes(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<Record<'name' | 'rows' | 'bytes' | 'indexes', string>>(
    `select relname as name, reltuples::bigint as rows, pg_size_pretty(pg_table_size(oid)) as bytes,
       pg_size_pretty(pg_indexes_size(oid)) as indexes
     from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples > 1000
     order by pg_total_relation_size(oid) desc`,
  );
  for (const { name, rows: count, bytes, indexes } of rows) {
    console.log(`  ${name.padEnd(20)} ${count.padStart(9)} rows  ${bytes}, indexes ${indexes}`);
  }
  const own = await pool.query<Record<'name' | 'bytes', string>>(
    `select relname as name, pg_size_pretty(pg_relation_size(oid)) as bytes from pg_class
     where relname in ('visits_seen_at_idx', 'deliveries_finished_at_idx', 'lead_events_at_idx', 'leads_state_idx')`,
  );
  for (const { name, bytes } of own.rows) console.log(`  ${name} ${bytes}`);
}

/** Measures a run with nothing to do, and runs after some visits went on. */
async function measureRuns(pool: pg.Pool, count: (now?: Date) => Promise<unknown>): Promise<void> {
  for (const visits of [0, 50, 1_000]) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await pool.query(
        `update visits set seen_at = now() where lead_id in (
           select lead_id from visits where created_at is not null order by lead_id desc limit $1)`,
        [visits],
      );
      const startedMs = performance.now();
      await count();
      times.push(performance.now() - startedMs);
    }
    print(`a run with ${visits} changed visits of the last hour`, times);
  }
}

async function measureReads(pool: pg.Pool): Promise<void> {
  const table = await loadSurveyTable(surveys);
  const entry = table('/survey/v4nv');
  if (!entry) throw new Error('there is no survey /survey/v4nv');
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const periods = { '1 day': day(0), '7 days': day(6), '30 days': day(29), '90 days': day(89) };
  const experiment = { weight: 1 };
  const experiments = [
    {
      ...{ id: 'buttons', surveys: surveys.map(({ path }) => path) },
      variants: { plain: experiment, rounded: experiment },
    },
  ];
  for (const [name, from] of Object.entries(periods)) {
    const period = { from, to: day(0) };
    await measureRead(`overview, ${name}`, () => readOverview(pool, { period, timeZone }));
    for (const dimension of dimensions) {
      await measureRead(`by ${dimension}, ${name}`, () =>
        readBreakdown(pool, { period, timeZone, dimension }),
      );
    }
    await measureRead(`funnel, ${name}`, () => readFunnel(pool, { entry, period, timeZone }));
    const segment = { dimension: 'source', value: 'google' } as const;
    await measureRead(`funnel of one source, ${name}`, () =>
      readFunnel(pool, { entry, period, timeZone, segment }),
    );
  }
  const names = destinations.map((definition) => definition.name);
  const unsold = { countUnsold: async () => ({ count: 0, isExact: true }), missingBuyer: [] };
  await measureRead('now', () =>
    readNow({
      client: pool,
      role: 'operator',
      destinations: names,
      ignored: [],
      timeZone,
      ...unsold,
    }),
  );
  await measureRead('experiments', () =>
    readExperiments(pool, { experiments, survey: '/survey/v4nv', timeZone }),
  );
}

async function measureRead(name: string, read: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedMs = performance.now();
    await read();
    times.push(performance.now() - startedMs);
  }
  print(name, times);
}

function print(name: string, times: readonly number[]): void {
  const most = Math.max(...times);
  const mark = most > TARGET_MS ? `  above ${TARGET_MS} ms` : '';
  console.log(
    `  ${name.padEnd(48)} median ${figuresOf(times).median.toFixed(1).padStart(7)} ms, most ${most.toFixed(1).padStart(7)} ms${mark}`,
  );
}
