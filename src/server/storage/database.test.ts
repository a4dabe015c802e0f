import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, testLog, withDatabase } from '../../../tests/support/postgres.ts';
import { inTransaction, openDatabase } from './database.ts';
import { checkDurability } from './durability.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await withDatabase({ migrated: false, poolMax: 4 });
  await database.pool.query('create table counter (id int primary key, value int not null)');
  await database.pool.query('insert into counter values (1, 0)');
}, 60_000);

afterAll(() => database.drop());

async function value(): Promise<number> {
  const { rows } = await database.pool.query('select value from counter where id = 1');
  return rows[0].value;
}

async function terminate(pid: number): Promise<void> {
  await database.pool.query('select pg_terminate_backend($1)', [pid]);
}

describe('inTransaction', () => {
  it('commits what the work did and rolls back what it threw on', async () => {
    await inTransaction(database.pool, (client) => client.query('update counter set value = 1'));
    expect(await value()).toBe(1);
    const failure = inTransaction(database.pool, async (client) => {
      await client.query('update counter set value = 2');
      throw new Error('no');
    });
    await expect(failure).rejects.toThrow('no');
    expect(await value()).toBe(1);
  });

  it('never reports success when a swallowed error made the commit a rollback', async () => {
    const swallowed = inTransaction(database.pool, async (client) => {
      await client.query('update counter set value = 3');
      await client.query('select 1/0').catch(() => undefined);
      return 'done';
    });
    await expect(swallowed).rejects.toThrow('rolled back');
    expect(await value()).toBe(1);
  });

  it('repeats a serialization failure', async () => {
    let runs = 0;
    await inTransaction(database.pool, async (client) => {
      await client.query('set transaction isolation level repeatable read');
      const { rows } = await client.query('select value from counter where id = 1');
      runs += 1;
      if (runs === 1) await database.pool.query('update counter set value = 10');
      await client.query('update counter set value = $1', [rows[0].value + 1]);
    });
    expect(runs).toBe(2);
    expect(await value()).toBe(11);
  });

  it('repeats idempotent work when its backend was killed, and the process lives on', async () => {
    let runs = 0;
    await inTransaction(
      database.pool,
      async (client) => {
        runs += 1;
        const { rows } = await client.query('select pg_backend_pid() as pid');
        if (runs === 1) await terminate(rows[0].pid);
        await client.query('update counter set value = 20');
      },
      { idempotent: true },
    );
    expect(runs).toBe(2);
    expect(await value()).toBe(20);
  });

  it('does not repeat other work when its backend was killed', async () => {
    let runs = 0;
    const lost = inTransaction(database.pool, async (client) => {
      runs += 1;
      const { rows } = await client.query('select pg_backend_pid() as pid');
      await terminate(rows[0].pid);
      await client.query('update counter set value = 30');
    });
    await expect(lost).rejects.toThrow();
    expect(runs).toBe(1);
    expect(await value()).toBe(20);
  });

  it('survives a connection that dies while the work waits for something else', async () => {
    const lost = inTransaction(database.pool, async (client) => {
      const { rows } = await client.query('select pg_backend_pid() as pid');
      const ended = new Promise((resolve) => client.once('end', resolve));
      await terminate(rows[0].pid);
      await ended;
      await client.query('select 1');
    });
    await expect(lost).rejects.toThrow();
    expect(await value()).toBe(20);
  });

  it('sends statements that are not awaited one by one in order, in one transaction', async () => {
    await inTransaction(database.pool, async (client) => {
      await Promise.all([
        client.query('update counter set value = 40'),
        client.query({ name: 'add', text: 'update counter set value = value + $1', values: [1] }),
        client.query({ name: 'add', text: 'update counter set value = value + $1', values: [1] }),
      ]);
    });
    expect(await value()).toBe(42);
  });
});

describe('openDatabase', () => {
  it('fails fast when the database is away', async () => {
    const { pool, close } = openDatabase({
      connectionString: 'postgres://nobody:x@127.0.0.1:9/none',
      poolMax: 1,
      log: testLog,
    });
    const startedAtMs = performance.now();
    await expect(pool.query('select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(performance.now() - startedAtMs).toBeLessThan(2_000);
    await close();
    await close();
  });

  it('gives every session its limits', async () => {
    const { rows } = await database.pool.query(
      `select name, setting from pg_settings
       where name in ('statement_timeout', 'idle_in_transaction_session_timeout') order by name`,
    );
    expect(rows).toEqual([
      { name: 'idle_in_transaction_session_timeout', setting: '30000' },
      { name: 'statement_timeout', setting: '15000' },
    ]);
  });
});

describe('checkDurability', () => {
  it('passes the defaults', async () => {
    await checkDurability(database.pool, { embedded: true, log: testLog });
  });

  it('refuses or warns when a setting is off for our sessions', async () => {
    const client = new pg.Client({ connectionString: database.connectionString });
    await client.connect();
    await client.query('set synchronous_commit = off');
    await expect(checkDurability(client, { embedded: true, log: testLog })).rejects.toThrow(
      'synchronous_commit=off',
    );
    const warnings: unknown[] = [];
    const log = { ...testLog, warn: (...args: unknown[]) => void warnings.push(args) };
    await checkDurability(client, { embedded: false, log });
    expect(JSON.stringify(warnings)).toContain('synchronous_commit=off');
    await client.end();
  });
});
