import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { pgbouncer, startPgbouncer } from '../../../tests/support/pgbouncer.ts';
import { type Database, databaseTimeouts, inTransaction, openDatabase } from './database.ts';

const { connectionString } = inject('testCluster');
const LIMITS = `select current_setting('statement_timeout') as statement,
  current_setting('idle_in_transaction_session_timeout') as idle`;

function open(url: string): Database & { readonly lines: string[] } {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line).msg) });
  return { ...openDatabase({ connectionString: url, poolMax: 6, log }), lines };
}

it('a direct connection keeps named statements', async () => {
  const { pool, close, lines } = open(connectionString);
  try {
    const client = await pool.connect();
    await client.query({ name: 'one', text: 'select 1' });
    const { rows } = await client.query('select name from pg_prepared_statements');
    client.release();
    expect([rows, lines]).toEqual([[{ name: 'one' }], []]);
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

  it('a transaction has our time limits, and leaves none behind', async () => {
    const { rows } = await inTransaction(database.pool, (client) => client.query(LIMITS));
    const statement = `${databaseTimeouts.statement / 1000}s`;
    expect(rows).toEqual([{ statement, idle: '30s' }]);
    expect((await database.pool.query(LIMITS)).rows).toEqual([{ statement: '0', idle: '0' }]);
    expect(database.lines).toEqual([
      'A connection pooler is between the server and its database',
      expect.stringContaining('Single statements have no time limit'),
    ]);
  });

  it('statements with names, more clients than connections of the server', async () => {
    const ask = (text: string, value: number) => ({
      ...{ name: text, text: `select $1::integer + 0 as ${text}` },
      values: [value],
    });
    const all = Array.from({ length: 120 }, async (_, turn) => {
      const [one, two] = [turn % 3, (turn + 1) % 3].map((each) => `statement_${each}`);
      // Pipelined behind \`begin\`, and alone.
      const found = await inTransaction(database.pool, (client) =>
        Promise.all([
          client.query(ask(one as string, turn)),
          client.query(ask(two as string, turn)),
        ]),
      );
      const alone = await database.pool.query(ask(two as string, turn));
      return [...found, alone].map(({ rows }) => Object.values(rows[0]));
    });
    const expected = all.map((_, turn) => [[turn], [turn], [turn]]);
    expect(await Promise.all(all)).toEqual(expected);
    const isOld = /PgBouncer 1\.(1\d|20)\b/.test(pooler.output());
    const { rows } = await database.pool.query('select name from pg_prepared_statements');
    const names = rows.map(({ name }) => /^PGBOUNCER_/.test(name));
    if (isOld) expect(names).toEqual([]);
    else expect(new Set(names)).toEqual(new Set([true]));
  });
});
