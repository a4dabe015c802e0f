/**
 * Forward-only migrations from `migrations/NNN_name.sql` or `.ts`, run in order through Kysely's Migrator, in one
 * transaction. Its lock lets any number of servers start at once, also through a connection pooler. The transaction locks
 * tables that an older version writes to. It waits shortly for them, and no migration reads or writes many rows. Then it
 * builds the indexes of `migrations/indexes.sql`, each by itself, while leads come in.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Kysely, PostgresAdapter, PostgresDialect, sql, type Transaction } from 'kysely';
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration';
import pg from 'pg';
import type { Logger } from '../../postgres/logger.ts';
import { databaseTimeouts } from './database.ts';
import { cleanDatabaseError, isSerializationError } from './database-error.ts';

const MIGRATIONS_DIR = fileURLToPath(new URL('../../../migrations/', import.meta.url));
const INDEXES = 'indexes.sql';
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
  /** Ends the waits for open transactions and for another server that builds the indexes. */
  signal?: AbortSignal | undefined;
}): Promise<string[]> {
  const { connectionString, log, migrationsDir = MIGRATIONS_DIR, signal } = options;
  const pool = new pg.Pool({
    connectionString,
    max: 2,
    application_name: 'funnel-migrate',
    connectionTimeoutMillis: databaseTimeouts.connection,
  });
  pool.on('error', () => undefined); // A failed query rejects by itself; idle connections do not matter.
  const db = new Kysely<unknown>({ dialect: new UnlockedDialect({ pool }) });
  try {
    const names = await inTries(pool, db, migrationsDir, log, signal);
    for (const name of names) log.info({ migration: name }, 'Migrated the database');
    await buildIndexes(pool, await readIndexes(migrationsDir), log, signal).catch(
      (error: unknown) => {
        throw migrationError(INDEXES, error);
      },
    );
    return names;
  } finally {
    await db.destroy();
  }
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
  const found = await pool.query<Blocker>(BLOCKERS, [watch.pid]).catch(ignore);
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

/** A statement of `indexes.sql`. */
type IndexStatement = { readonly text: string; readonly name: string; readonly isDrop: boolean };

async function readIndexes(dir: string): Promise<IndexStatement[]> {
  const text = await readFile(path.join(dir, INDEXES), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    },
  );
  const statements = text.replaceAll(/^--.*$/gm, '').split(';');
  return statements
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => {
      const found = /^(create|drop) index concurrently (?!if )(\w+)/.exec(each);
      if (!found?.[2])
        throw new MigrationError(`migrations/${INDEXES} has another statement: ${each}`);
      return { text: each, name: found[2], isDrop: found[1] === 'drop' };
    });
}

const BUILD_LOCK_ID = '3853314791062309108';
/** The building server's lock. Its transaction reads nothing, because a build waits for transactions that read. */
const BUILD = `
begin;
set local idle_in_transaction_session_timeout = 0;
select pg_try_advisory_xact_lock(${BUILD_LOCK_ID}) as "isMine"`;
const LOOK_EVERY_MS = 500;

/** Makes the indexes as the statements say. Waits for another server that does it. */
async function buildIndexes(
  pool: pg.Pool,
  statements: readonly IndexStatement[],
  log: Logger,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (;;) {
    signal?.throwIfAborted();
    if ((await leftOf(pool, statements)).length === 0) return;
    const client = await pool.connect();
    client.on('error', ignore);
    let isMine = false;
    try {
      const results = (await client.query(BUILD)) as unknown as pg.QueryResult[];
      isMine = results.at(-1)?.rows[0]?.isMine;
      if (isMine) {
        for (const statement of await leftOf(pool, statements)) {
          await alone(pool, statement);
          await analyze(pool, statement.text);
          log.info({ statement: statement.text }, 'Changed an index');
        }
      }
      await client.query('commit');
    } finally {
      client.off('error', ignore);
      client.release();
    }
    if (!isMine) await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}

const FOUND = `
select relname as name, indisvalid as "isValid" from pg_index join pg_class on pg_class.oid = indexrelid
where pg_table_is_visible(indexrelid) and relname = any($1::text[])`;

/** A statement that has something to do. An interrupted build leaves an invalid index. */
type DueStatement = IndexStatement & { readonly isInvalid: boolean };

async function leftOf(
  pool: pg.Pool,
  statements: readonly IndexStatement[],
): Promise<DueStatement[]> {
  const names = statements.map(({ name }) => name);
  const { rows } = await pool.query<{ name: string; isValid: boolean }>(FOUND, [names]);
  const found = new Map(rows.map(({ name, isValid }) => [name, isValid]));
  return statements
    .filter(({ name, isDrop }) => (isDrop ? found.has(name) : !found.get(name)))
    .map((each) => ({ ...each, isInvalid: !each.isDrop && found.has(each.name) }));
}

const CANCELLED = ['57014', '55P03'];
const SETTINGS = ['statement_timeout', 'lock_timeout'];

/** A lost connection rejects its query; without one it is noticed by the next. */
const ignore = () => undefined;

/**
 * Runs a statement that cannot be in a transaction. A pooler may run it without our settings; if a time limit of the
 * role then ends it, an index is built in a transaction, for which writes wait.
 */
async function alone(
  pool: pg.Pool,
  { text, name, isDrop, isInvalid }: DueStatement,
): Promise<void> {
  const removed = `drop index concurrently if exists ${name}`;
  const client = await pool.connect();
  client.on('error', ignore);
  try {
    for (const setting of SETTINGS) await client.query(`set ${setting} = 0`);
    if (isInvalid) await client.query(removed);
    await client.query(text);
  } catch (error) {
    if (isDrop || !CANCELLED.includes((error as { code?: string }).code ?? '')) throw error;
    // In a transaction, it would keep readers waiting for the build, too.
    await client.query(removed);
    const limits = SETTINGS.map((setting) => `set local ${setting} = 0`);
    await client.query(
      ['begin', ...limits, text.replace(' concurrently', ''), 'commit'].join('; '),
    );
  } finally {
    // A connection pooler may give the connection to others.
    await client.query(SETTINGS.map((setting) => `reset ${setting}`).join('; ')).catch(ignore);
    client.off('error', ignore);
    client.release();
  }
}

/** Without statistics of its expression, PostgreSQL expects so many rows that it may not use a new index. */
async function analyze(pool: pg.Pool, text: string): Promise<void> {
  const table = /^create .* on (\w+)/s.exec(text)?.[1];
  if (table === undefined) return;
  const { rowCount } = await pool.query(`select 1 from ${table} limit 1`);
  if (rowCount === 1) await pool.query(`analyze ${table}`);
}
