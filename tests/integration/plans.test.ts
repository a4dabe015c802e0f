/** Tests plans of bulk actions. A run must do exactly what its plan lists. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { PlanRequest } from '../../src/model/messages/console/requests.ts';
import type { Plan } from '../../src/model/messages/console/work.ts';
import { SUPPRESSED } from '../../src/server/delivery/release.ts';
import { resend } from '../../src/server/delivery/resend.ts';
import {
  cancelPlan,
  makePlan,
  readPlan,
  readPlanItems,
  startPlan,
} from '../../src/server/insight/plans.ts';
import { runPortion } from '../../src/server/insight/run-plan.ts';
import { invite, revokePerson } from '../../src/server/people/people.ts';
import { erase } from '../../src/server/privacy/erase.ts';
import { suppress } from '../../src/server/privacy/suppress.ts';
import { summaryOf } from '../../src/web/console/pages/plans/words.ts';
import { controlled, delivered, pass, resendDelivery, type TestLead } from '../support/delivery.ts';
import { deliveryForTests } from '../support/delivery-site.ts';
import { turnFor } from '../support/job-clock.ts';
import { killedWhenBlocked } from '../support/ledger.ts';
import { noted, people, personKey } from '../support/person-keys.ts';
import { saleRules } from '../support/sale-rules.ts';

const site = await deliveryForTests();
const { pool, insertMany, worker, read, advance } = site;
const runner = turnFor(pool, 'plans');
const settings = { ...saleRules, ...people(pool).settings };
const list = {
  pool,
  personKey,
  timeZone: 'America/New_York',
  destinationNames: ['desk', 'other'],
  saleRules,
};
const ANA = 'ana@example.com';
const UNKNOWN = '0198a000-0000-7000-8000-00000000000a';
type Five = [TestLead, TestLead, TestLead, TestLead, TestLead];

beforeEach(() =>
  pool.query('truncate plans, plan_items, audit_log, visit_summaries, destination_health'),
);

const plan = (request: Omit<PlanRequest, 'reason'>) =>
  makePlan(list, { ...request, reason: 'their API was down' }, ANA);
const ofLeads = (leads: readonly TestLead[], action: PlanRequest['action'] = 'resend') =>
  plan({ action, leadIds: leads.map(({ leadId }) => leadId) });

/** Runs a started plan in this process until the plan ends. */
async function finish(id: string, size = 3): Promise<Plan> {
  while ((await runPortion(runner, settings, id, size)) === 'more');
  return readPlan(pool, id);
}

async function run({ id }: Plan): Promise<Plan> {
  await startPlan(pool, id, ANA);
  return finish(id);
}

async function insertDead(count: number): Promise<TestLead[]> {
  const leads = await insertMany(count, { destination: 'desk', state: 'dead' });
  await pool.query('update deliveries set finished_at = now(), attempts = 20');
  return leads;
}

async function attempt({ deliveryId }: TestLead, outcome: string): Promise<void> {
  await pool.query(
    `insert into delivery_attempts (delivery_id, attempt, outcome, ended_at) values ($1, 1, $2, now())`,
    [deliveryId, outcome],
  );
}

async function states(leads: readonly TestLead[]): Promise<string[]> {
  return Promise.all(leads.map(async (lead) => (await read(lead)).state));
}

async function events(): Promise<number> {
  return (await pool.query(`select 1 from lead_events where kind in ('resent', 'released')`))
    .rowCount as number;
}

