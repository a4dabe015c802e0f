import type pg from 'pg';
import { inTransaction } from '../storage/database.ts';

const PORTION = 1_000;

/** The database, and how a long work is stopped and watched. */
export type PortionedWork = {
  readonly pool: pg.Pool;
  /** Stops before the next portion, by throwing its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Is called after each portion with its rows and, if that is known, how many there are in all. */
  readonly onPortion?: ((rows: number, all?: number) => void) | undefined;
};

/** Runs the work on a thousand rows at a time, each portion in its own transaction. */
export async function inPortions<Row, Result>(
  { pool, signal, onPortion }: PortionedWork,
  rows: readonly Row[],
  work: (client: pg.PoolClient, portion: readonly Row[]) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < rows.length; at += PORTION) {
    signal?.throwIfAborted();
    const portion = rows.slice(at, at + PORTION);
    results.push(await inTransaction(pool, (client) => work(client, portion)));
    onPortion?.(portion.length, rows.length);
  }
  return results;
}
