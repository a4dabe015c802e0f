/**
 * Forward-only migrations from `migrations/NNN_name.sql` or `.ts`, run in order through Kysely's Migrator, in one
 * transaction. Its lock lets any number of servers start at once, also through a connection pooler. The transaction locks
 * tables that an older version writes to. It waits shortly for them, and no migration reads or writes many rows. Indexes
 * follow (indexes.ts).
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Kysely, PostgresAdapter, PostgresDialect, sql, type Transaction } from 'kysely';
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration';
import type pg from 'pg';
import type { Logger } from '../../postgres/logger.ts';
import { cleanDatabaseError, isSerializationError } from './database-error.ts';
import { buildIndexes, INDEXES, openMigrationPool } from './indexes.ts';

const MIGRATIONS_DIR = fileURLToPath(new URL('../../../migrations/', import.meta.url));
const FILE_NAME = /^(\d{3}_[a-z0-9_]+)\.(sql|ts)$/;

/** Kysely's own lock, which servers of earlier versions take. */
const LOCK_ID = '3853314791062309107';

/** Takes the lock before Kysely makes its tables, until the commit. A role's time limits are for requests. */
const BEGIN = `
set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0;
select pg_advisory_xact_lock(${LOCK_ID})`;

/**
 * How long one try waits for tables in all, because posts wait behind it. Longer than PostgreSQL's deadlock_timeout, after
 * which an autovacuum gives way.
 */
const TRY_MS = 2_000;
/** The last tables of a try that took long. */
const LEAST_WAIT_MS = 100;
const GIVE_WAY_MS = 500;
const LOOK_EVERY_MS = 500;

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
 * @param options.leavesIndexesAbove the bytes of `leads` above which `startIndexing` has to build the indexes
 * @param options.migrationsDir default: the project's `migrations/`.
 * @returns the names of the migrations that ran.
 * @throws MigrationError naming the failed migration, which is rolled back.
 */
export async function migrate(options: {
  connectionString: string;
  log: Logger;
  migrationsDir?: string;
  leavesIndexesAbove?: number;
  /** Ends the waits for open transactions and for another server that builds the indexes. */
  signal?: AbortSignal | undefined;
}): Promise<string[]> {
  const { connectionString, log, migrationsDir = MIGRATIONS_DIR, signal } = options;
  const { leavesIndexesAbove: most = Number.POSITIVE_INFINITY } = options;
  const pool = openMigrationPool(connectionString);
  const db = new Kysely<unknown>({ dialect: new UnlockedDialect({ pool }) });
  try {
    const names = await inTries(pool, db, migrationsDir, log, signal);
    for (const name of names) log.info({ migration: name }, 'Migrated the database');
    const building = { pool, file: path.join(migrationsDir, INDEXES), log, signal };
    if ((await bytesOfLeads(pool)) <= most) {
      await buildIndexes(building).catch((error: unknown) => {
        throw migrationError(INDEXES, error);
      });
    }
    return names;
  } finally {
    await db.destroy();
  }
}

async function bytesOfLeads(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    `select coalesce(pg_table_size(to_regclass('leads')), 0)::float8 as bytes`,
  );
  return rows[0]?.bytes ?? 0;
}

/** Migrates in one transaction. If it does not get a table soon, posts go first, and it tries again. */
async function inTries(
  pool: pg.Pool,
  db: Kysely<unknown>,
  dir: string,
  log: Logger,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  for (;;) {
    const watch: Watch = { pid: undefined, endsAt: 0, blockers: [] };
    const watching = setInterval(() => void noteBlockers(pool, watch), LOOK_EVERY_MS);
    try {
      return await db.transaction().execute((transaction) => tryOnce(transaction, dir, watch));
    } catch (error) {
      const failure = migrationError(undefined, error);
      if (!isSerializationError(failure.cause)) throw failure;
      const waitsFor = watch.blockers.map(({ pid, name }) => `${name} (process ${pid})`);
      log.warn({ waitsFor }, 'The migration waits for open transactions, and posts go first');
    } finally {
      clearInterval(watching);
    }
    do await sleep(GIVE_WAY_MS, undefined, { signal });
    while (await areOpen(pool, watch.blockers));
  }
}

async function tryOnce(db: Transaction<unknown>, dir: string, watch: Watch): Promise<string[]> {
  await sql.raw(BEGIN).execute(db);
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  watch.pid = rows[0]?.pid;
  watch.endsAt = performance.now() + TRY_MS;
  const migrator = new Migrator({ db, provider: fileProvider(dir, watch) });
  const { error, results = [] } = await migrator.migrateToLatest();
  const failed = results.find((result) => result.status === 'Error');
  if (error !== undefined || failed !== undefined) {
    throw migrationError(failed?.migrationName, error);
  }
  return results.map((result) => result.migrationName);
}

/** A try: its process of the database, when it ends, and which transactions it last waited for. */
type Watch = { pid: number | undefined; endsAt: number; blockers: readonly Blocker[] };
type Blocker = { readonly id: string; readonly pid: number; readonly name: string };

const BLOCKERS = `
select virtualtransaction as id, pid, coalesce(nullif(application_name, ''), backend_type, 'unknown') as name
from pg_locks join pg_stat_activity using (pid)
where locktype = 'virtualxid' and granted and pid = any(pg_blocking_pids($1))`;

async function noteBlockers(pool: pg.Pool, watch: Watch): Promise<void> {
  if (watch.pid === undefined) return;
  const found = await pool.query<Blocker>(BLOCKERS, [watch.pid]).catch(() => undefined);
  if (found?.rowCount) watch.blockers = found.rows;
}

async function areOpen(pool: pg.Pool, blockers: readonly Blocker[]): Promise<boolean> {
  const ids = blockers.map(({ id }) => id);
  const { rowCount } = await pool.query(
    'select 1 from pg_locks where virtualtransaction = any($1::text[]) limit 1',
    [ids],
  );
  return rowCount === 1;
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

function fileProvider(dir: string, watch: Watch): MigrationProvider {
  return {
    async getMigrations() {
      const migrations: Record<string, Migration> = {};
      for (const file of (await readdir(dir)).sort()) {
        if (file.startsWith('.') || file.endsWith('.test.ts') || file === INDEXES) continue;
        const match = FILE_NAME.exec(file);
        if (match?.[1] === undefined) {
          throw new MigrationError(`migrations/${file} is not named NNN_name.sql or NNN_name.ts`);
        }
        const name = match[1];
        const number = name.slice(0, 3);
        if (Object.keys(migrations).some((other) => other.startsWith(number))) {
          throw new MigrationError(`Two migrations have the number ${number}`);
        }
        const { up } =
          match[2] === 'sql'
            ? await sqlMigration(path.join(dir, file))
            : await moduleMigration(path.join(dir, file));
        migrations[name] = {
          async up(db) {
            const waitMs = Math.max(LEAST_WAIT_MS, Math.ceil(watch.endsAt - performance.now()));
            await sql.raw(`set local lock_timeout = ${waitMs}`).execute(db);
            await up(db);
          },
        };
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
