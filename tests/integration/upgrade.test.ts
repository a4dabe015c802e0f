/** An older database is migrated while the older version takes leads: no table of leads is read while it is locked. */
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { migrate } from '../../src/server/storage/migrate.ts';
import { untilBlocked } from '../support/ledger.ts';
import { databaseForTests } from '../support/own-database.ts';
import { type TestDatabase, testLog, withDatabase } from '../support/postgres.ts';

const MIGRATIONS = path.resolve('migrations');
/** The oldest version that may run during an upgrade. */
const OLD = '034';

const fresh = await databaseForTests();
const dirs: string[] = [];
let database: TestDatabase;

async function linked(wanted: (name: string) => boolean): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'migrations-'));
  dirs.push(dir);
  const names = (await readdir(MIGRATIONS)).filter(wanted);
  for (const name of names) await symlink(path.join(MIGRATIONS, name), path.join(dir, name));
  return dir;
}
const isMigration = (name: string) => name !== 'indexes.sql';

beforeEach(async () => {
  database = await withDatabase({ migrated: false });
  const { connectionString } = database;
  const migrationsDir = await linked((name) => name.slice(0, 3) <= OLD);
  await migrate({ connectionString, log: testLog, migrationsDir });
});
afterEach(() => database.drop());
afterAll(() => Promise.all(dirs.map((dir) => rm(dir, { recursive: true }))));

const ID = '01890000-0000-7000-8000-000000000001';
/** What the older version writes for a lead and its visit. */
const POST = `
insert into visits (lead_id) values ('${ID}');
insert into clicks (lead_id, id) values ('${ID}', 'click');
insert into progress (lead_id, seq, survey, step, kind) values ('${ID}', 1, '/survey/v4', 'AtFault', 'answered');
insert into leads (id, survey, flow, language, qualified, lead_is_qualified, do_not_send_to_dq)
  values ('${ID}', '/survey/v4', 'v4', 'en', true, true, 'yes');
insert into lead_revisions (lead_id, revision, body) values ('${ID}', 1, '{}');
insert into consents (lead_id, revision, text, text_sha256, language, page) values ('${ID}', 1, '', '', 'en', '');
insert into deliveries (id, lead_id, destination, state) values ('${ID}', '${ID}', 'ingest', 'waiting')`;

/** Tables of operators, with a few hundred rows. Here migrations may drop an index. */
const SMALL = `'{console_sessions,passkeys,sign_in_secrets,suppression_imports}'::text[]`;

/** Returns each table's scans (an index's build makes one), changed rows, file and indexes. */
async function tablesOf(pool: pg.Pool) {
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name, seq_scan, n_tup_upd, n_tup_del, pg_relation_filenode(relid) as file,
       (select array_agg(indexrelid::text order by indexrelid) from pg_index
         where indrelid = relid and relname <> all (${SMALL})) as indexes
     from pg_stat_user_tables where relname not like 'kysely%' order by 1`,
  );
  return rows;
}

/** The statistics are complete once the connections are closed. */
async function untilClosed(pool: pg.Pool): Promise<void> {
  await expect
    .poll(async () => {
      const { rowCount } = await pool.query(
        `select 1 from pg_stat_activity
         where datname = current_database() and application_name = 'funnel-migrate'`,
      );
      return rowCount;
    })
    .toBe(0);
}

async function schemaOf(pool: pg.Pool) {
  const { rows } = await pool.query<{ line: string }>(
    `select indexdef as line from pg_indexes where schemaname = 'public'
     union all
     select format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default)
     from information_schema.columns where table_schema = 'public'
     union all
     select format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
     from pg_constraint where connamespace = 'public'::regnamespace
     order by 1`,
  );
  return rows.map(({ line }) => line);
}

test('the migration reads, changes and indexes no table of the older version', async () => {
  const { connectionString, pool } = database;
  await pool.query(POST);
  await untilClosed(pool);
  const before = await tablesOf(pool);
  const migrationsDir = await linked(isMigration);
  expect(await migrate({ connectionString, log: testLog, migrationsDir })).not.toEqual([]);
  await untilClosed(pool);
  const names = new Set(before.map(({ name }) => name));
  const after = (await tablesOf(pool)).filter(({ name }) => names.has(name));
  expect(after).toEqual(before);

  await migrate({ connectionString, log: testLog });
  expect(await schemaOf(pool)).toEqual(await schemaOf(fresh.pool));
});

test('posts pass a migration that waits for a transaction, which its log names', async () => {
  const { connectionString, pool } = database;
  const logged: { waitsFor?: string[] }[] = [];
  const log = pino({}, { write: (line: string) => logged.push(JSON.parse(line)) });
  const report = await pool.connect();
  await report.query('begin');
  const { rows } = await report.query(
    'select pg_backend_pid() as pid from progress right join (select) on true',
  );
  const migrating = migrate({ connectionString, log });
  await untilBlocked(pool);
  await pool.query(POST);
  // It waits until the transaction has ended, without a lock.
  const named = expect.stringContaining(`(process ${rows[0]?.pid})`);
  await expect.poll(() => logged.flatMap(({ waitsFor = [] }) => waitsFor)).toEqual([named]);
  await report.query('commit');
  report.release();
  expect(await migrating).not.toEqual([]);
  expect((await pool.query('select 1 from leads')).rowCount).toBe(1);
});

test('a migration that waits for a post locks no table that the post needs next', async () => {
  const { connectionString, pool } = database;
  const post = await pool.connect();
  await post.query('begin; lock table visits in row exclusive mode');
  const migrating = migrate({ connectionString, log: testLog });
  const locked = async () => {
    const { rows } = await pool.query<{ name: string }>(
      `select relation::regclass::text as name from pg_locks
       where locktype = 'relation' and mode = 'AccessExclusiveLock' and granted
         and pid = (select pid from pg_locks where relation = 'visits'::regclass and not granted)`,
    );
    return rows.map(({ name }) => name);
  };
  await expect.poll(locked).toEqual(['progress']);
  await post.query('commit');
  post.release();
  expect(await migrating).not.toEqual([]);
});
