import { expect, test } from 'vitest';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { testLog } from '../../../tests/support/postgres.ts';
import { createSharedRequestCounts } from './request-counts.ts';

const { pool } = await databaseForTests();
const LIMIT = 10;

test('a minute that a wrong clock began in the future is over', async () => {
  const add = () => {
    const process = createSharedRequestCounts({ pool, log: testLog, now: () => new Date() });
    return process.add('key', LIMIT);
  };
  expect(await add()).toMatchObject({ requests: 1 });
  expect(await add()).toMatchObject({ requests: 2 });
  await pool.query(`update request_counts set since = now() + interval '1 hour'`);
  const { requests, endsInMs } = await add();
  expect(requests).toBe(1);
  expect(endsInMs).toBeLessThanOrEqual(60_000);
});
