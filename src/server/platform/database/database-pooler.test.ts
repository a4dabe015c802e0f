import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { pgbouncer, startPgbouncer } from '../../../../tests/support/pgbouncer.ts';
import { type Database, databaseTimeouts, inTransaction, openDatabase } from './database.ts';

const { connectionString } = inject('testCluster');
const LIMITS = `select current_setting('statement_timeout') as statement,
  current_setting('idle_in_transaction_session_timeout') as idle`;

function open(url: string): Database & { readonly lines: string[] } {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line).msg) });
  return { ...openDatabase({ connectionString: url, poolMax: 6, log }), lines };
}

const limits = { statement: `${databaseTimeouts.statement / 1000}s`, idle: '30s' };

it('a direct connection uses named statements and our time limits', async () => {
  const { pool, close, lines } = open(connectionString);
  try {
    const client = await pool.connect();
    await client.query({ name: 'one', text: 'select 1' });
    const { rows } = await client.query('select name from pg_prepared_statements');
    client.release();
    expect([rows, lines]).toEqual([[{ name: 'one' }], []]);
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
    expect(database.lines).toEqual([
      'A connection pooler is between the server and its database',
      expect.stringContaining('Single statements have no time limit'),
    ]);
  });
});
