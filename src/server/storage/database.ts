/**
 * The connection pool, Kysely on it, and transactions that survive what a database does in its life.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from '../../postgres/logger.ts';
import { cleanDatabaseError, isConnectionError, isSerializationError } from './database-error.ts';
import type { Schema } from './schema.ts';

/** How long the database is waited for. Times in ms. */
export type DatabaseTimeouts = {
  /** For a connection; after it a request is told that the database is away. */
  readonly connection: number;
  /** For a statement, until PostgreSQL ends it. Ours are single-row writes and short lists. */
  readonly statement: number;
  /** For a statement, until we give it up: the server may not answer at all. */
  readonly query: number;
};

export const databaseTimeouts: DatabaseTimeouts = {
  connection: 3_000,
  statement: 15_000,
  query: 20_000,
};
/** The server hangs up on a transaction that does nothing for this long: it would hold its locks. */
export const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;

/** How long `close` waits for the server to acknowledge that the connections end. */
const CLOSE_TIMEOUT_MS = 1_000;

export type OpenDatabaseOptions = {
  connectionString: string;
  /** Most connections at once. */
  poolMax: number;
  log: Logger;
  /** Shown in `pg_stat_activity`. */
  applicationName?: string;
  /** Default: `databaseTimeouts`. */
  timeouts?: DatabaseTimeouts | undefined;
};

export type Database = {
  pool: pg.Pool;
  db: Kysely<Schema>;
  /** Waits for running queries, then closes every connection. A second call waits for the first. */
  close(): Promise<void>;
};

/**
 * Opens a pool (connections are made when they are needed) and Kysely on it.
 *
 * The death of a connection, idle or in use, is logged and never ends the process; its query rejects.
 * Connections are pipelined: statements that are not awaited one by one travel in one round trip.
 */
export function openDatabase(options: OpenDatabaseOptions): Database {
  const { connectionString, poolMax, log, applicationName = 'funnel' } = options;
  const { timeouts = databaseTimeouts } = options;
  const pool = new pg.Pool({
    connectionString,
    max: poolMax,
    application_name: applicationName,
    connectionTimeoutMillis: timeouts.connection,
    statement_timeout: timeouts.statement,
    query_timeout: timeouts.query,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    pipeline: true,
  });
  let closing: Promise<void> | undefined;
  pool.on('error', (error) => {
    if (closing !== undefined) return;
    log.warn({ err: cleanDatabaseError(error) }, 'An idle database connection was lost');
  });
  // pg-pool takes its own listener off a client while it is in use; without one, a backend that dies
  // in the middle of a transaction would end the process. The query itself rejects.
  const open = new Set<Promise<void>>();
  pool.on('connect', (client) => {
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    open.add(ended);
    void ended.then(() => open.delete(ended));
    client.on('error', (error) => {
      log.debug({ err: cleanDatabaseError(error) }, 'A database connection was lost');
    });
  });
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  async function close(): Promise<void> {
    await pool.end();
    // pg-pool is done before its sockets are; whoever stops the database next wants them gone.
    await Promise.race([Promise.all(open), sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  }
  return {
    pool,
    db,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

export type RepeatOptions = {
  /**
   * The work may run twice with the same result, so it is also repeated when the connection was lost
   * and the fate of the commit is unknown. Without it, only what the server surely rolled back
   * (serialization failure, deadlock, no connection to begin with) is repeated.
   */
  idempotent?: boolean;
  /** Tries in all. */
  maxAttempts?: number;
  /** No new try is begun later than this after the first. */
  retryForMs?: number;
};

/** No connection could be had: nothing has happened. Its cause says why. */
class NotConnectedError extends Error {}

/**
 * Repeats work that a database's life has interrupted. A single statement needs no more than this.
 *
 * @throws the last error of `work` or of the database, as it came (clean it before logging).
 */
export async function persistently<T>(
  work: () => Promise<T>,
  { idempotent = false, maxAttempts = 4, retryForMs = 5_000 }: RepeatOptions = {},
): Promise<T> {
  const startedAtMs = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (thrown) {
      const wasConnected = !(thrown instanceof NotConnectedError);
      const error = wasConnected ? thrown : (thrown as Error).cause;
      const repeatable =
        isSerializationError(error) || (isConnectionError(error) && (idempotent || !wasConnected));
      // 25, 50, 100, … ms with jitter, so that rivals do not meet again.
      const pauseMs = 25 * 2 ** (attempt - 1) * (0.5 + Math.random());
      const elapsedMs = performance.now() - startedAtMs;
      if (!repeatable || attempt >= maxAttempts || elapsedMs + pauseMs > retryForMs) throw error;
      await sleep(pauseMs);
    }
  }
}

/**
 * Runs `work` in one transaction and returns what it returned, after the commit.
 *
 * `begin` is not awaited before `work` runs: with a pipelined connection it costs no round trip. A
 * commit that the server turned into a rollback (because an error inside was swallowed) is an error
 * here, never a success.
 *
 * @throws as `persistently`
 */
export function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  options?: RepeatOptions,
): Promise<T> {
  return persistently(async () => {
    const client = await pool.connect().catch((cause: unknown) => {
      throw new NotConnectedError('', { cause });
    });
    return runOnce(client, work);
  }, options);
}

async function runOnce<T>(
  client: pg.PoolClient,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  let broken: Error | undefined;
  try {
    const begun = client.query('begin');
    // Its failure is reported below; this only keeps it from counting as unhandled meanwhile.
    begun.catch(() => undefined);
    const result = await work(client);
    await begun;
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') {
      throw new Error('The transaction was rolled back: a statement in it failed unnoticed');
    }
    return result;
  } catch (error) {
    try {
      await client.query('rollback');
    } catch (rollbackError) {
      broken = rollbackError as Error;
    }
    if (isConnectionError(error)) broken ??= error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}
