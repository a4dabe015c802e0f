import { describe, expect, test } from 'vitest';
import { ana, clearLedger, seedLead } from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { planning } from '../../../tests/support/plans.ts';
import { seededRandom } from '../../../tests/support/seeded-random.ts';
import { destinations } from '../delivery/destinations/index.ts';
import { pauseDestination, resumeDestination } from '../delivery/pause.ts';
import { countHour, MARK_ATTEMPT_HOURS } from './count-hour.ts';
import { readAttempts, readDeliveries } from './deliveries.ts';
import { reasonOf } from './failure-reasons.ts';

const database = await databaseForTests(async (clearing) => {
  await clearLedger(clearing);
  await clearing.query('truncate hourly_attempts');
});

const { pool } = database;
const settings = destinations.map((definition) => ({
  definition,
  values: definition.name === 'contact' ? undefined : {},
}));
const period = { from: '2026-07-01', to: '2026-07-02', timeZone: 'America/New_York' };

describe('reasonOf', () => {
  const none = { outcome: 'rejected', httpStatus: null, message: null };
  test.each([
    [{ httpStatus: 200, message: 'ERROR 1010: phone 5125550123' }, 'ERROR 1010'],
    [{ httpStatus: 200, message: 'ERROR 78620 is wrong' }, 'ERROR'],
    [{ httpStatus: 200, message: 'Anastasia lives far away' }, 'rejected'],
    [{ outcome: 'failed' }, 'it could not be sent'],
  ])('returns a reason without personal data', (failure, reason) => {
    expect(reasonOf({ ...none, ...failure })).toBe(reason);
  });
});

async function randomAttempts(random: () => number, isTest: boolean): Promise<void> {
  const leadId = await seedLead(pool, {
    deliveries: [{ state: 'retrying', destination: random() < 0.5 ? 'ingest' : 'webhook' }],
  });
  if (isTest) await pool.query('update leads set is_test = true where id = $1', [leadId]);
  const outcomes = ['delivered', 'rejected', 'server_error', 'unknown', null];
  for (let attempt = 1; attempt <= 1 + 3 * random(); attempt += 1) {
    const at = new Date(Date.parse('2026-07-01T00:00:00Z') + random() * 3 * 86_400_000);
    const outcome = outcomes[Math.floor(random() * outcomes.length)];
    await pool.query(
      `insert into delivery_attempts (delivery_id, attempt, started_at, ended_at, outcome, duration_ms)
       select id, $2, $3::timestamptz,
         case when $4::text is not null then $3::timestamptz + interval '1 minute' end, $4, $5
       from deliveries where lead_id = $1`,
      [leadId, attempt, at, outcome, outcome === null ? null : Math.ceil(random() * 30_000)],
    );
  }
}

async function count(since: string, until = 'infinity'): Promise<void> {
  await pool.query(MARK_ATTEMPT_HOURS, [since, until]);
  const { rows } = await pool.query<{ hour: string }>(
    'delete from hours_to_count returning hour::text as hour',
  );
  for (const { hour } of rows) await countHour(pool, hour, { surveys: [], services: [] });
}

describe('The hourly counts of attempts', () => {
  const RAW = `select d.destination, a.outcome, count(*)::int as attempts
    from delivery_attempts a join deliveries d on d.id = a.delivery_id join leads l on l.id = d.lead_id
    where a.outcome is not null and not l.is_test group by 1, 2 order by 1, 2`;
  const COUNTED = `select destination, outcome, sum(attempts)::int as attempts from hourly_attempts
    group by 1, 2 order by 1, 2`;
  const rows = async (text: string) => (await pool.query(text)).rows;

  test('equal a direct count of the attempts after each part of a random history', async () => {
    const random = seededRandom('counts of attempts').next;
    const longAgo = '2026-06-30T00:00:00Z';
    for (let round = 0; round < 4; round += 1) {
      for (let lead = 0; lead < 8; lead += 1) await randomAttempts(random, random() < 0.2);
      await pool.query(
        `update delivery_attempts set outcome = 'retry', ended_at = started_at + interval '2 minutes'
         where outcome is null and attempt = 1`,
      );
      await count(longAgo);
      expect(await rows(COUNTED)).toEqual(await rows(RAW));
    }
    await pool.query('truncate hourly_attempts');
    await count(longAgo, '2026-07-02T07:30:00Z');
    await count('2026-07-02T07:30:00Z');
    expect(await rows(COUNTED)).toEqual(await rows(RAW));
  });

  test('add up to the counts of each day in the operators’ time zone', async () => {
    const id = await seedLead(pool, { deliveries: [{ state: 'dead' }] });
    await pool.query(
      `insert into delivery_attempts (delivery_id, attempt, started_at, ended_at, outcome, duration_ms)
       select id, n, at, at, case when n <= 75 then 'delivered' else 'duplicate' end, n * 10
       from deliveries cross join generate_series(1, 101) as n cross join lateral (
         select timestamptz '2026-07-01T04:30:00Z' - n / 101 * interval '1 hour' as at) as times
       where lead_id = $1`,
      [id],
    );
    await count('2026-07-01T00:00:00Z');
    const counts = (await readAttempts(pool, period)).get('ingest');
    expect(counts).toMatchObject({ attempts: 100, delivered: 75, rejected: 25, failed: 0 });
    expect(Math.abs((counts?.p50Ms ?? 0) / 500 - 1)).toBeLessThan(0.1);
    expect(Math.abs((counts?.p95Ms ?? 0) / 950 - 1)).toBeLessThan(0.1);
  });
});

