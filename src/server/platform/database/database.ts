/** The connection pool, and transactions with retry. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../postgres/logger.ts';
import { beginOf, DatabaseClient, logPooler, prepareConnection } from './database-client.ts';
import {
  cleanDatabaseError,
  isConnectionError,
  isPassingError,
  isSerializationError,
} from './database-error.ts';

/** A pool, or a client inside a transaction. */
export type Queryable = Pick<pg.ClientBase, 'query'>;

/** Time-outs of the database in milliseconds. */
export type DatabaseTimeouts = {
  /** Maximum wait of a request for a connection. */
  readonly connection: number;
  /** Time after which the server cancels a statement. 0: never. */
  readonly statement: number;
  /** Time after which the client gives up a statement because the server may be gone. 0: never. */
  readonly query: number;
  /** Time after which the server cancels a statement that waits for a lock. Default: never. */
  readonly lock?: number;
};

/** The site must accept posts again within 15 s after a failover (docs/operations.md), so `query` is shorter. */
export const databaseTimeouts: DatabaseTimeouts = {
  connection: 3_000,
  statement: 10_000,
  query: 12_000,
};
/**
 * The time-outs of exports and of the purge, which stream rows or work in portions. Statements may take long. They
 * never wait long for a lock, because other statements would queue behind them.
 */
export const portionTimeouts: DatabaseTimeouts = {
  connection: 10_000,
  statement: 0,
  query: 0,
  lock: 10_000,
};
/** The server closes a transaction that is idle for this long, because its locks block others. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;

export type Database = {
  pool: pg.Pool;
  /** Waits for running queries, then closes every connection. Later calls return the same promise. */
  close(): Promise<void>;
};

/**
 * Opens a lazy connection pool. Connections are pipelined: statements sent without awaiting each other share a round
 * trip. If a connection dies, its query rejects, and the error is logged. Single statements (`pool.query`) are retried
 * if the server certainly rolled them back.
 *
 * @param options.poolMax maximum number of concurrent connections
 * @param options.applicationName shown in `pg_stat_activity`
 */
export function openDatabase({
  connectionString,
  poolMax,
  log,
  applicationName = 'funnel',
  timeouts = databaseTimeouts,
}: {
  connectionString: string;
  poolMax: number;
  log: Logger;
  applicationName?: string;
  timeouts?: DatabaseTimeouts | undefined;
}): Database {
  let isPoolerLogged = false;
  let closing: Promise<void> | undefined;
  const pool = new pg.Pool({
    connectionString,
    Client: DatabaseClient,
    async onConnect(client) {
      const pooler = await prepareConnection(client);
      if (pooler && !isPoolerLogged) logPooler(pooler, log);
      isPoolerLogged ||= pooler !== undefined;
    },
    max: poolMax,
    application_name: applicationName,
    connectionTimeoutMillis: timeouts.connection,
    statement_timeout: timeouts.statement,
    query_timeout: timeouts.query,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    ...(timeouts.lock !== undefined && { lock_timeout: timeouts.lock }),
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    // Keep-alive detects a dead server, even for statements without a time-out.
    keepAliveInitialDelayMillis: 10_000,
    pipeline: true,
  });
  /** Closes the idle connections. When one connection is lost, the others are probably dead too. */
  function closeIdle(): void {
    if (closing !== undefined) return;
    for (let left = pool.idleCount; left > 0; left -= 1) {
      pool.connect().then(
        (client) => client.release(true),
        () => undefined,
      );
    }
  }
  pool.on('error', (error) => {
    if (closing !== undefined) return;
    log.warn({ err: cleanDatabaseError(error) }, 'An idle database connection was lost');
  });
  // An unresponsive network causes a query time-out instead of a connection error.
  pool.on('release', (error) => {
    if (isConnectionError(error)) closeIdle();
  });
  pool.on('connect', (client) => {
    // pg-pool removes its listener while a client is in use. An unhandled error would end the
    // process.
    client.on('error', (error) => {
      log.debug({ err: cleanDatabaseError(error) }, 'A database connection was lost');
      closeIdle();
    });
  });
  // A single statement is its own transaction. A serialization failure or deadlock undid all of it.
  const query = pool.query.bind(pool) as (...given: unknown[]) => unknown;
  const queryAgain = (...given: unknown[]) =>
    typeof given.at(-1) === 'function'
      ? query(...given)
      : persistently(async () => query(...given));
  pool.query = queryAgain as typeof pool.query;
  return {
    pool,
    close() {
      closing ??= pool.end();
      return closing;
    },
  };
}

type RepeatOptions = {
  /**
   * Whether the work may run twice. If so, it is also retried after a lost connection, when the commit may have
   * succeeded, and after a statement time-out. Default: only after certain rollbacks (serialization failure, deadlock).
   */
  idempotent?: boolean;
  /** Maximum number of attempts. */
  maxAttempts?: number;
  /** No attempt starts later than this after the first attempt. */
  retryForMs?: number;
  /** Upper limit of the pauses between attempts, which double each time. */
  maxPauseMs?: number;
};

/**
 * Runs work and retries it after passing database errors. A single statement needs no explicit transaction.
 *
 * @throws the last error, which may contain visitors' values: clean it before logging.
 */
export async function persistently<T>(
  work: () => Promise<T>,
  {
    idempotent = false,
    maxAttempts = 4,
    retryForMs = 5_000,
    maxPauseMs = Number.POSITIVE_INFINITY,
  }: RepeatOptions = {},
): Promise<T> {
  const startedAtMs = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const repeatable = idempotent ? isPassingError(error) : isSerializationError(error);
      // 25, 50, 100, … ms with jitter, so that concurrent transactions do not collide again.
      const pauseMs = Math.min(25 * 2 ** (attempt - 1), maxPauseMs) * (0.5 + Math.random());
      const elapsedMs = performance.now() - startedAtMs;
      if (!repeatable || attempt >= maxAttempts || elapsedMs + pauseMs > retryForMs) throw error;
      await sleep(pauseMs);
    }
  }
}

/**
 * Runs `work` in a transaction and returns its result after the commit.
 *
 * `begin` is not awaited before `work`, so it costs no round trip on a pipelined connection. If `work` swallowed a
 * database error, the server rolls back at the commit, and this function throws.
 *
 * @throws as `persistently`
 */
export function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  options?: RepeatOptions,
): Promise<T> {
  return persistently(async () => {
    const client = await persistently(() => pool.connect(), { ...options, idempotent: true });
    return runOnce(client, work);
  }, options);
}

async function runOnce<T>(
  client: pg.PoolClient,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  let broken: Error | undefined;
  try {
    const begun = client.query(beginOf(client));
    // `begun` is awaited below. Until then this prevents an unhandled rejection.
    begun.catch(() => undefined);
    const result = await work(client);
    await begun;
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') {
      throw new Error('The transaction was rolled back: one of its statements failed unnoticed');
    }
    return result;
  } catch (error) {
    // Close the connection instead of a rollback, which an unresponsive server would not answer.
    if (isConnectionError(error)) broken = error as Error;
    else {
      await client.query('rollback').catch((rollbackError: Error) => {
        broken = rollbackError;
      });
    }
    throw error;
  } finally {
    client.release(broken);
  }
}
