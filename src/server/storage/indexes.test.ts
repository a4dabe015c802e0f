import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { untilBlocked } from '../../../tests/support/ledger.ts';
import { migrationsDir } from '../../../tests/support/migrations-dir.ts';
import { type TestDatabase, testLog, withDatabase } from '../../../tests/support/postgres.ts';
import { startIndexing } from './indexes.ts';
import { migrate } from './migrate.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await withDatabase({ migrated: false });
}, 60_000);
afterEach(() => database.drop());

test('builds indexes while rows come in, and again after a kill or a time limit', async () => {
  const { connectionString, pool } = database;
  const dir = await migrationsDir({
    '001_rows.sql': 'create table rows (n int); create index former on rows (n)',
  });
  const migrating = () => migrate({ connectionString, log: testLog, migrationsDir: dir });
  await migrating();
  await writeFile(
    path.join(dir, 'indexes.sql'),
    '-- Of rows.\ncreate index concurrently rows_n_idx on rows ((n + 1));\ndrop index concurrently former;',
  );
  const indexes = async () => {
    const { rows } =
      await pool.query(`select indexrelid::regclass::text as name, indisvalid as valid
      from pg_index where indrelid = 'rows'::regclass order by 1`);
    return rows;
  };
  const end = (how: string) =>
    pool.query(`select ${how}(pid) from pg_stat_activity where query like 'create index%'
      and datname = current_database()`);
  const writing = await pool.connect();
  await writing.query('begin; insert into rows values (1)');
  const killed = migrating();
  killed.catch(() => undefined);
  await untilBlocked(pool);
  await pool.query('insert into rows values (2)');
  await end('pg_terminate_backend');
  await expect(killed).rejects.toThrow(/indexes\.sql/);
  expect(await indexes()).toEqual([
    { name: 'former', valid: true },
    { name: 'rows_n_idx', valid: false },
  ]);
  // The second one waits for the first one.
  const both = [migrating(), migrating()];
  await untilBlocked(pool);
  await writing.query('commit');
  await Promise.all(both);
  expect(await indexes()).toEqual([{ name: 'rows_n_idx', valid: true }]);

  await pool.query('drop index rows_n_idx');
  await writing.query('begin; insert into rows values (3)');
  const limited = migrating();
  await untilBlocked(pool);
  await end('pg_cancel_backend');
  await untilBlocked(pool);
  await writing.query('commit');
  writing.release();
  await limited;
  expect(await indexes()).toEqual([{ name: 'rows_n_idx', valid: true }]);
  const statistics = await pool.query(`select 1 from pg_stats where tablename = 'rows_n_idx'`);
  expect(statistics.rowCount).toBe(1);
});

test('leaves the indexes of a large database for later, which a stop ends at once', async () => {
  const { connectionString, pool } = database;
  const dir = await migrationsDir({
    '001_leads.sql': 'create table leads (n int)',
    'indexes.sql': 'create index concurrently leads_n_idx on leads (n)',
  });
  const large = { connectionString, log: testLog, migrationsDir: dir, leavesIndexesAbove: -1 };
  expect(await migrate(large)).toEqual(['001_leads']);
  const isBuilt = async () => {
    const { rows } = await pool.query(`select indisvalid from pg_index
      where indexrelid = to_regclass('leads_n_idx')`);
    return rows[0]?.indisvalid;
  };
  expect(await isBuilt()).toBeUndefined();

  const writing = await pool.connect();
  await writing.query('begin; insert into leads values (1)');
  const file = path.join(dir, 'indexes.sql');
  const start = () => startIndexing({ connectionString, log: testLog, file });
  const first = start();
  await untilBlocked(pool);
  await first.stop();
  expect(await isBuilt()).toBe(false);
  await writing.query('commit');
  writing.release();
  const next = start();
  await expect.poll(isBuilt).toBe(true);
  await next.stop();
});
