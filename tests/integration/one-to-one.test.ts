/** One-to-one consent against a real database and the sandbox: account, buyers, consent, delivery. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { parseSettings } from '../../src/server/config/settings.ts';
import { type RunningServer, startServer } from '../../src/server/wiring/server.ts';
import { publishedTcpa } from '../support/consent.ts';
import { secretHeader, testLead } from '../support/leads.ts';
import { testPersonSecret } from '../support/person-keys.ts';
import { type TestDatabase, withDatabase } from '../support/postgres.ts';

let database: TestDatabase;
let sandbox: Sandbox;
let server: RunningServer;

beforeAll(async () => {
  sandbox = await startSandbox();
  database = await withDatabase();
  const { settings } = parseSettings({
    PORT: '0',
    HOST: '127.0.0.1',
    DATABASE_URL: database.connectionString,
    PERSON_KEY_SECRET: testPersonSecret,
    // An account that the sandbox refuses: only the mapping service names the right one.
    INGEST_URL: sandbox.url,
    INGEST_CAMPAIGN_ID: 'other',
    INGEST_SUPPLIER_ID: 'other',
    INGEST_KEY: 'other-key',
    MAPPING_URL: sandbox.url,
    BUYERS_URL: sandbox.url,
    BUYERS_TIMEOUT_MS: '500',
    OUTGOING_PRIVATE_NETWORKS: 'allow',
  });
  server = await startServer(settings, { log: pino({ level: 'silent' }) });
}, 60_000);

afterAll(async () => {
  await server?.close();
  await database?.drop();
  await sandbox?.close();
}, 60_000);

async function post(path: string, body: unknown): Promise<{ status: number; text: string }> {
  const answer = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...secretHeader() },
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
}

/** The click parameters of the page's address. */
const click = { sub_id: 'abc', ef_transaction_id: '0123456789abcdef0123456789abcdef' };

let phones = 0;

function lead(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  phones += 1;
  return testLead({
    lead_id: randomUUID(),
    survey: '/survey/v6',
    ...publishedTcpa('abbreviated'),
    ef_transaction_id: randomUUID().replaceAll('-', ''),
    submitted_at: new Date().toISOString(),
    phone: `212555${String(phones).padStart(4, '0')}`,
    email: `maria${phones}@mail.example`,
    '1_to_1_consent': 'yes',
    ...overrides,
  });
}

async function deliveryState(leadId: unknown): Promise<string | undefined> {
  const row = await database.db
    .selectFrom('deliveries')
    .select('state')
    .where('lead_id', '=', String(leadId))
    .executeTakeFirst();
  return row?.state;
}

