import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { consoleForTests, emailOf } from '../../../tests/support/console.ts';
import { storyOf, viewOf } from '../../../tests/support/lead-story.ts';
import {
  ana,
  clearLedger,
  type SeededDelivery,
  seedLead,
  seedPending,
} from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import type { LeadAnswer } from '../../contract/console/leads.ts';
import { ingestPayloadV1 } from '../destinations/lead-prosper-payload.ts';
import { pauseDestination } from '../operators/destinations/pause.ts';
import { RULE_SECTIONS } from '../operators/lead-page/lead-entries.ts';
import { answerOf as pageOf } from '../operators/lead-page/read-lead.ts';

const database = await databaseForTests(clearLedger);
const { pool } = database;
const credentials = { campaignId: 'c', supplierId: 's', key: 'own-secret-key' };
const server = await consoleForTests(database, {
  env: {
    INGEST_URL: 'http://127.0.0.1:1',
    INGEST_CAMPAIGN_ID: credentials.campaignId,
    INGEST_SUPPLIER_ID: credentials.supplierId,
    INGEST_KEY: credentials.key,
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

test('a short id is answered with a sentence, not with a pattern', async () => {
  const answer = await get('/api/leads/0190f3a1', 'viewer');
  expect(answer.statusCode).toBe(404);
  expect(answer.json()).toMatchObject({ detail: expect.stringMatching(/^There is nothing at/) });
});

test('why an operator paused a destination is for operators', async () => {
  const id = await seed({ state: 'waiting' });
  const why = 'Ana has called us';
  await pauseDestination(pool, 'ingest', { operator: emailOf('admin'), reason: why });
  const asViewer = (await get(`/api/leads/${id}`, 'viewer')).body;
  expect(asViewer).toContain(`is paused by ${emailOf('admin')}: a reason that operators can read`);
  expect(asViewer).not.toContain(why);
  expect((await get(`/api/leads/${id}`, 'operator')).body).toContain(why);
});

describe('opening a lead', () => {
  test('its page is masked for everybody, and has no hash of a value that can be guessed', async () => {
    const id = await seed({ state: 'rejected', revision: 1 });
    const guessed = createHash('sha256').update(ana.zip_code).digest('hex');
    await pool.query('update lead_checks set asked_sha256 = $1', [guessed]);
    await pool.query('update lead_revisions set body_sha256 = $1', [guessed]);
    await pool.query('update consents set text_sha256 = $1', [guessed]);
    await pool.query('update delivery_attempts set sent_sha256 = $1', [guessed]);
    for (const role of ['viewer', 'operator', 'admin'] as const) {
      const response = await get(`/api/leads/${id}`, role);
      expect(response.statusCode).toBe(200);
      expect(answerOf(response)).toMatchObject({
        isOpened: false,
        lead: { name: 'A… D…', phone: '(•••) •••-••23', email: 'A…@M….Example' },
      });
      for (const value of [...Object.values(ana), guessed]) {
        expect(response.body).not.toContain(value);
      }
    }
    expect(await audited()).toEqual([]);
  });

  test('shows everything to an operator, and is in the audit log', async () => {
    const id = await seed({ state: 'rejected', revision: 1 });
    const url = `/api/leads/${id}/open`;
    expect((await post(url, { reason }, 'viewer')).statusCode).toBe(403);
    expect((await post(url, { reason: '  ' }, 'operator')).statusCode).toBe(400);
    expect((await post(url, {}, 'operator')).statusCode).toBe(400);
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

  test('answers nothing if the audit log cannot be written', async () => {
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

test('an evidence pack needs a reason, an operator and the audit log', async () => {
  const id = await seed({ state: 'delivered', revision: 1 });
  await seedPending(pool, id);
  const url = `/api/leads/${id}/evidence`;
  expect((await post(url, { reason }, 'viewer')).statusCode).toBe(403);
  expect((await post(url, {}, 'operator')).statusCode).toBe(400);
  expect((await post(url, { reason, recipient: 'exchange' }, 'operator')).statusCode).toBe(409);
  expect(await audited()).toEqual([]);
  const pack = await post(url, { reason, recipient: 'ingest' }, 'operator');
  expect(pack.headers['content-disposition']).toContain(`evidence-${id}-ingest.zip`);
  expect(pack.rawPayload.subarray(0, 2).toString()).toBe('PK');
  expect(await audited()).toMatchObject([
    { action: 'lead.evidence_made', subject: id, reason, detail: { recipient: 'ingest' } },
  ]);
  const page = answerOf(await get(`/api/leads/${id}`, 'viewer'));
  expect(page.evidence).toMatchObject({ isReady: true, recipients: ['ingest'] });
});

describe('the bytes of an attempt', () => {
  const deliveryId = randomUUID();
  const ask = (id: string, attempt = 1) =>
    post(`/api/leads/${id}/bytes`, { reason, deliveryId, attempt }, 'operator');

  test('are proven by their hash, without our key', async () => {
    const id = await seed({ id: deliveryId, state: 'delivered', revision: 1 });
    const body = JSON.stringify(
      ingestPayloadV1({ leadId: id, isTest: false, fields: ana, credentials }),
    );
    const sha256 = createHash('sha256').update(body).digest('hex');
    await pool.query(`update delivery_attempts set sent_sha256 = $1`, [sha256]);
    const bytes = (await ask(id)).json();
    expect(bytes).toMatchObject({
      isProven: true,
      proof: 'the bytes sent are those of revision 1',
      answer: `answered about ${ana.email}`,
      sha256,
    });
    expect(bytes.sent).toBe(body.replace(credentials.key, '••••••'));
    expect(await audited()).toMatchObject([
      { action: 'lead.bytes_opened', subject: id, reason, detail: { attempt: 1 } },
    ]);
    expect((await ask(id, 2)).statusCode).toBe(404);
  });
});

describe('an action', () => {
  test('releases the revision that the operator saw', async () => {
    const id = await seedLead(pool, { state: 'held', deliveries: [{ state: 'held' }] });
    const url = `/api/leads/${id}/release`;
    const { actions } = answerOf(await get(`/api/leads/${id}`, 'operator'));
    expect(actions[0]).toMatchObject({
      action: 'release',
      refusal: '',
      means: expect.stringContaining('It is sent to Lead Prosper, as far as its consent allows.'),
    });
    const newer = await post(url, { reason, revision: 2 }, 'operator');
    expect(newer.statusCode).toBe(409);
    const done = await post(url, { reason, revision: 1 }, 'operator');
    expect(done.json()).toEqual({ done: ['The lead is released; 1 delivery is queued.'] });
    expect(await eventsOf(id)).toMatchObject([
      { kind: 'released', actor: emailOf('operator'), detail: { revision: 1, reason } },
    ]);
    expect(server.woken.count).toBe(1);
    const again = await post(url, { reason, revision: 1 }, 'operator');
    expect(again.json()).toMatchObject({ detail: 'The lead is not held.' });
    expect((await audited()).length).toBe(2);
  });

  test('resends a delivery, and only after a warning if the buyer has the lead', async () => {
    const [taken, dead] = [randomUUID(), randomUUID()];
    const id = await seed(
      { id: taken, state: 'delivered', revision: 1 },
      { id: dead, destination: 'automation', state: 'dead', revision: 1 },
    );
    const url = `/api/leads/${id}/resend`;
    const { deliveries } = answerOf(await get(`/api/leads/${id}`, 'operator'));
    expect(deliveries).toMatchObject([
      {
        ...{ id: taken, needsForce: true, canResend: true },
        resendMeans: expect.stringContaining('A second send can make it a duplicate there'),
      },
      { id: dead, needsForce: false, canResend: true },
    ]);
    const refused = await post(url, { reason, deliveryId: taken, force: false }, 'operator');
    expect(refused.statusCode).toBe(409);
    expect(await eventsOf(id)).toEqual([]);
    expect(await audited()).toEqual([]);
    for (const [deliveryId, force] of [
      [taken, true],
      [dead, false],
    ] as const) {
      const done = await post(url, { reason, deliveryId, force }, 'operator');
      expect(done.statusCode).toBe(200);
    }
    expect(await eventsOf(id)).toMatchObject([
      { kind: 'resent', detail: { was: 'delivered', forced: true, reason } },
      { kind: 'resent', detail: { was: 'dead', forced: false, reason } },
    ]);
    expect(await audited()).toMatchObject([
      { action: 'lead.resent', detail: { destination: 'ingest', force: true } },
      { action: 'lead.resent', detail: { destination: 'automation', force: false } },
    ]);
    const unknown = { reason, deliveryId: randomUUID(), force: true };
    expect((await post(url, unknown, 'operator')).statusCode).toBe(404);
  });

  test('suppresses the person, and says who has the lead already', async () => {
    const id = await seed(
      { state: 'delivered', revision: 1, externalId: 'ext-1' },
      { destination: 'automation', state: 'retrying', revision: 1 },
    );
    const done = await post(`/api/leads/${id}/suppress`, { reason: 'She called' }, 'operator');
    expect(done.json().done).toEqual([
      'The person is on the suppression list: 1 lead, 1 delivery stopped.',
      'These received personal data, and have to be told:',
      expect.stringMatching(/^ingest got lead /),
      expect.stringMatching(/^phone got lead /),
    ]);
    const page = await get(`/api/leads/${id}`, 'viewer');
    expect(answerOf(page)).toMatchObject({ isSuppressed: true });
    // What an operator wrote may name the person.
    expect(page.body).not.toContain('She called');
    expect(await eventsOf(id)).toMatchObject([
      { kind: 'suppressed', detail: { reason: 'She called' } },
    ]);
  });

  test('erases the lead, as an admin, with the operators’ words about it', async () => {
    const id = await seed({ state: 'delivered', revision: 1 });
    await post(`/api/leads/${id}/suppress`, { reason: 'Anastasia called' }, 'operator');
    const url = `/api/leads/${id}/erase`;
    expect((await post(url, { reason }, 'operator')).statusCode).toBe(403);
    const done = await post(url, { reason: 'deletion_request' }, 'admin');
    expect(done.json().done[0]).toBe(`Erased: lead ${id}.`);
    expect(await eventsOf(id)).toMatchObject([
      { kind: 'suppressed', detail: { stopped: [] } },
      { kind: 'erased', actor: emailOf('admin'), detail: { reason: 'deletion_request' } },
    ]);
    const inWords = await seed({ state: 'delivered', revision: 1 });
    await post(`/api/leads/${inWords}/erase`, { reason: 'Anastasia asked by phone' }, 'admin');
    const events = [...(await eventsOf(id)), ...(await eventsOf(inWords))];
    expect(events).toHaveLength(3);
    expect(JSON.stringify(events)).not.toContain('Anastasia');
    expect(answerOf(await get(`/api/leads/${id}`)).outcome[0]).toMatch(
      /^The lead was erased by admin@/,
    );
  });
});

test('every section that a page links is in the specification', async () => {
  const { story } = pageOf(storyOf(), new Map(), viewOf(false), 'viewer');
  const sections = story.flatMap(({ rule, rules = [] }) => [
    rule,
    ...rules.map(({ section }) => section),
  ]);
  const named = [...sections, ...Object.values(RULE_SECTIONS)].filter((each) => each !== '');
  for (const section of new Set(named)) {
    const response = await get(`/api/specification/${section}`, 'viewer');
    expect(response.statusCode, section).toBe(200);
    expect(response.json().text.length, section).toBeGreaterThan(20);
  }
  expect((await get('/api/specification/nothing', 'viewer')).statusCode).toBe(404);
});
