/** The database of a measured server: filled, and counted. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { surveys } from '../src/flows/surveys.ts';
import { loadSurveyTable } from '../src/intake/survey-table.ts';
import { findRunningEmbeddedPostgres } from '../src/postgres/embedded-postgres.ts';
import { fillHistory, type HistorySize } from './fill-history.ts';

/** Opens the embedded database of a running server. No statement has a time-out. */
export async function openDatabaseOf(dataDir: string): Promise<pg.Pool> {
  const database = await findRunningEmbeddedPostgres(dataDir);
  if (!database) throw new Error('the server has no embedded database');
  const pool = new pg.Pool({ connectionString: database.connectionString, max: 4 });
  // The last connections may end with the database.
  pool.on('error', () => undefined);
  return pool;
}

/** Fills an empty database with a history. */
export async function fill(pool: pg.Pool, size: HistorySize): Promise<void> {
  const table = await loadSurveyTable(surveys);
  const counted = surveys.map(({ path, language }) => ({
    ...{ path, language, affiliate: '' },
    steps: Object.keys(table(path)?.flow.steps ?? {}),
  }));
  await fillHistory(pool, counted, size);
}

/** Waits until every change until now is counted. @returns for how long, in milliseconds */
export async function untilCounted(pool: pg.Pool, mostMs: number): Promise<number> {
  const startedMs = performance.now();
  const { rows } = await pool.query<{ now: Date }>('select now()');
  const since = rows[0]?.now;
  for (;;) {
    const { rowCount } = await pool.query(
      'select 1 from counting where counted_until >= $1 and not exists (select 1 from hours_to_count)',
      [since],
    );
    const tookMs = performance.now() - startedMs;
    if (rowCount === 1 || tookMs > mostMs) return tookMs;
    await sleep(200);
  }
}
