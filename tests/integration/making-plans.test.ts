/**
 * How the list of a plan is made, against a real database: in portions, by any process, with exactly the leads that
 * match and were received until the plan was made.
 */
import { Kysely, PostgresDialect } from 'kysely';
import { v7 as uuid } from 'uuid';
import { beforeEach, describe, expect, test } from 'vitest';
import type { LeadFilter } from '../../src/contract/console/leads.ts';
import type { PlanRequest } from '../../src/contract/console/work.ts';
import { erase } from '../../src/server/operators/erase.ts';
import { freezePortion } from '../../src/server/operators/plans/freeze-plan.ts';
import { checkPlan, makePlan } from '../../src/server/operators/plans/make-plan.ts';
import { cancelPlan, readPlan, startPlan } from '../../src/server/operators/plans/read-plans.ts';
import { takePlan } from '../../src/server/operators/plans/run-plan.ts';
import { startPlans } from '../../src/server/operators/plans/runner.ts';
import type { Schema } from '../../src/server/storage/schema.ts';
import { until } from '../faults/delivery-fixture.ts';
import { deliveryForTests } from '../faults/delivery-workers.ts';
import { jobsFor } from '../support/job-clock.ts';
import { killedWhenBlocked } from '../support/ledger.ts';
import { madePlan } from '../support/made-plan.ts';
import { people, personKey } from '../support/person-keys.ts';
import { testLog } from '../support/postgres.ts';

const { pool, insertMany } = await deliveryForTests();
const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
const freezer = { pool, db, personKey, timeZone: 'UTC', destinationNames: ['desk'] };
const ANA = 'ana@example.com';
const qualified: LeadFilter = { qualified: 'yes' };
const LEADS = 24;

/** Runs plans as a process of its own. */
function runPlans(options: Parameters<typeof startPlans>[1]) {
  const jobs = jobsFor(pool);
  startPlans(jobs, options);
  return jobs;
}

beforeEach(() => pool.query('truncate plans, plan_items, audit_log, visit_summaries'));

/** Stores dead leads that came `minutes` ago, three at the same moment. Half of them are qualified. */
async function receive(count: number, minutes = 60): Promise<void> {
  await insertMany(count, { destination: 'desk', state: 'dead' });
  await pool.query(
    `insert into visit_summaries (lead_id, began_at, survey, received_at, lead_state, qualified, is_test, deliveries)
     select lead_id, at, '/survey/v4nv', at, 'accepted', number % 2 = 0, number % 8 = 0, array['desk:dead']
     from (select lead_id, row_number() over (order by lead_id) as number from deliveries
       where lead_id not in (select lead_id from visit_summaries)) as new
     cross join lateral (
       select now() - $1::integer * interval '1 minute' + (number / 3) * interval '1 millisecond' as at) as times`,
    [minutes],
  );
  await pool.query(
    `update deliveries d set finished_at = received_at from visit_summaries s where s.lead_id = d.lead_id`,
  );
}

/** Stores a plan, whose list is not made yet. */
function store(request: Omit<PlanRequest, 'reason'>, actor = ANA) {
  const checked = checkPlan({ ...request, reason: 'x' });
  return makePlan(pool, { ...checked, id: uuid(), actor });
}
const suppressQualified = () => store({ action: 'suppress', filter: qualified });

async function take(id: string, owner: string) {
  expect(await takePlan(pool, owner)).toEqual({ id, isMade: false });
  return { planId: id, owner, size: 5 };
}
const endLeases = () => pool.query(`update plans set lease_until = now() - interval '1 second'`);

async function listOf(id: string): Promise<string[]> {
  const { rows } = await pool.query<{ lead_id: string; number: number }>(
    'select lead_id, number from plan_items where plan_id = $1 order by number',
    [id],
  );
  expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1));
  return rows.map(({ lead_id }) => lead_id);
}

