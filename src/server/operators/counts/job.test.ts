/** The counts equal a count of the raw rows, whatever happened, and however the counting was interrupted. */

import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { countByHand, readCounted } from '../../../../tests/support/count-by-hand.ts';
import { purgeOnce } from '../../../../tests/support/job-clock.ts';
import { clearLedger, keepDays, seedLead } from '../../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../../tests/support/own-database.ts';
import { testLog } from '../../../../tests/support/postgres.ts';
import { randomHistory } from '../../../../tests/support/random-history.ts';
import { seededRandom } from '../../../../tests/support/seeded-random.ts';
import { surveys } from '../../../flows/surveys.ts';
import { destinations } from '../../destinations/index.ts';
import { countChanges, countingOptions, recount, startCounting } from './job.ts';

const database = await databaseForTests(async (pool) => {
  await clearLedger(pool);
  await pool.query(
    'truncate visit_summaries, hourly_counts, hourly_steps, hourly_attempts, hours_to_count',
  );
  await pool.query(
    `update counting set settled_until = 'epoch', counted_until = null, complete_since = 'epoch'`,
  );
});
const { pool } = database;
const options = await countingOptions({
  surveys,
  destinations: destinations.map((definition) => ({ definition, values: undefined })),
  keep: keepDays,
});
const SETTLED_MS = 60_000;
const DAY_MS = 86_400_000;

/** Counts what has happened so far for good, in small portions. */
async function settle(limit: number, laterMs = 0): Promise<void> {
  const { rows } = await pool.query<{ at: Date }>('select clock_timestamp() as at');
  const at = rows[0]?.at as Date;
  // The clock has microseconds, a `Date` has milliseconds.
  const now = new Date(at.getTime() + 1 + SETTLED_MS + laterMs);
  while ((await countChanges(pool, { ...options, limit, now }))?.hasMore !== false);
  await sleep(2);
}

/** Returns a pool whose connections fail after some statements. */
function failing(after: number): pg.Pool {
  let statements = 0;
  const connect = async () => {
    const client = await pool.connect();
    return new Proxy(client, {
      get(target, name) {
        if (name !== 'query') {
          const own = Reflect.get(target, name);
          return typeof own === 'function' ? own.bind(target) : own;
        }
        return (...given: Parameters<typeof client.query>) => {
          statements += 1;
          if (statements > after && given[0] !== ('rollback' as never)) {
            return Promise.reject(new Error('the process was killed'));
          }
          return target.query(...given);
        };
      },
    });
  };
  return { connect } as unknown as pg.Pool;
}

async function expectEqual(): Promise<void> {
  const [counted, byHand] = await Promise.all([readCounted(pool), countByHand(pool, options)]);
  expect(counted.summaries).toEqual(byHand.summaries);
  expect(counted.hours).toEqual(byHand.hours);
  expect(counted.steps).toEqual(byHand.steps);
}

const random = seededRandom('counts');

test.each([1, 2, 3])('random history %i', async () => {
  const history = randomHistory(pool, random);
  for (let round = 0; round < 10; round += 1) {
    for (let moment = 0; moment < 3; moment += 1) {
      const events = Array.from({ length: random.integer(1, 5) }, () => history.happen());
      const counts = Array.from({ length: random.integer(0, 3) }, () =>
        random.next() < 0.3
          ? countChanges(failing(random.integer(1, 9)), options).catch(() => undefined)
          : countChanges(pool, options),
      );
      await Promise.all([...events, ...counts]);
    }
    await settle(random.integer(3, 40));
    await expectEqual();
  }

  // A transaction that commits late, and steps that a dead process left in a table.
  const late = await pool.connect();
  await late.query('begin');
  await late.query(
    `with visit as (insert into visits (lead_id, survey) values (gen_random_uuid(), '/survey/v4nv') returning lead_id)
     insert into progress (lead_id, seq, survey, step, kind) select lead_id, 1, '', 'StartPath', 'viewed' from visit`,
  );
  await countChanges(pool, options);
  await late.query('commit');
  late.release();
  await settle(5);
  await expectEqual();

  // Everything is made again after the tables were damaged.
  await pool.query('delete from visit_summaries where is_delivered or not has_answered');
  await pool.query('update hourly_counts set visits = visits + 1, completed = 0');
  await pool.query(`update hourly_counts set value = value || '!' where dimension = 'source'`);
  await pool.query('delete from hourly_steps');
  await pool.query(
    `insert into visit_summaries (lead_id, began_at, survey) values (gen_random_uuid(), now(), 'orphan')`,
  );
  await recount(pool, options);
  await settle(1_000);
  await expectEqual();

  // After the retention period the visits without a lead are gone, and the hours stay.
  const before = await readCounted(pool);
  const later = 31 * DAY_MS;
  await purgeOnce(pool, keepDays, new Date(Date.now() + later));
  await pool.query('update visits set seen_at = clock_timestamp()');
  await settle(50, later);
  const after = await readCounted(pool);
  expect(after.summaries).toEqual((await countByHand(pool, options)).summaries);
  expect(after.summaries.size).toBeLessThan(before.summaries.size);
  expect([after.hours, after.steps]).toEqual([before.hours, before.steps]);
});

test('a run takes a bounded number of attempts too', async () => {
  await seedLead(pool, { deliveries: [{ state: 'dead' }] });
  await pool.query(
    `insert into delivery_attempts (delivery_id, attempt, started_at, ended_at, outcome)
     select id, n, at, at, 'retry' from deliveries, generate_series(1, 20) n
     cross join lateral (select now() - (21 - n) * interval '1 hour' as at) times`,
  );
  const counted = async () => {
    const { rows } = await pool.query('select sum(attempts)::int as attempts from hourly_attempts');
    return rows[0].attempts;
  };
  expect((await countChanges(pool, { ...options, limit: 5 }))?.hasMore).toBe(true);
  expect(await counted()).toBe(5);
  await settle(5);
  expect(await counted()).toBe(20);
});

test('one process counts at a time, and a stop waits for the run', async () => {
  const other = await pool.connect();
  await other.query('begin');
  await other.query('select 1 from counting for update');
  expect(await countChanges(pool, options)).toBeUndefined();
  await other.query('commit');
  other.release();
  const counting = startCounting({ ...options, pool, log: testLog });
  await counting.stop();
  const { rows } = await pool.query<{ counted: boolean }>(
    'select counted_until is not null as counted from counting',
  );
  expect(rows).toEqual([{ counted: true }]);
});
