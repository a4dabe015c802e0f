import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type TestDatabase, testLog, withDatabase } from '../../../../tests/support/postgres.ts';
import { migrate } from './migrate.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await withDatabase({ migrated: false });
}, 60_000);
afterEach(() => database.drop());

const run = (dir?: string) =>
  migrate({
    connectionString: database.connectionString,
    log: testLog,
    ...(dir !== undefined && { migrationsDir: dir }),
  });

/** Creates a folder of migrations from names and texts. */
async function migrationsDir(files: Record<string, string>): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'migrations-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(dir, name), text);
  return dir;
}

async function tables(): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'v') and relname <> 'migrations'
       and relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) order by 1`,
  );
  return rows.map(({ name }) => name);
}

test('several servers that start at the same time run each migration only once', async () => {
  const { connectionString } = database;
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line) => lines.push(line) });
  const names = await Promise.all([1, 2, 3].map(() => migrate({ connectionString, log })));
  expect(names.flat()).toEqual(['001_schema']);
  expect(lines).toHaveLength(1);
  expect(await run()).toEqual([]);
  expect(await tables()).toContain('leads');
});

test('every table has a comment', async () => {
  await run();
  const { rows } = await database.pool.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind in ('r', 'v') and relname <> 'migrations'
       and relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
       and obj_description(oid, 'pg_class') is null`,
  );
  expect(rows).toEqual([]);
});

test.each([
  [
    'of an earlier version',
    `create table leads (id uuid); create table migrations (name text primary key);
     insert into migrations values ('001_leads')`,
  ],
  ['with tables but without migrations', 'create table leads (id uuid)'],
])('migrate refuses a database with the tables of another version', async (_, made) => {
  await database.pool.query(made);
  const before = await tables();
  await expect(run()).rejects.toThrow(/schema of another version: export .*an empty DATA_DIR/);
  expect(await tables()).toEqual(before);
});

test('migrate refuses a database if the text of a stored migration has changed', async () => {
  const dir = await migrationsDir({ '001_good.sql': 'create table good (id int)' });
  await run(dir);
  await writeFile(path.join(dir, '002_more.sql'), 'create table more (id int)');
  expect(await run(dir)).toEqual(['002_more']);
  const older = await migrationsDir({ '001_good.sql': 'create table good (id int)' });
  await expect(run(older)).rejects.toThrow('schema of another version');
  await writeFile(path.join(dir, '001_good.sql'), 'create table good (id bigint)');
  await expect(run(dir)).rejects.toThrow('schema of another version');
});
