import type pg from 'pg';
import { afterAll, beforeEach } from 'vitest';
import { type TestDatabase, withDatabase } from './postgres.ts';

/** Provides a database for the tests of a file. `clear` empties the database before each test. */
export async function databaseForTests(
  clear?: (pool: pg.Pool) => Promise<unknown>,
  options?: Parameters<typeof withDatabase>[0],
): Promise<TestDatabase> {
  const database = await withDatabase(options);
  afterAll(() => database.drop());
  if (clear) beforeEach(() => clear(database.pool));
  return database;
}
