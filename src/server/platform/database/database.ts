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
  /** How long a request waits for a connection before it fails. */
  readonly connection: number;
  /** When the server cancels a statement. Those of visitors write single rows and short lists. 0: never. */
  readonly statement: number;
  /** When the client gives up on a statement, in case the server no longer answers. 0: never. */
  readonly query: number;
  /** When the server cancels a statement that waits for a lock. Default: never. */
  readonly lock?: number;
};

/** Posts are accepted again within 15 s after the database moved (docs/operations.md), so `query` is shorter. */
export const databaseTimeouts: DatabaseTimeouts = {
  connection: 3_000,
  statement: 10_000,
  query: 12_000,
};
/**
 * For work that streams or goes in portions, of operators and of the purge: a statement may take long, but never
 * waits long for a lock, since others would wait behind it.
 */
export const portionTimeouts: DatabaseTimeouts = {
  connection: 10_000,
  statement: 0,
  query: 0,
  lock: 10_000,
};
/** After this the server closes a transaction that does nothing, because it would hold its locks. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;
/** How long `close` waits for the server to end the connections. */
const CLOSE_TIMEOUT_MS = 1_000;

export type Database = {
  pool: pg.Pool;
  /** Waits for running queries, then closes every connection. Later calls return the same promise. */
  close(): Promise<void>;
};

/**
 * Opens a lazy connection pool.
 *
 * A connection that dies is logged and never ends the process; its query rejects. Connections are pipelined:
 * statements sent without awaiting each one share a round trip. Single statements (`pool.query`) are retried after
 * a certain rollback.
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
    // A statement without a time-out ends when its server is gone.
    keepAliveInitialDelayMillis: 10_000,
    pipeline: true,
  });
  /** Closes the idle connections: when one is lost, others mostly are, and each would hold up a query first. */
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
  // A silent network causes a time-out, not a connection error.
  pool.on('release', (error) => {
    if (isConnectionError(error)) closeIdle();
  });
  const ends = new Set<Promise<void>>();
  pool.on('connect', (client) => {
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    ends.add(ended);
    void ended.then(() => ends.delete(ended));
    // pg-pool removes its own listener while a client is in use: a lost backend would end the process.
    client.on('error', (error) => {
      log.debug({ err: cleanDatabaseError(error) }, 'A database connection was lost');
      closeIdle();
    });
  });
  // A single statement is a transaction of its own: a serialization failure or a deadlock undid all of it.
  const query = pool.query.bind(pool) as (...given: unknown[]) => unknown;
  const queryAgain = (...given: unknown[]) =>
    typeof given.at(-1) === 'function'
      ? query(...given)
      : persistently(async () => query(...given));
  pool.query = queryAgain as typeof pool.query;
  async function close(): Promise<void> {
    await pool.end();
    // `pool.end` resolves before the sockets are closed.
    await Promise.race([Promise.all(ends), sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  }
  return {
    pool,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

type RepeatOptions = {
  /**
   * Whether running the work twice has the same result. If so, it is also retried when the connection was lost
   * and the commit may have succeeded, or when the statement took too long. Default: only certain rollbacks are
   * retried (serialization failure, deadlock, no connection at all).
   */
  idempotent?: boolean;
  /** Maximum number of attempts. */
  maxAttempts?: number;
  /** No attempt starts later than this after the first. */
  retryForMs?: number;
  /** Pauses between attempts double up to this. */
  maxPauseMs?: number;
};

/** No connection was available, so nothing happened. `cause` has the reason. */
class NotConnectedError extends Error {}

/**
 * Runs work, with retries after passing database errors. A single statement needs no transaction around it.
 *
 * @throws the last error, uncleaned: clean it before logging.
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
    } catch (thrown) {
      const wasConnected = !(thrown instanceof NotConnectedError);
      const error = wasConnected ? thrown : (thrown as Error).cause;
      const repeatable = idempotent
        ? isPassingError(error)
        : isSerializationError(error) || (isConnectionError(error) && !wasConnected);
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
 * `begin` is not awaited before `work`: on a pipelined connection it costs no round trip. If a swallowed error
 * made the server roll back at the commit, this throws.
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
    const begun = client.query(beginOf(client));
    // Awaited below; this prevents an unhandled rejection until then.
    begun.catch(() => undefined);
    const result = await work(client);
    await begun;
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') {
      throw new Error('The transaction was rolled back: one of its statements failed unnoticed');
    }
    return result;
  } catch (error) {
    // A server that does not answer would not answer a rollback either: closing the connection undoes as much.
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
