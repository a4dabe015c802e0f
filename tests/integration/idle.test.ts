/** The database load of processes that have nothing to do. */
import pg from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import { createJobClock } from '../support/job-clock.ts';
import { databaseForTests } from '../support/own-database.ts';
import { startTestServer, testSettings } from '../support/server.ts';

const { connectionString } = await databaseForTests();
const MINUTE_MS = 60_000;
/** The number of jobs of a server with a console. */
const JOBS = 9;

afterEach(() => vi.restoreAllMocks());

/** Counts the transactions of this process: commits, and statements outside of a transaction. */
function countTransactions() {
  const open = new WeakSet<object>();
  const counted = { transactions: 0 };
  const query = pg.Client.prototype.query;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const [first] = given as [string | { text?: string }];
    const text = typeof first === 'string' ? first : (first.text ?? '');
    if (/^\s*begin/i.test(text)) open.add(this);
    else if (/^\s*(commit|rollback)/i.test(text)) {
      open.delete(this);
      counted.transactions += 1;
    } else if (!open.has(this)) counted.transactions += 1;
    return Reflect.apply(query, this, given);
  } as typeof query);
  return counted;
}

async function aServer() {
  const time = createJobClock();
  const settings = testSettings({
    CONSOLE_PORT: 'auto',
    OPERATIONS_PORT: 'off',
    DATABASE_URL: connectionString,
    DELIVERY_CONCURRENCY: undefined,
  });
  const server = await startTestServer(settings, { jobClock: time.clock });
  await time.untilResting(JOBS);
  return { server, time };
}

test('two idle processes make at most one transaction a second each', async () => {
  // Must come first: a connection uses the query method that exists when it opens.
  const counted = countTransactions();
  const first = await aServer();
  // By now the server has made its first-start writes, such as a key.
  await first.time.advance(MINUTE_MS, JOBS);
  const second = await aServer();
  const inAMinute = async ({ time }: typeof first) => {
    const before = counted.transactions;
    await time.advance(MINUTE_MS, JOBS);
    return counted.transactions - before;
  };
  const [ofFirst, ofSecond] = [await inAMinute(first), await inAMinute(second)];
  // Each job has run.
  expect(ofFirst).toBeGreaterThan(30);
  expect(ofFirst).toBeLessThanOrEqual(60);
  expect(ofSecond).toBeLessThanOrEqual(60);
  await second.server.close();
  await first.server.close();
});
