/** Opens the connection pool and runs transactions with retry. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../postgres/logger.ts';
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
  /** Maximum time that a request waits for a connection of the pool. */
  readonly connection: number;
  /** The server cancels a statement after this time. 0: never. */
  readonly statement: number;
  /** The client stops waiting for a statement after this time. 0: never. */
  readonly query: number;
  /** The server cancels a statement that waits longer for a lock. Default: never. */
  readonly lock?: number;
};

/** Time-outs of requests, short enough to accept leads soon after a failover. */
export const databaseTimeouts: DatabaseTimeouts = {
  connection: 3_000,
  statement: 10_000,
  query: 12_000,
};
/** Time-outs of exports and the purge: long statements that wait only briefly for locks. */
export const portionTimeouts: DatabaseTimeouts = {
  connection: 10_000,
  statement: 0,
  query: 0,
  lock: 10_000,
};
/** The server closes a transaction that is idle for this time, because its locks block others. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;

export type Database = {
  pool: pg.Pool;
  /** Waits for running queries, then closes all connections. May be called twice. */
  close(): Promise<void>;
};

/** A connection that sends statements without names if there is a pooler. */
class DatabaseClient extends pg.Client {
  begin = 'begin';
  hasPooler = false;

  constructor(config?: pg.ClientConfig) {
    super(config);
    const send = this.query.bind(this) as (...given: unknown[]) => unknown;
    const query = (given: unknown, ...more: unknown[]) =>
      send(this.hasPooler && isNamed(given) ? { ...given, name: undefined } : given, ...more);
    this.query = query as typeof this.query;
  }
}

function isNamed(given: unknown): given is pg.QueryConfig {
  return typeof given === 'object' && given !== null && 'name' in given && !('submit' in given);
}

/** Opens a pool of connections to the database. */
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
  let closing: Promise<void> | undefined;
  const pool = new pg.Pool({
    connectionString,
    Client: DatabaseClient,
    onConnect: (client) => prepareConnection(client, timeouts),
    max: poolMax,
    application_name: applicationName,
    connectionTimeoutMillis: timeouts.connection,
    query_timeout: timeouts.query,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    pipeline: true,
  });
  /** Closes the idle connections after one was lost, because the others are probably dead too. */
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
  // A connection that timed out emits no `error` event, but causes a `release` event with an error.
  pool.on('release', (error) => {
    if (isConnectionError(error)) closeIdle();
  });
  pool.on('connect', (client) => {
    // Without this listener, an `error` event of a client in use would end the process.
    client.on('error', (error) => {
      log.debug({ err: cleanDatabaseError(error) }, 'A database connection was lost');
      closeIdle();
    });
  });
  // Repeats a statement that failed with a serialization failure or a deadlock and had no effect.
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

/** Sets a new connection's time limits, and notes whether there is a pooler. */
async function prepareConnection(client: pg.ClientBase, timeouts: DatabaseTimeouts): Promise<void> {
  if (!(client instanceof DatabaseClient)) throw new TypeError('The pool makes other clients');
  // Sets the limits by a statement, because PgBouncer refuses limits as connection options.
  const limits = {
    statement_timeout: timeouts.statement,
    ...(timeouts.lock !== undefined && { lock_timeout: timeouts.lock }),
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
  };
  // A pooler sends an invented process id, so a difference from the server's id reveals a pooler.
  const { processID } = client as unknown as { processID: number };
  const ask: pg.QueryConfig & { query_timeout: number } = {
    text: `select pg_backend_pid() = $1::integer as "isDirect",
      (select count(set_config(name, value, false)) from json_each_text($2) as given(name, value)
        where pg_backend_pid() = $1::integer)`,
    values: [processID, JSON.stringify(limits)],
    query_timeout: timeouts.connection,
  };
  const { rows } = await client.query<{ isDirect: boolean }>(ask);
  if (rows[0]?.isDirect) return;
  const settings = Object.entries(limits).map(([name, ms]) => `set local ${name} = '${ms}'`);
  client.begin = ['begin', ...settings].join('; ');
  client.hasPooler = true;
}

type RepeatOptions = {
  /** True if the work may run twice, for example after a lost answer to a successful commit. */
  idempotent?: boolean;
  maxAttempts?: number;
  /** No attempt starts later than this many milliseconds after the first attempt. */
  retryForMs?: number;
  /** Maximum pause between attempts. Pauses double each time. */
  maxPauseMs?: number;
};

/** Runs work with retries after temporary errors. @throws errors that may quote visitors' values */
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
      // Random pauses around 25, 50, 100, … ms keep the same transactions from colliding again.
      const pauseMs = Math.min(25 * 2 ** (attempt - 1), maxPauseMs) * (0.5 + Math.random());
      const elapsedMs = performance.now() - startedAtMs;
      if (!repeatable || attempt >= maxAttempts || elapsedMs + pauseMs > retryForMs) throw error;
      await sleep(pauseMs);
    }
  }
}

/** Runs `work` in a transaction, with retries. @throws if `work` ignored a database error */
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

async function runOnce<T>(client: pg.PoolClient, work: (client: pg.PoolClient) => Promise<T>) {
  let broken: Error | undefined;
  try {
    const begun = client.query(client instanceof DatabaseClient ? client.begin : 'begin');
    // Prevents an unhandled rejection before `begun` is awaited.
    begun.catch(() => undefined);
    const result = await work(client);
    await begun;
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') {
      throw new Error('The transaction was rolled back: one of its statements failed unnoticed');
    }
    return result;
  } catch (error) {
    // Closes the connection instead of a rollback, because the server may not answer a rollback.
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
