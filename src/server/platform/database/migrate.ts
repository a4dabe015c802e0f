/** Runs the files `migrations/NNN_name.sql` in order. A released file must never change. */
import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { withClient } from '../postgres/cluster.ts';
import type { Logger } from '../postgres/logger.ts';
import { databaseTimeouts } from './database.ts';
import { cleanDatabaseError } from './database-error.ts';

const MIGRATIONS_DIR = fileURLToPath(new URL('../../../../migrations/', import.meta.url));
const OTHER_SCHEMA =
  'it has the schema of another version: export its leads with that version, then start this one with ' +
  'an empty DATA_DIR, or with an empty database at DATABASE_URL';

/** SQL: makes other servers wait until this migration ends, and turns off time limits. */
const BEGIN = `
begin;
set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0;
select pg_advisory_xact_lock(3853314791062309107)`;

/** Migrates the database in one transaction. Returns the names of the migrations that ran. */
export async function migrate(options: {
  connectionString: string;
  log: Logger;
  migrationsDir?: string;
}): Promise<string[]> {
  const { connectionString, log, migrationsDir = MIGRATIONS_DIR } = options;
  const config = {
    connectionString,
    application_name: 'funnel-migrate',
    connectionTimeoutMillis: databaseTimeouts.connection,
  };
  try {
    const files = await readFiles(migrationsDir);
    const ran = await withClient(config, (client) => runMigrations(client, files));
    if (ran.length > 0) log.info({ migrations: ran }, 'Migrated the database');
    return ran;
  } catch (error) {
    const cause = cleanDatabaseError(error);
    throw new Error(`The database could not be migrated: ${cause.message}`, { cause });
  }
}

async function readFiles(dir: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const file of (await readdir(dir)).sort()) {
    files.set(path.parse(file).name, await readFile(path.join(dir, file), 'utf8'));
  }
  return files;
}

async function runMigrations(client: pg.Client, files: ReadonlyMap<string, string>) {
  await client.query(BEGIN);
  const [first = ''] = files.values();
  const schema = hash('sha256', first);
  const { rows: states } = await client.query<{ isUsed: boolean; schema: string | null }>(`
    select to_regclass('migrations') is not null or to_regclass('leads') is not null as "isUsed",
      obj_description(to_regclass('migrations'), 'pg_class') as schema`);
  if (states[0]?.isUsed && states[0].schema !== schema) throw new Error(OTHER_SCHEMA);
  await client.query('create table if not exists migrations (name text primary key)');
  const { rows } = await client.query<{ name: string }>('select name from migrations');
  const done = new Set(rows.map(({ name }) => name));
  // Unknown migrations come from a newer version of the program.
  if ([...done].some((name) => !files.has(name))) throw new Error(OTHER_SCHEMA);
  const missing = [...files].filter(([name]) => !done.has(name));
  for (const [name, text] of missing) {
    await client.query(text);
    await client.query('insert into migrations (name) values ($1)', [name]);
  }
  if (missing.length > 0) await client.query(`comment on table migrations is '${schema}'`);
  await client.query('commit');
  return missing.map(([name]) => name);
}
