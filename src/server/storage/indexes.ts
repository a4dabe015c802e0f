/**
 * Builds the indexes of `migrations/indexes.sql`, each by itself, while leads come in. Interrupted, it goes on at the next
 * start.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Logger } from '../../postgres/logger.ts';
import { databaseTimeouts } from './database.ts';
import { cleanDatabaseError } from './database-error.ts';

export const INDEXES = 'indexes.sql';
const FILE = fileURLToPath(new URL(`../../../migrations/${INDEXES}`, import.meta.url));
const AGAIN_MS = 30_000;

/** A lost connection rejects its query; without one it is noticed by the next. */
const ignore = () => undefined;

/** Opens connections without a statement time-out. */
export function openMigrationPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: 3,
    application_name: 'funnel-migrate',
    connectionTimeoutMillis: databaseTimeouts.connection,
  });
  pool.on('error', ignore); // A failed query rejects by itself; idle connections do not matter.
  return pool;
}

/** Builds the indexes that `migrate` left, until it succeeds or is stopped. */
export function startIndexing({
  connectionString,
  log,
  file = FILE,
}: {
  readonly connectionString: string;
  readonly log: Logger;
  readonly file?: string;
}): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const pool = openMigrationPool(connectionString);
  const working = (async () => {
    while (!signal.aborted) {
      try {
        await buildIndexes({ pool, file, log, signal });
        break;
      } catch (error) {
        if (signal.aborted) break;
        log.warn({ err: cleanDatabaseError(error) }, 'The indexes wait; they are tried again');
        await sleep(AGAIN_MS, undefined, { signal, ref: false }).catch(ignore);
      }
    }
    await pool.end();
  })();
  return {
    stop() {
      stopping.abort();
      return working;
    },
  };
}

/** A statement of `indexes.sql`. */
type IndexStatement = { readonly text: string; readonly name: string; readonly isDrop: boolean };

async function readIndexes(file: string): Promise<IndexStatement[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const statements = text.replaceAll(/^--.*$/gm, '').split(';');
  return statements
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => {
      const found = /^(create|drop) index concurrently (?!if )(\w+)/.exec(each);
      if (!found?.[2])
        throw new Error(`migrations/${path.basename(file)} has another statement: ${each}`);
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

export type IndexBuilding = {
  /** Of three connections at least. */
  readonly pool: pg.Pool;
  /** With the statements. */
  readonly file: string;
  readonly log: Logger;
  readonly signal?: AbortSignal | undefined;
};

/** Makes the indexes as the statements say. Waits for another server that does it. @throws the signal's reason */
export async function buildIndexes({ pool, file, log, signal }: IndexBuilding): Promise<void> {
  const statements = await readIndexes(file);
  for (;;) {
    signal?.throwIfAborted();
    if ((await leftOf(pool, statements)).length === 0) return;
    const client = await pool.connect();
    client.on('error', ignore);
    let isMine = false;
    let isDone = false;
    try {
      const results = (await client.query(BUILD)) as unknown as pg.QueryResult[];
      isMine = results.at(-1)?.rows[0]?.isMine;
      if (isMine) {
        for (const statement of await leftOf(pool, statements)) {
          signal?.throwIfAborted();
          await alone(pool, statement, signal);
          await analyze(pool, statement.text);
          log.info({ statement: statement.text }, 'Changed an index');
        }
      }
      await client.query('commit');
      isDone = true;
    } finally {
      client.off('error', ignore);
      client.release(!isDone);
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

/**
 * Runs a statement that cannot be in a transaction. A pooler may run it without our settings; if a time limit of the
 * role then ends it, an index is built in a transaction, for which writes wait.
 */
async function alone(
  pool: pg.Pool,
  { text, name, isDrop, isInvalid }: DueStatement,
  signal: AbortSignal | undefined,
): Promise<void> {
  const removed = `drop index concurrently if exists ${name}`;
  const client = await pool.connect();
  client.on('error', ignore);
  const uncancel = cancelledBy(signal, pool, [text, removed]);
  try {
    for (const setting of SETTINGS) await client.query(`set ${setting} = 0`);
    if (isInvalid) await client.query(removed);
    signal?.throwIfAborted();
    await client.query(text);
  } catch (error) {
    signal?.throwIfAborted();
    if (isDrop || !CANCELLED.includes((error as { code?: string }).code ?? '')) throw error;
    // In a transaction, it would keep readers waiting for the build, too.
    await client.query(removed);
    const limits = SETTINGS.map((setting) => `set local ${setting} = 0`);
    await client.query(
      ['begin', ...limits, text.replace(' concurrently', ''), 'commit'].join('; '),
    );
  } finally {
    uncancel();
    // A connection pooler may give the connection to others.
    await client.query(SETTINGS.map((setting) => `reset ${setting}`).join('; ')).catch(ignore);
    client.off('error', ignore);
    client.release();
  }
}

// By its text: through a pooler the connection's process may be another by now.
const CANCEL = `
select pg_cancel_backend(pid) from pg_stat_activity
where datname = current_database() and state = 'active' and query = any($1::text[])`;

/** Cancels statements, again and again from the abort on. @returns a function that ends this */
function cancelledBy(signal: AbortSignal | undefined, pool: pg.Pool, texts: readonly string[]) {
  let timer: NodeJS.Timeout | undefined;
  const cancel = () => void pool.query(CANCEL, [texts]).catch(ignore);
  const begin = () => {
    cancel();
    timer = setInterval(cancel, LOOK_EVERY_MS);
  };
  signal?.addEventListener('abort', begin, { once: true });
  return () => {
    clearInterval(timer);
    signal?.removeEventListener('abort', begin);
  };
}

/** Without statistics of its expression, PostgreSQL expects so many rows that it may not use a new index. */
async function analyze(pool: pg.Pool, text: string): Promise<void> {
  const table = /^create .* on (\w+)/s.exec(text)?.[1];
  if (table === undefined) return;
  const { rowCount } = await pool.query(`select 1 from ${table} limit 1`);
  if (rowCount === 1) await pool.query(`analyze ${table}`);
}