/** The leads that a plan for the qualified ones must list, by a query of its own. */
async function expectedOf(id: string): Promise<string[]> {
  const { rows } = await pool.query<{ lead_id: string }>(
    `select lead_id from visit_summaries where qualified and not is_test
       and received_at <= (select created_at from plans where id = $1)
     order by received_at, lead_id`,
    [id],
  );
  return rows.map(({ lead_id }) => lead_id);
}

async function expectWholeList(id: string): Promise<void> {
  const list = await listOf(id);
  expect(list).toEqual(await expectedOf(id));
  expect(await readPlan(pool, id)).toMatchObject({
    ...{ state: 'ready', counts: { all: list.length, due: list.length } },
  });
}

describe('the list of a plan', () => {
  test('has the leads that match a filter and were received until it was made', async () => {
    await receive(LEADS);
    const plan = await suppressQualified();
    expect(plan).toMatchObject({ state: 'making', counts: { all: 0 } });
    const given = await take(plan.id, 'a');
    await receive(6, -1);
    expect(await freezePortion(freezer, given)).toBe('more');
    expect(await readPlan(pool, plan.id)).toMatchObject({ state: 'making', counts: { all: 5 } });
    await receive(6, -1);
    while ((await freezePortion(freezer, given)) === 'more');
    await expectWholeList(plan.id);
    expect(await listOf(plan.id)).toHaveLength(LEADS / 2 - LEADS / 8);
  });

  test('has the deliveries that had ended dead, also those that ended at one moment', async () => {
    await receive(LEADS);
    const plan = await store({
      ...{ action: 'resend', recover: { destination: 'desk', since: '2026-01-01' } },
    });
    await receive(4, -1);
    const made = await madePlan(freezer, plan, 5);
    expect(made.counts).toMatchObject({ all: LEADS, due: LEADS });
    const { rows } = await pool.query<{ lead_id: string }>(
      `select lead_id from deliveries where finished_at <= $1 order by finished_at, id`,
      [made.createdAt],
    );
    expect(await listOf(plan.id)).toEqual(rows.map(({ lead_id }) => lead_id));
  });

  test('has chosen leads once each, in their order', async () => {
    const leads = (await insertMany(7, { destination: 'desk' })).map(({ leadId }) => leadId);
    const [first = ''] = leads;
    const leadIds = [...leads, first.toUpperCase(), uuid()];
    const made = await madePlan(freezer, await store({ action: 'suppress', leadIds }));
    expect(made).toMatchObject({ state: 'ready', selection: '8 chosen leads' });
    expect(await listOf(made.id)).toEqual(leads);
  });

  test('is whole after a kill in the middle of a portion', async () => {
    await receive(LEADS);
    const { id } = await suppressQualified();
    const given = await take(id, 'a');
    await freezePortion(freezer, given);
    const freezing = () => freezePortion(freezer, given);
    await killedWhenBlocked(pool, freezing, ['lock table plan_items in share mode']);
    expect((await readPlan(pool, id)).counts.all).toBe(5);
    // The lease protects the plan until it runs out.
    expect(await takePlan(pool, 'b')).toBeUndefined();
    await endLeases();
    const next = await take(id, 'b');
    while ((await freezePortion(freezer, next)) === 'more');
    // The first process was only frozen, and comes back.
    expect(await freezePortion(freezer, given)).toBe('over');
    await expectWholeList(id);
  });

  test('gets a portion once, however many turns read its place', async () => {
    await receive(LEADS);
    const { id } = await suppressQualified();
    const given = await take(id, 'a');
    const turns = Array.from({ length: 4 }, () => freezePortion(freezer, given));
    expect((await Promise.all(turns)).filter((turn) => turn === 'more')).toHaveLength(1);
    while ((await freezePortion(freezer, given)) === 'more');
    await expectWholeList(id);
  });

  test('is made by two processes at once, for several plans in turns', async () => {
    await receive(LEADS);
    const plans = [await suppressQualified(), await suppressQualified(), await suppressQualified()];
    const options = { ...freezer, log: testLog, wake: () => undefined, portion: 2 };
    const runners = [runPlans(options), runPlans(options)];
    await until(async () => {
      const now = await Promise.all(plans.map(({ id }) => readPlan(pool, id)));
      return now.every(({ state }) => state === 'ready');
    });
    await Promise.all(runners.map((runner) => runner.stop()));
    for (const { id } of plans) await expectWholeList(id);
  });
});

