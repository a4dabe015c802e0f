/** Tests the routes of deliveries and plans: roles, audit log, and messages of refusals. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { setBuyer } from '../../../../tests/support/buyers.ts';
import { consoleForTests, emailOf, type TestConsole } from '../../../../tests/support/console.ts';
import { clearLedger, seedLead } from '../../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../../tests/support/own-database.ts';
import type { Plan } from '../../../model/messages/console/work.ts';

const database = await databaseForTests();
const { pool } = database;
let site: TestConsole;
beforeAll(async () => {
  site = await consoleForTests(database);
});
afterAll(() => site.app.close());
beforeEach(async () => {
  await clearLedger(pool);
  await pool.query('truncate plans, plan_items, audit_log');
});

const audited = async () =>
  (await pool.query('select actor, action, subject, reason from audit_log order by id')).rows;

test('pausing a destination adds an audit entry', async () => {
  const pause = (name = 'ingest') =>
    site.post(`/api/destinations/${name}/pause`, { reason: 'their API is down' }, 'operator');
  expect((await pause('nowhere')).statusCode).toBe(404);
  expect((await pause()).statusCode).toBe(200);
  const again = await pause();
  expect(again.statusCode).toBe(409);
  expect(again.json()).toMatchObject({ detail: 'Deliveries to ingest are paused already.' });
  const answer = await site.get('/api/deliveries?from=2026-07-01&to=2026-07-02', 'viewer');
  expect(answer.json().destinations).toContainEqual(
    expect.objectContaining({ name: 'ingest', pausedBy: emailOf('operator') }),
  );
  expect(answer.body).toContain('a reason that operators can read');
  expect(answer.body).not.toContain('their API is down');
  const woken = site.woken.count;
  const resume = await site.post('/api/destinations/ingest/resume', { reason: 'mended' });
  expect(resume.statusCode).toBe(200);
  expect(site.woken.count).toBe(woken + 1);
  expect(await audited()).toContainEqual({
    actor: emailOf('operator'),
    action: 'destination.paused',
    subject: 'ingest',
    reason: 'their API is down',
  });
});

test('an audit entry is added when an operator makes, starts or cancels a bulk plan', async () => {
  const leadId = await seedLead(pool, { deliveries: [{ state: 'dead' }] });
  const request = { action: 'resend', reason: 'their API was down', leadIds: [leadId] };
  const made = await site.post('/api/plans', request, 'operator');
  expect(made.statusCode).toBe(200);
  expect(made.json()).toMatchObject({ state: 'ready', counts: { all: 1, due: 1 } });
  const { id } = made.json<Plan>();
  for (const path of ['/api/plans', `/api/plans/${id}`]) {
    const read = await site.get(path, 'viewer');
    expect(read.body).toContain('"reason":"a reason that operators can read"');
    expect(read.body).not.toContain(request.reason);
    expect((await site.get(path, 'operator')).body).toContain(request.reason);
  }
  const items = await site.get(`/api/plans/${id}/items?state=due`, 'viewer');
  expect(items.json()).toMatchObject({ items: [{ leadId, state: 'due' }], next: null });
  expect((await site.post(`/api/plans/${id}/start`, {}, 'operator')).json()).toMatchObject({
    state: 'running',
    startedBy: emailOf('operator'),
  });
  expect((await site.post(`/api/plans/${id}/start`, {}, 'operator')).statusCode).toBe(409);
  expect((await site.post(`/api/plans/${id}/cancel`, {}, 'operator')).statusCode).toBe(200);
  expect((await site.get('/api/plans', 'viewer')).json().plans).toMatchObject([
    { id, state: 'cancelled' },
  ]);
  expect((await audited()).map(({ action }) => action)).toEqual([
    ...['plan.made', 'plan.started', 'plan.started', 'plan.cancelled'],
  ]);
});

test('the refusals of a plan name the buyer', async () => {
  await setBuyer(pool, 'ingest', { name: 'Garza Abogados' });
  const leadId = await seedLead(pool, { deliveries: [{ state: 'delivered', revision: 1 }] });
  const made = await site.post('/api/plans', { action: 'resend', reason: 'x', leadIds: [leadId] });
  const refusals = [{ text: 'Garza Abogados took this lead.', items: 1 }];
  expect(made.json()).toMatchObject({ refusals });
  await pool.query('truncate buyers');
});

test.each([
  { action: 'resend', reason: '' },
  { action: 'resend', reason: 'x', recover: { destination: 'ingest', since: 'yesterday' } },
])('a request to make a bulk plan gets 400 if the body is invalid', async (body) => {
  expect((await site.post('/api/plans', body)).statusCode).toBe(400);
});

test('an operator who makes more than twenty bulk plans within a minute gets 429', async () => {
  const make = () =>
    site.post('/api/plans', { action: 'suppress', reason: 'x', filter: {} }, 'operator');
  await Promise.all(Array.from({ length: 21 }, make));
  const refused = await make();
  expect(refused.headers).toMatchObject({ 'retry-after': expect.stringMatching(/^\d+$/) });
  expect(refused.json()).toMatchObject({ status: 429, reason: 'too_many_requests' });
});