describe('a plan of a bulk action', () => {
  test('lists what the run will do with each delivery', async () => {
    const dead = await insertDead(7);
    const [taken, known, listed, sending, rejected] = dead.slice(2) as Five;
    await attempt(taken, 'delivered');
    await attempt(known, 'duplicate');
    await suppress(people(pool), listed.fields.email, noted);
    await pool.query(`update deliveries set state = 'dead', last_message = null`);
    await resendDelivery(pool, sending.deliveryId);
    await pool.query(`update deliveries set state = 'rejected' where id = $1`, [
      rejected.deliveryId,
    ]);
    const made = await ofLeads(dead);
    expect(made).toMatchObject({
      state: 'ready',
      action: 'resend',
      selection: '7 chosen leads',
      actor: ANA,
      counts: { all: 7, due: 3, passedOver: 4, done: 0, failed: 0 },
      buyers: [{ destination: 'desk', deliveries: 3 }],
    });
    expect(made.refusals.map(({ text }) => text).sort()).toEqual([
      'The lead is on its way to desk.',
      SUPPRESSED,
      'desk already has this lead.',
      'desk took this lead.',
    ]);
    // Making a plan must not change the state of a delivery.
    expect(await states(dead)).toEqual([...Array(5).fill('dead'), 'waiting', 'rejected']);
    const due = (await readPlanItems(pool, made.id, { state: 'due' })).items;
    const ended = await run(made);
    expect(ended).toMatchObject({
      state: 'done',
      startedBy: ANA,
      buyers: made.buyers,
      refusals: made.refusals,
      counts: { all: 7, due: 0, passedOver: 4, done: 3, failed: 0 },
    });
    expect(summaryOf(ended)[0]).toBe('3 deliveries queued.');
    const done = (await readPlanItems(pool, made.id, { state: 'done' })).items;
    expect(done.map(({ leadId }) => leadId)).toEqual(due.map(({ leadId }) => leadId));
    expect(await states(dead)).toEqual([
      ...['waiting', 'waiting', 'dead', 'dead', 'dead', 'waiting', 'waiting'],
    ]);
    const { rows } = await pool.query(
      'select detail from lead_events where kind = $1 and actor = $2',
      ['resent', ANA],
    );
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatchObject({ detail: { reason: 'their API was down' } });
    const log = await pool.query('select actor, action, subject from audit_log order by id');
    expect(log.rows).toEqual([
      { actor: ANA, action: 'plan.made', subject: made.id },
      { actor: ANA, action: 'plan.finished', subject: made.id },
    ]);
  });

  test('skips each item whose action is no longer allowed', async () => {
    const leads = await insertDead(5);
    const [kept, sent, listed, erased, gone] = leads as Five;
    const made = await ofLeads(leads);
    expect(made.counts.due).toBe(5);
    await resend(pool, sent.leadId, { force: false, actor: 'bea@example.com' }, saleRules);
    advance(60_000);
    await pass(worker([controlled('desk', async () => delivered)]));
    await suppress(people(pool), listed.fields.email, noted);
    await erase(people(pool), erased.leadId, 'tester');
    await pool.query('delete from deliveries where id = $1', [gone.deliveryId]);
    const ended = await run(made);
    expect(ended).toMatchObject({
      counts: { due: 0, done: 1, passedOver: 4 },
      buyers: [{ destination: 'desk', deliveries: 1 }],
    });
    expect(ended.refusals.map(({ text }) => text).sort()).toEqual([
      'The lead or delivery no longer exists.',
      'The lead was erased.',
      SUPPRESSED,
      'desk took this lead.',
    ]);
    expect((await read(kept)).state).toBe('waiting');
    expect((await read(sent)).state).toBe('delivered');
  });

  test('stops when the access of the plan’s operator is revoked', async () => {
    const leads = await insertDead(3);
    const made = await ofLeads(leads);
    await invite(pool, { email: ANA, role: 'operator', actor: 'test' });
    await startPlan(pool, made.id, ANA);
    const next = () => runPortion(runner, settings, made.id, 1);
    expect(await next()).toBe('more');
    await revokePerson(pool, ANA, { actor: 'test' });
    expect(await next()).toBe('over');
    expect(await readPlan(pool, made.id)).toMatchObject({
      state: 'cancelled',
      counts: { done: 1, due: 2 },
    });
    const { rows } = await pool.query(
      `select actor, detail from audit_log where action = 'plan.cancelled' and subject = $1`,
      [made.id],
    );
    expect(rows).toEqual([
      { actor: ANA, detail: { action: 'resend', because: 'no_longer_an_operator' } },
    ]);
    await pool.query('truncate operators cascade');
  });

  test('can add the persons of all selected leads to the suppression list', async () => {
    const leads = await insertMany(2, { destination: 'desk' });
    const ended = await run(await ofLeads(leads, 'suppress'));
    expect(ended).toMatchObject({ counts: { done: 2 }, buyers: [] });
    expect(await states(leads)).toEqual(['suppressed', 'suppressed']);
    expect((await pool.query('select 1 from suppressions')).rowCount).toBe(4);
  });

  test('selects the leads that match a filter of the lead list', async () => {
    const leads = await insertDead(3);
    await pool.query(
      `insert into visit_summaries (lead_id, began_at, survey, received_at, lead_state, deliveries)
       select lead_id, created_at, '/survey/v4nv', created_at, 'accepted', array['desk:' || state]
       from deliveries`,
    );
    await pool.query(`update deliveries set finished_at = '2026-07-01T03:59:59Z' where id = $1`, [
      leads[0]?.deliveryId,
    ]);
    const filter = { delivery: 'dead', destination: 'desk', q: leads[1]?.fields.email ?? '' };
    expect(await plan({ action: 'resend', filter })).toMatchObject({
      selection: 'Leads with delivery dead, destination desk, q (email)',
      counts: { all: 1, due: 1 },
    });
    const since = (text: string) =>
      plan({ action: 'resend', recover: { destination: 'desk', since: text } });
    // The day begins at midnight in New York, which is 04:00 UTC.
    expect((await since('2026-07-01')).counts.all).toBe(2);
    expect((await since('2026-06-30')).counts.all).toBe(3);
    expect((await since('2026-07-01T03:59:59Z')).counts.all).toBe(3);
  });

  test('is refused if the plan selects no items', async () => {
    const recover = { destination: 'desk', since: '2026-01-01' };
    await expect(plan({ action: 'resend', recover })).rejects.toThrow('nothing in this selection');
    await expect(plan({ action: 'release', leadIds: [UNKNOWN] })).rejects.toThrow('nothing');
    const [lead] = await insertDead(1);
    await pool.query(
      `insert into deliveries (id, lead_id, destination, event_key, state, finished_at)
       select gen_random_uuid(), $1, 'desk', n::text, 'dead', now() from generate_series(1, 10000) n`,
      [lead?.leadId],
    );
    await expect(plan({ action: 'resend', recover })).rejects.toThrow('more than 10,000 items');
    expect((await pool.query('select 1 from audit_log')).rowCount).toBe(0);
  });
});