describe('a plan that is being made', () => {
  /** The search of a plan may name a person. */
  const sources = async () =>
    (await pool.query('select 1 from plans where source is not null')).rowCount;

  test('can be cancelled, but not be started', async () => {
    await receive(LEADS);
    const { id } = await suppressQualified();
    const given = await take(id, 'a');
    await freezePortion(freezer, given);
    await expect(startPlan(pool, id, ANA)).rejects.toThrow('its list is still being made');
    expect(await cancelPlan(pool, id)).toMatchObject({ state: 'cancelled', counts: { all: 5 } });
    expect(await freezePortion(freezer, given)).toBe('over');
    expect(await takePlan(pool, 'b')).toBeUndefined();
    await expect(startPlan(pool, id, ANA)).rejects.toThrow('it is cancelled');
    expect((await listOf(id)).length).toBe(5);
    expect(await sources()).toBe(0);
  });

  test('fails with a sentence if there is nothing, or too much', async () => {
    await receive(LEADS);
    const none = await store({ action: 'suppress', filter: { source: 'nowhere' } });
    expect(await madePlan(freezer, none)).toMatchObject({
      ...{ state: 'failed', problem: 'There is nothing in this selection.' },
    });
    const many = await suppressQualified();
    await pool.query('update plans set due = 99999 where id = $1', [many.id]);
    expect(await madePlan(freezer, many)).toMatchObject({
      ...{ state: 'failed', problem: expect.stringContaining('more than 100,000 items') },
    });
    await expect(startPlan(pool, many.id, ANA)).rejects.toThrow('it is failed');
    expect(await sources()).toBe(0);
  });

  test('fails if its list cannot be stored, and stops no other', async () => {
    await receive(LEADS);
    const { id } = await suppressQualified();
    await pool.query(
      `alter table plan_items add constraint poison check (plan_id <> '${id}' or number < 3)`,
    );
    const other = await suppressQualified();
    const runner = runPlans({ ...freezer, log: testLog, wake: () => undefined, portion: 2 });
    const ended = await until(async () => {
      const now = await Promise.all([id, other.id].map((each) => readPlan(pool, each)));
      return now.every(({ state }) => state !== 'making') && now;
    });
    await runner.stop();
    await pool.query('alter table plan_items drop constraint poison');
    expect(ended).toMatchObject([
      { state: 'failed', problem: expect.stringContaining('server’s log') },
      { state: 'ready', problem: null },
    ]);
    expect(await sources()).toBe(0);
  });

  test('fails if a person is erased and its search could have named them', async () => {
    const [lead] = await insertMany(1, { destination: 'desk' });
    const q = lead?.fields.email ?? '';
    const named = await store({ action: 'suppress', filter: { q } });
    const given = { planId: named.id, owner: 'a', size: 5 };
    await pool.query(`update plans set lease_owner = 'a'`);
    const other = await suppressQualified();
    await erase(people(pool), q, 'tester');
    expect(await freezePortion(freezer, given)).toBe('over');
    expect(await readPlan(pool, named.id)).toMatchObject({
      ...{ state: 'failed', problem: expect.stringContaining('make the plan again') },
    });
    expect((await readPlan(pool, other.id)).state).toBe('making');
    const { rows } = await pool.query('select plans::text as text from plans');
    expect(JSON.stringify(rows)).not.toContain(q);
  });

  test('is one of three of a person', async () => {
    await receive(1);
    for (let made = 0; made < 3; made += 1) await suppressQualified();
    await expect(suppressQualified()).rejects.toMatchObject({ kind: 'too_many' });
    expect(await store({ action: 'suppress', filter: {} }, 'bea@example.com')).toMatchObject({
      ...{ state: 'making', selection: 'All leads' },
    });
  });
});