test('the deliveries page shows failure reasons and example leads without personal data', async () => {
  const finishedAt = '2026-07-02T03:00:00Z';
  const rejected = await seedLead(pool, {
    deliveries: [
      { state: 'rejected', revision: 1, finishedAt },
      { destination: 'webhook', state: 'dead', finishedAt },
      { destination: 'exchange', state: 'waiting' },
    ],
  });
  await pool.query(
    `update delivery_attempts set outcome = 'rejected', error = null, response = $1`,
    [`ERROR for ${ana.first_name}`],
  );
  await pool.query(`update deliveries set last_message = $1 where destination = 'ingest'`, [
    `ERROR 1010: ${ana.first_name} ${ana.last_name} at ${ana.email} has no valid phone`,
  ]);
  await pauseDestination(pool, 'exchange', { operator: 'ana@example.com', reason: 'a test.' });
  const now = new Date('2026-07-02T15:00:00Z');
  const read = () =>
    readDeliveries(pool, { destinations: settings, period, now, role: 'operator' });
  const answer = await read();
  const of = (name: string) => answer.destinations.find((each) => each.name === name);
  expect(of('ingest')).toMatchObject({
    state: 'on',
    receives: 'leads',
    dead: 0,
    reasons: [{ text: 'ERROR 1010', deliveries: 1, examples: [rejected] }],
  });
  expect(of('webhook')).toMatchObject({ receives: 'events', dead: 1 });
  expect(of('contact')?.state).toBe('off');
  expect(of('exchange')).toMatchObject({
    state: 'paused',
    waiting: 1,
    pausedBy: 'ana@example.com',
    pauseReason: 'a test.',
  });
  const text = JSON.stringify(answer);
  for (const value of Object.values(ana)) expect(text).not.toContain(value);
  await resumeDestination(pool, 'exchange');
  expect((await read()).destinations.find(({ name }) => name === 'exchange')).toMatchObject({
    state: 'on',
    pausedBy: null,
  });
});

test('the query for failed deliveries uses the index deliveries_not_taken_idx', async () => {
  const planned = planning(database.connectionString, '-c enable_seqscan=off');
  const asked = { destinations: settings, period, now: new Date(), role: 'viewer' } as const;
  await readDeliveries(planned.pool, asked).finally(() => planned.pool.end());
  const plans = planned.plans.filter((plan) => plan.includes(`state = 'dead'`));
  expect(plans).toHaveLength(2);
  for (const plan of plans) {
    expect(plan).toMatch(/Index .*Scan .*using deliveries_not_taken_idx/);
    expect(plan).not.toMatch(/deliveries_finished_at_idx/);
  }
});

describe('An operator’s pause', () => {
  const by = { operator: 'ana@example.com', reason: 'their API is down' };

  test('replaces an automatic pause', async () => {
    await pool.query(
      `insert into destination_health (destination, paused_at, paused_by, trial_at)
       values ('ingest', now(), 'answer', now())`,
    );
    await pauseDestination(pool, 'ingest', by);
    const { rows } = await pool.query('select paused_by, trial_at from destination_health');
    expect(rows).toEqual([{ paused_by: 'ana@example.com', trial_at: null }]);
  });
});
