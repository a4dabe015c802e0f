import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { pgbouncer, startPgbouncer } from '../../../../tests/support/pgbouncer.ts';
import { testLog } from '../../../../tests/support/postgres.ts';
import { databaseTimeouts, inTransaction, openDatabase } from './database.ts';

const { connectionString } = inject('testCluster');
const LIMITS = `select current_setting('statement_timeout') as statement,
  current_setting('idle_in_transaction_session_timeout') as idle`;

const open = (url: string) => openDatabase({ connectionString: url, poolMax: 6, log: testLog });

const limits = { statement: `${databaseTimeouts.statement / 1000}s`, idle: '30s' };

it('a direct connection uses named statements and our time limits', async () => {
  const { pool, close } = open(connectionString);
  try {
    const client = await pool.connect();
    await client.query({ name: 'one', text: 'select 1' });
    const { rows } = await client.query('select name from pg_prepared_statements');
    client.release();
    expect(rows).toEqual([{ name: 'one' }]);
    expect((await pool.query(LIMITS)).rows).toEqual([limits]);
  } finally {
    await close();
  }
});

describe.skipIf(pgbouncer === undefined)('through PgBouncer in transaction mode', () => {
  let pooler: Awaited<ReturnType<typeof startPgbouncer>>;
  let database: ReturnType<typeof open>;
  beforeAll(async () => {
    pooler = await startPgbouncer(connectionString, 2);
    database = open(pooler.connectionString);
  });
  afterAll(async () => {
    await database.close();
    await pooler.stop();
  });

  it('a time limit applies only to the transaction that sets this limit', async () => {
    const { rows } = await inTransaction(database.pool, (client) => client.query(LIMITS));
    expect(rows).toEqual([limits]);
    expect((await database.pool.query(LIMITS)).rows).toEqual([{ statement: '0', idle: '0' }]);
  });
});