describe('a lead of /survey/v6', () => {
  it('goes to the mapped account, with the choice and both consent texts', async () => {
    const body = lead({ selected_buyers: '50002', ...publishedTcpa('buyers') });
    const { lead_id } = body;
    const survey = '/survey/v6';
    const mapped = await post('/api/mapping', { lead_id, survey, affid: 1, oid: 160 });
    expect(mapped).toEqual({ status: 200, text: '{"mapped":true}' });
    const found = await post('/api/buyers', { ...click, lead_id, survey, zip_code: '10001' });
    expect(JSON.parse(found.text)).toMatchObject({ consent: 'yes', timeout: 'no' });
    expect((await post('/post-lead', body)).status).toBe(200);
    await vi.waitFor(async () => expect(await deliveryState(lead_id)).toBe('delivered'), 20_000);
    const [effect] = sandbox.effects().filter(({ key }) => key === lead_id);
    expect(effect?.detail).toMatchObject({
      selected_buyers: '50002',
      selected_buyer_names: 'Example Injury Attorneys',
      displayed_buyers: 'Sandbox Law Group|Example Injury Attorneys',
      tcpa: expect.stringContaining('prior express written consent'),
    });
    const consent = await database.db
      .selectFrom('consents')
      .selectAll()
      .where('lead_id', '=', String(lead_id))
      .executeTakeFirstOrThrow();
    expect(consent.text).toBe(body.tcpa);
    expect(consent.sent_text).toBe(effect?.detail.tcpa);
    expect(consent.buyers).toEqual([
      { name: 'Sandbox Law Group', ids: ['50001'], chosen: false },
      { name: 'Example Injury Attorneys', ids: ['50002'], chosen: true },
    ]);
    // The account's key is not stored with the lead.
    const { fields, answers } = await database.db
      .selectFrom('lead_revisions')
      .selectAll()
      .where('lead_id', '=', String(lead_id))
      .executeTakeFirstOrThrow();
    expect(JSON.stringify([fields, answers])).not.toContain(sandbox.credentials.lpKey);
  }, 40_000);

  it('waits until a law firm is chosen, and goes once, with a later choice of its browser', async () => {
    const body = lead(publishedTcpa('buyers'));
    const { lead_id } = body;
    const survey = '/survey/v6';
    const account = { lead_id, survey, affid: 1, oid: 160 };
    expect((await post('/api/mapping', account)).status).toBe(200);
    await post('/api/buyers', { ...click, lead_id, survey, zip_code: '10001' });
    await post('/post-lead', body);
    const due = await database.db
      .selectFrom('deliveries')
      .select(['state', 'due_at', 'created_at'])
      .where('lead_id', '=', String(lead_id))
      .executeTakeFirstOrThrow();
    expect(due.state).toBe('waiting');
    expect(Number(due.due_at) - Number(due.created_at)).toBe(10 * 60_000);
    const now = new Date().toISOString();
    const choice = { selected_buyers: '50002', consent_shown_at: now, submitted_at: now };
    const part = { lead_id, survey, language: 'en', ...publishedTcpa('buyers'), ...choice };
    expect(JSON.parse((await post('/post-lead', part)).text)).toMatchObject({ revision: 2 });
    await vi.waitFor(async () => expect(await deliveryState(lead_id)).toBe('delivered'), 20_000);
    const effects = sandbox.effects().filter(({ key }) => key === lead_id);
    expect(effects).toHaveLength(1);
    expect(effects[0]?.detail).toMatchObject({
      selected_buyers: '50002',
      '1_to_1_dq': 'no',
      email: body.email,
    });
    const consents = await database.db
      .selectFrom('consents')
      .select('buyers')
      .where('lead_id', '=', String(lead_id))
      .orderBy('revision')
      .execute();
    const chosen = consents.map(
      ({ buyers }) => JSON.stringify(buyers).split('"chosen":true').length - 1,
    );
    expect(chosen).toEqual([0, 1]);
  }, 40_000);

  it('goes to the account in the settings if the mapping failed', async () => {
    sandbox.fail({ service: 'mapping', mode: '500', times: 1 });
    const body = lead();
    const { lead_id } = body;
    const request = { lead_id, survey: '/survey/v6', affid: 1, oid: 160 };
    expect((await post('/api/mapping', request)).text).toBe('{"mapped":false}');
    await post('/post-lead', body);
    // The settings name an account that the sandbox does not know, so it refuses the account.
    const outcomes = () =>
      database.db
        .selectFrom('delivery_attempts')
        .innerJoin('deliveries', 'deliveries.id', 'delivery_attempts.delivery_id')
        .select('delivery_attempts.outcome')
        .where('deliveries.lead_id', '=', String(lead_id))
        .execute();
    await vi.waitFor(
      async () => expect(await outcomes()).toEqual([{ outcome: 'account' }]),
      20_000,
    );
  }, 40_000);

  it('keeps its buyer list when a later post of its browser only adds something', async () => {
    const body = lead({ selected_buyers: '50002', ...publishedTcpa('buyers') });
    const { lead_id } = body;
    const survey = '/survey/v6';
    await post('/api/buyers', { ...click, lead_id, survey, zip_code: '10001' });
    await post('/post-lead', body);
    const later = await post('/post-lead', { lead_id, survey, leadid_token: 'token' });
    expect(JSON.parse(later.text)).toMatchObject({ revision: 2 });
    const { fields } = await database.db
      .selectFrom('lead_revisions')
      .select('fields')
      .where('lead_id', '=', String(lead_id))
      .where('revision', '=', 2)
      .executeTakeFirstOrThrow();
    expect(fields).toMatchObject({
      leadid_token: 'token',
      '1_to_1_result': 'available',
      selected_buyers: '50002',
    });
  }, 40_000);

  it('has the buyer list of its own zip code, whichever was requested last', async () => {
    const body = lead({ zip_code: '20001', '1_to_1_consent': 'no' });
    const { lead_id } = body;
    for (const zip_code of ['20001', '10001']) {
      await post('/api/buyers', { ...click, lead_id, survey: '/survey/v6', zip_code });
    }
    await post('/post-lead', body);
    const { fields } = await database.db
      .selectFrom('lead_revisions')
      .select('fields')
      .where('lead_id', '=', String(lead_id))
      .executeTakeFirstOrThrow();
    expect(fields).toMatchObject({
      '1_to_1_consent': 'no',
      '1_to_1_result': 'none',
      all_possible_buyer_ids: '8674',
    });
  }, 40_000);
});

describe('an invalid request', () => {
  it.each([
    ['/api/mapping', { lead_id: randomUUID(), survey: '/survey/v6', affid: '1', oid: 160 }],
    ['/api/mapping', { lead_id: 'x', survey: '/survey/v6', affid: 1, oid: 160 }],
    ['/api/buyers', { lead_id: randomUUID(), survey: '/survey/v6', zip_code: '1000' }],
    ['/api/buyers', { survey: '/survey/v6', zip_code: '10001' }],
  ])('%s %o', async (path, body) => {
    expect((await post(path, body)).status).toBe(400);
  });
});
