import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { consoleForTests, emailOf } from '../../../../tests/support/console.ts';
import {
  ana,
  clearLedger,
  type SeededDelivery,
  seedLead,
  seedPending,
} from '../../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../../tests/support/own-database.ts';
import type { LeadAnswer } from '../../../model/messages/console/leads.ts';
import { pauseDestination } from '../../delivery/pause.ts';

const database = await databaseForTests(clearLedger);
const { pool } = database;
const server = await consoleForTests(database, {
  env: {
    INGEST_URL: 'http://127.0.0.1:1',
    INGEST_CAMPAIGN_ID: 'c',
    INGEST_SUPPLIER_ID: 's',
    INGEST_KEY: 'own-secret-key',
  },
});
afterAll(() => server.app.close());
beforeEach(async () => {
  await pool.query('delete from audit_log');
  server.woken.count = 0;
});

const { get, post } = server;
const reason = 'quality_check';
const seed = (...deliveries: SeededDelivery[]) => seedLead(pool, { deliveries });
const answerOf = (response: { json(): unknown }) => response.json() as LeadAnswer;

async function audited(): Promise<unknown[]> {
  const { rows } = await pool.query(
    `select actor, action, subject, reason, detail from audit_log
     where action like 'lead.%' order by id`,
  );
  return rows;
}

async function eventsOf(id: string): Promise<unknown[]> {
  const { rows } = await pool.query(
    'select kind, actor, detail from lead_events where lead_id = $1 order by at',
    [id],
  );
  return rows;
}

test('the lead page hides from viewers why a destination is paused', async () => {
  const id = await seed({ state: 'waiting' });
  const why = 'Ana has called us';
  await pauseDestination(pool, 'ingest', { operator: emailOf('admin'), reason: why });
  const asViewer = (await get(`/api/leads/${id}`, 'viewer')).body;
  expect(asViewer).toContain(`is paused by ${emailOf('admin')}: a reason that operators can read`);
  expect(asViewer).not.toContain(why);
  const asOperator = await get(`/api/leads/${id}`, 'operator');
  expect(asOperator.body).toContain(why);
  expect(answerOf(asOperator)).toMatchObject({ deliveries: [{ dueAt: null }] });
});

describe('opening a lead', () => {
  test('is required before the server sends the personal values', async () => {
    const id = await seed({ state: 'rejected', revision: 1 });
    const guessed = createHash('sha256').update(ana.zip_code).digest('hex');
    await pool.query('update lead_checks set asked_sha256 = $1', [guessed]);
    await pool.query('update lead_revisions set body_sha256 = $1', [guessed]);
    await pool.query('update consents set text_sha256 = $1', [guessed]);
    await pool.query('update delivery_attempts set sent_sha256 = $1', [guessed]);
    const response = await get(`/api/leads/${id}`, 'admin');
    expect(answerOf(response)).toMatchObject({ isOpened: false, lead: { name: 'A… D…' } });
    for (const value of [...Object.values(ana), guessed]) {
      expect(response.body).not.toContain(value);
    }
    expect(await audited()).toEqual([]);
  });

  test('shows an operator all values', async () => {
    const id = await seed({ state: 'rejected', revision: 1 });
    const url = `/api/leads/${id}/open`;
    expect((await post(url, { reason: '  ' }, 'operator')).statusCode).toBe(400);
    expect(await audited()).toEqual([]);
    const opened = await post(url, { reason }, 'operator');
    expect(answerOf(opened)).toMatchObject({
      isOpened: true,
      lead: { name: 'Anastasia Diazcarrera', phone: '(512) 555-0123', email: ana.email },
    });
    expect(opened.body).toContain(ana.case_description);
    expect(await audited()).toMatchObject([
      { actor: emailOf('operator'), action: 'lead.opened', subject: id, reason },
    ]);
    const unknown = await post(`/api/leads/${randomUUID()}/open`, { reason }, 'operator');
    expect(unknown.statusCode).toBe(404);
  });

  test('fails if the audit log cannot be written', async () => {
    const id = await seed({ state: 'delivered', revision: 1 });
    await server.headersOf('operator');
    await pool.query('alter table audit_log rename to audit_log_away');
    try {
      const response = await post(`/api/leads/${id}/open`, { reason }, 'operator');
      expect(response.statusCode).toBeGreaterThanOrEqual(500);
      for (const value of Object.values(ana)) expect(response.body).not.toContain(value);
    } finally {
      await pool.query('alter table audit_log_away rename to audit_log');
    }
  });
});

