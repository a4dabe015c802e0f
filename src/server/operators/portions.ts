import type pg from 'pg';
import { inTransaction, persistently } from '../storage/database.ts';

const PORTION = 1_000;

/** The database, and how a long work is stopped and watched. */
export type PortionedWork = {
  readonly pool: pg.Pool;
  /** Stops before the next portion, by throwing its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Is called after each portion with its rows and, if that is known, about how many there are in all. */
  readonly onPortion?: ((rows: number, all?: number) => void) | undefined;
  /** The most rows of a portion, for tests. */
  readonly portion?: number | undefined;
};

/**
 * Reads a thousand rows at a time and works on each portion in its own transaction.
 *
 * @param read returns the rows behind one, or the first ones
 * @param all about how many rows there are
 */
export async function inPortions<Row, Result>(
  { pool, signal, onPortion, portion: limit = PORTION }: PortionedWork,
  read: (after: Row | undefined, limit: number) => Promise<readonly Row[]>,
  work: (client: pg.PoolClient, portion: readonly Row[]) => Promise<Result>,
  all?: number,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let last: Row | undefined; ; ) {
    signal?.throwIfAborted();
    const after = last;
    const portion = await persistently(() => read(after, limit), { idempotent: true });
    if (portion.length === 0) return results;
    results.push(await inTransaction(pool, (client) => work(client, portion)));
    onPortion?.(portion.length, all);
    if (portion.length < limit) return results;
    last = portion.at(-1);
  }
}

type Explained = { 'QUERY PLAN': readonly { Plan: { 'Plan Rows': number } }[] };

/** Returns about how many rows a query has, from the planner's statistics: counting them would take long. */
export async function estimateRows(
  pool: pg.Pool,
  query: { readonly sql: string; readonly parameters: readonly unknown[] },
): Promise<number | undefined> {
  const explain = () =>
    pool.query<Explained>(`explain (format json) ${query.sql}`, [...query.parameters]);
  const { rows } = await persistently(explain, { idempotent: true });
  return rows[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'];
}