describe('the run of a plan', () => {
  test('continues in another process after a kill', async () => {
    const leads = await insertDead(8);
    const { id } = await ofLeads(leads);
    await startPlan(pool, id, ANA);
    expect(await runPortion(runner, settings, id, 3)).toBe('more');
    const running = () => runPortion(runner, settings, id, 3);
    await killedWhenBlocked(pool, running, [
      'select 1 from deliveries where id = $1 for update',
      [leads[4]?.deliveryId],
    ]);
    expect(await readPlan(pool, id)).toMatchObject({ counts: { done: 3, due: 5 } });
    expect(await events()).toBe(3);
    expect((await finish(id)).counts).toMatchObject({ done: 8, due: 0 });
    expect(await runPortion(runner, settings, id, 3)).toBe('over');
    expect(await events()).toBe(8);
  });

  test('ends when an operator cancels the plan', async () => {
    const leads = await insertDead(5);
    const { id } = await ofLeads(leads);
    await startPlan(pool, id, ANA);
    await runPortion(runner, settings, id, 2);
    expect(await cancelPlan(pool, id)).toMatchObject({
      state: 'cancelled',
      counts: { done: 2, due: 3 },
    });
    expect(await runPortion(runner, settings, id, 2)).toBe('over');
    expect((await states(leads)).filter((state) => state === 'dead')).toHaveLength(3);
    await expect(startPlan(pool, id, ANA)).rejects.toThrow('it is cancelled');
    await expect(cancelPlan(pool, id)).rejects.toThrow('it is cancelled');
  });

  test('continues with the other items after an item has failed', async () => {
    const leads = await insertDead(3);
    const { id } = await ofLeads(leads);
    await startPlan(pool, id, ANA);
    const poison = leads[0]?.deliveryId;
    await pool.query(
      `alter table deliveries add constraint poison check (id <> '${poison}' or state = 'dead')`,
    );
    await Promise.all([runPortion(runner, settings, id, 1), runPortion(runner, settings, id, 1)]);
    expect((await finish(id)).counts).toMatchObject({ done: 2, failed: 1 });
    await pool.query('alter table deliveries drop constraint poison');
    expect(await states(leads)).toEqual(['dead', 'waiting', 'waiting']);
  });
});