test('an evidence pack is made only for a destination that got the lead', async () => {
  const id = await seed({ state: 'delivered', revision: 1 });
  await seedPending(pool, id);
  const url = `/api/leads/${id}/evidence`;
  expect((await post(url, { reason, recipient: 'exchange' }, 'operator')).statusCode).toBe(409);
  expect(await audited()).toEqual([]);
  const pack = await post(url, { reason, recipient: 'ingest' }, 'operator');
  expect(pack.headers['content-disposition']).toContain(`evidence-${id}-ingest.zip`);
  expect(pack.rawPayload.subarray(0, 2).toString()).toBe('PK');
  expect(await audited()).toMatchObject([
    { action: 'lead.evidence_made', subject: id, reason, detail: { recipient: 'ingest' } },
  ]);
});

test('reading the request and the answer of a delivery attempt adds an audit entry', async () => {
  const deliveryId = randomUUID();
  const id = await seed({ id: deliveryId, state: 'delivered', revision: 1 });
  const ask = (attempt: number) =>
    post(`/api/leads/${id}/bytes`, { reason, deliveryId, attempt }, 'operator');
  expect((await ask(1)).json()).toMatchObject({ answer: `answered about ${ana.email}` });
  expect(await audited()).toMatchObject([
    { action: 'lead.bytes_opened', subject: id, reason, detail: { attempt: 1 } },
  ]);
  expect((await ask(2)).statusCode).toBe(404);
});

describe('an action on a lead', () => {
  test('releases a held lead only if the operator saw the lead’s newest revision', async () => {
    const id = await seedLead(pool, { state: 'held', deliveries: [{ state: 'held' }] });
    const release = (revision: number) =>
      post(`/api/leads/${id}/release`, { reason, revision }, 'operator');
    const { actions } = answerOf(await get(`/api/leads/${id}`, 'operator'));
    expect(actions[0]).toMatchObject({ action: 'release', refusal: '' });
    expect((await release(2)).statusCode).toBe(409);
    const done = await release(1);
    expect(done.json()).toEqual({ done: ['The lead is released; 1 delivery is queued.'] });
    expect(await eventsOf(id)).toMatchObject([
      { kind: 'released', actor: emailOf('operator'), detail: { revision: 1, reason } },
    ]);
    expect(server.woken.count).toBe(1);
    expect((await release(1)).json()).toMatchObject({ detail: 'The lead is not held.' });
  });

  test('resends a lead that the buyer already has only with `force`', async () => {
    const deliveryId = randomUUID();
    const id = await seed({ id: deliveryId, state: 'delivered', revision: 1 });
    const resend = (force: boolean, delivery = deliveryId) =>
      post(`/api/leads/${id}/resend`, { reason, deliveryId: delivery, force }, 'operator');
    const { deliveries } = answerOf(await get(`/api/leads/${id}`, 'operator'));
    expect(deliveries).toMatchObject([{ id: deliveryId, needsForce: true, canResend: true }]);
    expect((await resend(false)).statusCode).toBe(409);
    expect([await eventsOf(id), await audited()]).toEqual([[], []]);
    expect((await resend(true)).statusCode).toBe(200);
    expect(await eventsOf(id)).toMatchObject([
      { kind: 'resent', detail: { was: 'delivered', forced: true, reason } },
    ]);
    expect(await audited()).toMatchObject([
      { action: 'lead.resent', detail: { destination: 'ingest', force: true } },
    ]);
    expect((await resend(true, randomUUID())).statusCode).toBe(404);
  });

  test('can suppress or erase the person who posted the lead', async () => {
    const id = await seed({ state: 'delivered', revision: 1, externalId: 'ext-1' });
    const done = await post(`/api/leads/${id}/suppress`, { reason: 'Ana called' }, 'operator');
    expect(done.json().done).toContainEqual(expect.stringMatching(/^ingest got lead /));
    const page = await get(`/api/leads/${id}`, 'viewer');
    expect(answerOf(page)).toMatchObject({ isSuppressed: true });
    expect(page.body).not.toContain('Ana called');
    const erased = await post(`/api/leads/${id}/erase`, { reason: 'Ana asked by phone' }, 'admin');
    expect(erased.json().done[0]).toBe(`Erased: lead ${id}.`);
    const events = await eventsOf(id);
    expect(events).toMatchObject([
      { kind: 'suppressed' },
      { kind: 'erased', actor: emailOf('admin') },
    ]);
    expect(JSON.stringify([events, await audited()])).not.toMatch(/Ana (called|asked)/);
  });
});
