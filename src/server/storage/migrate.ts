/**
 * Forward-only migrations from `migrations/NNN_name.sql` or `.ts`, run in order through Kysely's Migrator, in one
 * transaction. Its lock lets any number of servers start at once, also through a connection pooler.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Kysely, PostgresAdapter, PostgresDialect, sql } from 'kysely';
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration';
import pg from 'pg';
import type { Logger } from '../../postgres/logger.ts';
import { databaseTimeouts } from './database.ts';
import { cleanDatabaseError } from './database-error.ts';

const MIGRATIONS_DIR = fileURLToPath(new URL('../../../migrations/', import.meta.url));
const FILE_NAME = /^(\d{3}_[a-z0-9_]+)\.(sql|ts)$/;

/** Kysely's own lock, which servers of earlier versions take. */
const LOCK_ID = '3853314791062309107';

/** Takes the lock before Kysely makes its tables, until the commit. A role's time limits are for requests. */
const BEGIN = `
set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0;
select pg_advisory_xact_lock(${LOCK_ID})`;

/** Leaves the lock to `BEGIN`: Kysely's is the session's, which a connection pooler may give to others. */
class UnlockedAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

class UnlockedDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new UnlockedAdapter();
  }
}

/** A migration failed, or the files are invalid. The message names the migration. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/**
 * Migrates the database to this version's schema, over connections without a statement time-out.
 *
 * @param options.migrationsDir default: the project's `migrations/`.
 * @returns the names of the migrations that ran.
 * @throws MigrationError naming the failed migration, which is rolled back.
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
  pool.on('error', () => undefined); // A failed query rejects by itself; idle connections do not matter.
  const db = new Kysely<unknown>({ dialect: new UnlockedDialect({ pool }) });
  try {
    const names = await db
      .transaction()
      .execute(async (transaction) => {
        await sql.raw(BEGIN).execute(transaction);
        const provider = fileProvider(migrationsDir);
        const migrator = new Migrator({ db: transaction, provider });
        const { error, results = [] } = await migrator.migrateToLatest();
        const failed = results.find((result) => result.status === 'Error');
        if (error !== undefined || failed !== undefined) {
          throw migrationError(failed?.migrationName, error);
        }
        return results.map((result) => result.migrationName);
      })
      .catch((error: unknown) => {
        throw migrationError(undefined, error);
      });
    for (const name of names) log.info({ migration: name }, 'Migrated the database');
    return names;
  } finally {
    await db.destroy();
  }
}

function migrationError(name: string | undefined, error: unknown): MigrationError {
  if (error instanceof MigrationError) return error;
  const reason = isDatabaseError(error) ? cleanDatabaseError(error) : error;
  const text = reason instanceof Error ? reason.message : String(reason);
  return new MigrationError(
    name === undefined
      ? `The database could not be migrated: ${text}`
      : `Migration ${name} failed: ${text}`,
    { cause: reason },
  );
}

function isDatabaseError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'severity' in error;
}

function fileProvider(dir: string): MigrationProvider {
  return {
    async getMigrations() {
      const migrations: Record<string, Migration> = {};
      for (const file of (await readdir(dir)).sort()) {
        if (file.startsWith('.') || file.endsWith('.test.ts')) continue;
        const match = FILE_NAME.exec(file);
        if (match?.[1] === undefined) {
          throw new MigrationError(`migrations/${file} is not named NNN_name.sql or NNN_name.ts`);
        }
        const name = match[1];
        const number = name.slice(0, 3);
        if (Object.keys(migrations).some((other) => other.startsWith(number))) {
          throw new MigrationError(`Two migrations have the number ${number}`);
        }
        migrations[name] =
          match[2] === 'sql'
            ? await sqlMigration(path.join(dir, file))
            : await moduleMigration(path.join(dir, file));
      }
      return migrations;
    },
  };
}

async function sqlMigration(file: string): Promise<Migration> {
  const text = await readFile(file, 'utf8');
  return {
    async up(db) {
      await sql.raw(text).execute(db);
    },
  };
}

async function moduleMigration(file: string): Promise<Migration> {
  const module: unknown = await import(pathToFileURL(file).href);
  const up =
    typeof module === 'object' && module !== null && 'up' in module ? module.up : undefined;
  if (typeof up !== 'function') {
    throw new MigrationError(`migrations/${path.basename(file)} does not export a function up`);
  }
  return { up: up as Migration['up'] };
}
