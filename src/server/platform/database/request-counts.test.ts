import { expect, test } from 'vitest';
import { databaseForTests } from '../../../../tests/support/own-database.ts';
import { testLog } from '../../../../tests/support/postgres.ts';
import { createRequestCounts, type RequestCounts } from './request-counts.ts';

/** Creates two processes that share a count, and records every amount that they report. */
function processes() {
  let nowMs = 0;
  let [all, since] = [0, 0];
  const reports: number[] = [];
  const create = (isReachable = () => true) => {
    const query = async ({ values: [, amount] }: { values: [string, number, number] }) => {
      if (!isReachable()) throw new Error('The database is away');
      if (nowMs >= since + 60_000) [all, since] = [0, nowMs];
      reports.push(amount);
      all += amount;
      return { rows: [{ total: all, endsInMs: since + 60_000 - nowMs }] };
    };
    const pool = { query } as unknown as typeof database.pool;
    return createRequestCounts(() => new Date(nowMs), { pool, log: testLog });
  };
  const passed = async (counts: RequestCounts, times: number) => {
    let within = 0;
    for (let n = 0; n < times; n += 1) {
      if ((await counts.take('key', 100)).isWithin) within += 1;
    }
    return within;
  };
  const after = (ms: number) => {
    nowMs += ms;
  };
  return { create, passed, reports, after };
}

test('several processes exceed a limit by at most a tenth per additional process', async () => {
  const { create, passed } = processes();
  const [one, other] = [create(), create()];
  let within = 0;
  for (let turn = 0; turn < 200; turn += 1) within += await passed(turn % 2 ? one : other, 1);
  expect(within).toBeGreaterThanOrEqual(100);
  expect(within).toBeLessThanOrEqual(110);
});

test('a single process accepts exactly the number of requests that the limit allows', async () => {
  const { create, passed, reports } = processes();
  expect(await passed(create(), 10_000)).toBe(100);
  expect(reports).toEqual(Array(10).fill(10));
});

test('the time window of all processes ends a minute after the first report', async () => {
  const { create, passed, after } = processes();
  const [one, other] = [create(), create()];
  await passed(one, 100);
  after(30_000);
  expect(await passed(other, 20)).toBe(9);
  expect(await other.take('key', 100)).toMatchObject({ endsInMs: 30_000 });
  after(30_000);
  expect(await passed(other, 120)).toBe(100);
});

test('while the database is unreachable, each process limits its own requests', async () => {
  const { create, passed } = processes();
  const alone = create(() => false);
  expect(await passed(alone, 300)).toBe(100);
});

const database = await databaseForTests();

test('a time window that starts in the future is replaced', async () => {
  const { pool } = database;
  const take = () =>
    createRequestCounts(() => new Date(), { pool, log: testLog }).take('key', 10, 6);
  expect(await take()).toMatchObject({ isWithin: true });
  expect(await take()).toMatchObject({ isWithin: false });
  await pool.query(`update request_counts set since = now() + interval '1 hour'`);
  const { isWithin, endsInMs } = await take();
  expect(isWithin).toBe(true);
  expect(endsInMs).toBeLessThanOrEqual(60_000);
});
