import type pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { databaseForTests } from '../../../../tests/support/own-database.ts';
import { testLog } from '../../../../tests/support/postgres.ts';
import { type DatabaseTimeouts, inTransaction, openDatabase, persistently } from './database.ts';

const { pool, connectionString } = await databaseForTests(undefined, {
  migrated: false,
  poolMax: 4,
});
await pool.query('create table counter (id int primary key, value int not null)');
await pool.query('insert into counter values (1, 0)');

async function value(): Promise<number> {
  const { rows } = await pool.query('select value from counter where id = 1');
  return rows[0].value;
}

async function terminate(pid: number): Promise<void> {
  await pool.query('select pg_terminate_backend($1)', [pid]);
}

it('inTransaction throws an error if PostgreSQL answers the commit with a rollback', async () => {
  const swallowed = inTransaction(pool, async (client) => {
    await client.query('update counter set value = 3');
    await client.query('select 1/0').catch(() => undefined);
    return 'done';
  });
  await expect(swallowed).rejects.toThrow('rolled back');
  expect(await value()).toBe(0);
});

describe('persistently', () => {
  const failing = (code: string) => Object.assign(new Error(code), { code });
  /** Returns a function that fails once with each of these errors and then succeeds. */
  function work(...errors: readonly Error[]) {
    let runs = 0;
    return {
      runs: () => runs,
      async run() {
        runs += 1;
        const error = errors[runs - 1];
        if (error) throw error;
        return 'done';
      },
    };
  }

  it.each([
    ['40001', 3, 3],
    ['40P01', 3, 3],
    // After a lost connection the commit may have succeeded, so only idempotent work is repeated.
    ['ECONNRESET', 1, 3],
    ['57P01', 1, 3],
    ['57014', 1, 3],
    ['23505', 1, 1],
    ['22001', 1, 1],
  ])('repeats work after the error %s only if a repetition is safe', async (code, once, again) => {
    for (const [idempotent, runs] of [
      [false, once],
      [true, again],
    ] as const) {
      const two = work(failing(code), failing(code));
      await persistently(two.run, { idempotent }).catch(() => undefined);
      expect(two.runs()).toBe(runs);
    }
  });

  it('throws the last error at the maximum number of attempts or at the time limit', async () => {
    const errors = ['1', '2', '3', '4', '5'].map((n) =>
      Object.assign(new Error(n), { code: '40001' }),
    );
    await expect(persistently(work(...errors).run)).rejects.toThrow('4');
    await expect(persistently(work(...errors).run, { retryForMs: 0 })).rejects.toThrow('1');
  });

  it('repeats work that got no connection, even if the work is not idempotent', async () => {
    const { pool, close } = openDatabase({
      connectionString: 'postgres://nobody:x@127.0.0.1:9/none',
      poolMax: 1,
      log: testLog,
    });
    await expect(pool.query('select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    const connect = vi.spyOn(pool, 'connect');
    const never = inTransaction(pool, async () => 'never', { maxAttempts: 3 });
    await expect(never).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(connect).toHaveBeenCalledTimes(3);
    await close();
    await close();
  });
});

describe('the pool closes all idle connections', () => {
  /** Breaks one of three idle connections, and waits until the pool has closed the other two. */
  async function losing(
    timeouts: DatabaseTimeouts | undefined,
    lose: (own: pg.Pool, pid: number) => Promise<unknown>,
  ): Promise<void> {
    const { pool: own, close } = openDatabase({
      connectionString,
      poolMax: 3,
      log: testLog,
      timeouts,
    });
    own.options.idleTimeoutMillis = 0;
    const clients = await Promise.all([own.connect(), own.connect(), own.connect()]);
    const pids = await Promise.all(
      clients.map(async (client) => {
        const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
        return rows[0]?.pid ?? 0;
      }),
    );
    for (const client of clients) client.release();
    expect(own.idleCount).toBe(3);
    await lose(own, pids[0] ?? 0);
    const rest = `select from pg_stat_activity where pid = any($1) and state = 'idle'`;
    await vi.waitFor(async () => expect((await pool.query(rest, [pids])).rowCount).toBe(0));
    await own.query('select 1');
    await close();
  }

  it('if the server ended one of them', () => losing(undefined, (_, pid) => terminate(pid)));

  it('if the server did not answer on one of them', () =>
    losing({ connection: 60_000, statement: 0, query: 3_000 }, (own) =>
      expect(own.query('select pg_sleep(60)')).rejects.toThrow('Query read timeout'),
    ));
});
