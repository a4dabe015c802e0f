import type pg from 'pg';
import { inTransaction } from '../storage/database.ts';

const PORTION = 1_000;

/** Runs the work on a thousand rows at a time, each portion in its own transaction. */
export async function inPortions<Row, Result>(
  pool: pg.Pool,
  rows: readonly Row[],
  work: (client: pg.PoolClient, portion: readonly Row[]) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < rows.length; at += PORTION) {
    const portion = rows.slice(at, at + PORTION);
    results.push(await inTransaction(pool, (client) => work(client, portion)));
  }
  return results;
}
