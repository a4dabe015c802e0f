/** Runs the migrations `migrations/NNN_name.sql` in order. They go forward only: a released file never changes. */
import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Kysely, PostgresAdapter, PostgresDialect, sql, type Transaction } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import type { Logger } from '../../postgres/logger.ts';
import { databaseTimeouts } from './database.ts';
import { cleanDatabaseError } from './database-error.ts';

const MIGRATIONS_DIR = fileURLToPath(new URL('../../../migrations/', import.meta.url));
const FILE_NAME = /^\d{3}_[a-z0-9_]+\.sql$/;

/**
 * Lets one server migrate at a time, until the commit. Kysely's own lock is the session's, which a connection pooler
 * may give to others. A role's time limits are for requests.
 */
const BEGIN = `
set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0;
select pg_advisory_xact_lock(3853314791062309107)`;

class UnlockedAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

class UnlockedDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new UnlockedAdapter();
  }
}

/** A migration failed, the files are invalid, or the database has another schema. The message is one sentence. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/**
 * Migrates the database to this version's schema, in one transaction. Any number of servers may start at once.
 *
 * @param options.migrationsDir default: the project's `migrations/`
 * @returns the names of the migrations that ran
 * @throws MigrationError
 */
export async function migrate(options: {
  connectionString: string;
  log: Logger;
  migrationsDir?: string;
}): Promise<string[]> {
  const { connectionString, log, migrationsDir = MIGRATIONS_DIR } = options;
  const pool = new pg.Pool({
    connectionString,
    max: 1,
    application_name: 'funnel-migrate',
    connectionTimeoutMillis: databaseTimeouts.connection,
  });
  // A lost connection rejects its query.
  pool.on('error', () => undefined);
  const db = new Kysely<unknown>({ dialect: new UnlockedDialect({ pool }) });
  try {
    const files = await readFiles(migrationsDir);
    const ran = await db.transaction().execute((transaction) => runMigrations(transaction, files));
    if (ran.length > 0) log.info({ migrations: ran }, 'Migrated the database');
    return ran;
  } catch (error) {
    if (error instanceof MigrationError) throw error;
    throw migrationError('The database could not be migrated', error);
  } finally {
    await db.destroy();
  }
}

/** Returns the text of each migration by its name. */
async function readFiles(dir: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const file of (await readdir(dir)).sort()) {
    if (!FILE_NAME.test(file)) throw new MigrationError(`migrations/${file} is not NNN_name.sql`);
    files.set(path.parse(file).name, await readFile(path.join(dir, file), 'utf8'));
  }
  return files;
}

async function runMigrations(
  db: Transaction<unknown>,
  files: ReadonlyMap<string, string>,
): Promise<string[]> {
  await sql.raw(BEGIN).execute(db);
  const [first = ''] = files.values();
  const schema = hash('sha256', first);
  await refuseOtherSchema(db, schema);
  const migrations: [string, Migration][] = [...files].map(([name, text]) => [
    name,
    { up: async () => void (await sql.raw(text).execute(db)) },
  ]);
  const provider = { getMigrations: async () => Object.fromEntries(migrations) };
  const { error, results = [] } = await new Migrator({ db, provider }).migrateToLatest();
  const failed = results.find(({ status }) => status === 'Error');
  if (failed) throw migrationError(`Migration ${failed.migrationName} failed`, error);
  if (error !== undefined) throw error;
  if (results.length > 0) {
    await sql`comment on table kysely_migration is ${sql.lit(schema)}`.execute(db);
  }
  return results.map(({ migrationName }) => migrationName);
}

/** Refuses a database whose tables the first migration, with this hash, did not make. */
async function refuseOtherSchema(db: Transaction<unknown>, schema: string): Promise<void> {
  const { rows } = await sql<{ isUsed: boolean; schema: string | null }>`
    select to_regclass('kysely_migration') is not null or to_regclass('leads') is not null as "isUsed",
      obj_description(to_regclass('kysely_migration'), 'pg_class') as schema`.execute(db);
  const [found] = rows;
  if (!found?.isUsed || found.schema === schema) return;
  throw new MigrationError(
    'The database has the schema of another version: export its leads with that version, then start this one with ' +
      'an empty DATA_DIR, or with an empty database at DATABASE_URL',
  );
}

function migrationError(what: string, error: unknown): MigrationError {
  const isDatabases = typeof error === 'object' && error !== null && 'severity' in error;
  const cause = isDatabases ? cleanDatabaseError(error) : error;
  const text = cause instanceof Error ? cause.message : String(cause);
  return new MigrationError(`${what}: ${text}`, { cause });
}
