/** The counts equal a count of the raw rows, whatever happened, and however the counting was interrupted. */

import type pg from 'pg';
import { expect, test } from 'vitest';
import { countByHand, readCounted } from '../../../../tests/support/count-by-hand.ts';
import { purgeOnce, turnFor } from '../../../../tests/support/job-clock.ts';
import { ana, clearLedger, keepDays, seedLead } from '../../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../../tests/support/own-database.ts';
import { randomHistory } from '../../../../tests/support/random-history.ts';
import { seededRandom } from '../../../../tests/support/seeded-random.ts';
import { surveys } from '../../../flows/surveys.ts';
import { destinations } from '../../destinations/index.ts';
import { MOST_STEPS } from './hours.ts';
import { countingOptions, countPortion, recount } from './job.ts';
import { readNow } from './now.ts';

const database = await databaseForTests(async (pool) => {
  await clearLedger(pool);
  await pool.query(
    'truncate visit_summaries, hourly_counts, hourly_steps, hourly_attempts, hours_to_count, set_aside',
  );
  await pool.query(`update counting set counted_until = null, complete_since = 'epoch'`);
});
const { pool } = database;
const options = await countingOptions({
  surveys,
  destinations: destinations.map((definition) => ({ definition, values: undefined })),
  keep: keepDays,
});
const DAY_MS = 86_400_000;

/** Counts what has happened so far, in small portions. */
async function settle(limit: number, now?: Date): Promise<void> {
  const turn = turnFor(pool, 'counts');
  let next: string | undefined;
  let left = 0;
  do {
    ({ next } = await countPortion(turn, { ...options, limit, now }, next));
    const waiting = await pool.query(`select from hours_to_count where not exists (
      select from set_aside where item = hour::text and retry_at > now())`);
    left = waiting.rowCount ?? 0;
  } while (next !== undefined || left > 0);
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
  const query = pool.query.bind(pool);
  return { connect, query } as unknown as pg.Pool;
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
          ? countPortion(turnFor(failing(random.integer(1, 9))), options).catch(() => undefined)
          : countPortion(turnFor(pool), options),
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
  await countPortion(turnFor(pool), options);
  await late.query('commit');
  late.release();
  await settle(5);
  await expectEqual();

  // Everything is made again after the tables were damaged.
  await pool.query('delete from visit_summaries where is_delivered or not has_answered');
  await pool.query('update hourly_counts set visits = visits + 1, completed = 0');
  await pool.query(`update hourly_counts set value = value || '!' where dimension = 'source'`);
  await pool.query('delete from hourly_steps');
  await recount(pool, options);
  await settle(1_000);
  await expectEqual();

  // After the retention period the visits without a lead are gone, and the hours stay.
  const before = await readCounted(pool);
  const later = new Date(Date.now() + 31 * DAY_MS);
  await purgeOnce(pool, keepDays, later);
  await pool.query('update visits set seen_at = clock_timestamp()');
  await settle(50, later);
  const after = await readCounted(pool);
  expect(after.summaries).toEqual((await countByHand(pool, options)).summaries);
  expect(after.summaries.size).toBeLessThan(before.summaries.size);
  expect([after.hours, after.steps]).toEqual([before.hours, before.steps]);
});

test('a portion takes a bounded number of attempts too', async () => {
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
  const { next } = await countPortion(turnFor(pool), { ...options, limit: 5 });
  expect([next !== undefined, await counted()]).toEqual([true, 1]);
  await settle(5);
  expect(await counted()).toBe(20);
});

const hourAgo = (hours: number) =>
  new Date(Math.floor(Date.now() / 3_600_000 - hours) * 3_600_000).toISOString();

/** Adds visits that saw the first step many times, with invented variants. */
async function addVisits(count: number, at: string, steps: number): Promise<void> {
  await pool.query(
    `with visit as (
       insert into visits (lead_id, survey, created_at, seen_at)
       select gen_random_uuid(), '/survey/v4nv', $2, now() from generate_series(1, $1) returning lead_id
     )
     insert into progress (lead_id, seq, survey, step, kind, variants)
     select lead_id, n, '', 'StartPath', 'viewed', (
       select string_agg('x' || part || left(lead_id::text, 8), '~') from generate_series(1, 100) part)
     from visit, generate_series(1, $3) n`,
    [count, at, steps],
  );
}

test('an hour that fails is set aside, the others are counted, and the console says so', async () => {
  const [bad, good] = [hourAgo(3), hourAgo(2)];
  await addVisits(1, bad, 1);
  await addVisits(1, good, 1);
  await pool.query(
    `alter table hourly_counts add constraint poison check (hour <> '${bad}') not valid`,
  );
  await settle(100);
  const hours = async () =>
    (await pool.query(`select hour from hourly_counts where dimension = 'all' and survey = ''`))
      .rows;
  expect(await hours()).toEqual([{ hour: new Date(good) }]);
  const { attention } = await readNow({
    ...{ client: pool, role: 'admin', destinations: [], ignored: [], timeZone: 'UTC' },
    missingBuyer: [],
    countUnsold: async () => ({ count: 0, isExact: true }),
  });
  expect(JSON.stringify(attention)).toContain('The numbers of 1 hour could not be counted');
  await pool.query('alter table hourly_counts drop constraint poison');
  await pool.query('update set_aside set retry_at = now()');
  await settle(100);
  expect(await hours()).toHaveLength(2);
  expect((await pool.query('select from set_aside')).rowCount).toBe(0);
});

test('a bounded part of a visit is counted: steps and variants', async () => {
  await addVisits(1, hourAgo(2), 499);
  await pool.query(`update progress set kind = 'back' where seq > ${MOST_STEPS}`);
  await settle(100);
  const { rows } = await pool.query(
    `select cardinality(variants) as variants, steps from visit_summaries
     join hourly_steps on dimension = 'all' and hourly_steps.survey = visit_summaries.survey`,
  );
  expect(rows).toEqual([{ variants: 10, steps: { 'seen|StartPath': 1, 'left|StartPath': 1 } }]);
});

test('a specially routed lead counts for the affiliate of its visitor', async () => {
  const routed = { ...ana, affid: '1000350', original_affid: '7' };
  await seedLead(pool, { createdAt: hourAgo(2), revisions: [routed] });
  await settle(100);
  const { rows } = await pool.query('select affiliate from visit_summaries');
  expect(rows).toEqual([{ affiliate: '7' }]);
});
