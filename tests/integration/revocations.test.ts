/** Tests that a STOP by SMS stops deliveries, and that the operator's system is told. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { credentials } from '../../sandbox/credentials.ts';
import { sandboxEnvironment } from '../../sandbox/environment.ts';
import { readHistory } from '../../src/server/leads/lead-history.ts';
import { consoleForTests } from '../support/console.ts';
import { sandboxForTests } from '../support/sandbox-http.ts';
import { freshLead, serverForTests } from '../support/server.ts';
import { signedMessage } from '../support/text-message.ts';

const outside = sandboxForTests();
const PUBLIC_URL = 'https://claims.example.com';
const site = serverForTests(() => ({
  ...sandboxEnvironment(outside.sandbox.url),
  PUBLIC_URL,
  VERIFICATION_URL: undefined,
  DELIVERY_CONCURRENCY: undefined,
  HOLD_SAME_PERSON_DAYS: '1',
}));

const newPhone = () => `212555${Math.floor(1_000 + Math.random() * 9_000)}`;

async function postLead(phone: string): Promise<string> {
  const lead = freshLead({ phone, email: `${randomUUID()}@mail.example` });
  expect((await site.post('/post-lead', lead)).status).toBe(200);
  return String(lead.lead_id);
}

const rows = async (text: string, ...values: unknown[]) =>
  (await site.database.pool.query(text, values)).rows;

async function deliveryOf(leadId: string, destination: string) {
  const { deliveries } = await readHistory(site.database.pool, leadId);
  return deliveries.find((each) => each.destination === destination && each.event === null);
}

async function send(phone: string, body: string): Promise<number> {
  const { twilioAuthToken: token } = credentials;
  const fields = {
    From: `+1${phone}`,
    Body: body,
    MessageSid: `SM${randomUUID()}`,
    OptOutType: '',
  };
  const { headers, payload } = signedMessage({ token, url: `${PUBLIC_URL}/sms/twilio` }, fields);
  const answer = await fetch(`${site.server.url}/sms/twilio`, {
    method: 'POST',
    headers,
    body: payload,
  });
  return answer.status;
}

const told = () =>
  outside.sandbox
    .received('webhook')
    .map(({ body }) => body as { type: string; data: Record<string, unknown> })
    .filter(({ type }) => type === 'consent.revoked');

test('STOP to a delivered lead suppresses its person and tells the recipients once', async () => {
  const phone = newPhone();
  const sold = await postLead(phone);
  await expect.poll(async () => (await deliveryOf(sold, 'ingest'))?.state).toBe('delivered');
  const held = await postLead(phone);
  expect(await deliveryOf(held, 'ingest')).toMatchObject({ state: 'held' });

  // Two repeats at once: Twilio may send a message again.
  expect(await Promise.all([send(phone, 'Stop!'), send(phone, 'Stop!')])).toEqual([200, 200]);
  expect(await deliveryOf(held, 'ingest')).toMatchObject({
    state: 'suppressed',
    end_reason: 'listed',
  });
  await expect.poll(() => told().map(({ data }) => data.lead_id)).toContain(sold);
  const event = told().find(({ data }) => data.lead_id === sold);
  const { external_id } = (await deliveryOf(sold, 'ingest')) ?? {};
  expect(event?.data).toEqual({
    lead_id: sold,
    is_test: false,
    source: 'sms',
    revoked_at: expect.any(String),
    confirm_by: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    recipients: expect.arrayContaining([
      { destination: 'ingest', external_id, state: 'delivered', at: expect.any(String) },
    ]),
  });
  expect(JSON.stringify(event)).not.toContain(phone);
  expect(outside.sandbox.violations()).toEqual([]);

  const operators = await consoleForTests(site.database, {
    env: sandboxEnvironment(outside.sandbox.url),
  });
  const confirmBy = event?.data.confirm_by;
  const list = async () => (await operators.get('/api/revocations')).json();
  const mine = { leadId: sold, destination: 'ingest', externalId: external_id, source: 'sms' };
  await expect.poll(list).toMatchObject([{ ...mine, confirmBy, toldAt: expect.any(String) }]);
  const page = (await operators.get(`/api/leads/${sold}`)).body;
  expect(page).toContain('revoked by text message.');
  const confirm = { leadId: sold, destination: 'ingest', reason: 'recipient_wrote' };
  expect((await operators.post('/api/revocations/confirm', confirm, 'viewer')).statusCode).toBe(
    403,
  );
  expect((await operators.post('/api/revocations/confirm', confirm, 'operator')).statusCode).toBe(
    200,
  );
  expect((await operators.post('/api/revocations/confirm', confirm)).statusCode).toBe(409);
  expect(await list()).toEqual([]);
  // A later message changes nothing more, and START does not undo.
  for (const body of ['please stop calling me', 'START', 'UNSTOP']) await send(phone, body);
  expect(await list()).toEqual([]);
  expect(
    await rows(
      `select lead_id, event_key, attempts from deliveries where event_key like 'consent.revoked%'`,
    ),
  ).toContainEqual({ lead_id: sold, event_key: 'consent.revoked 0', attempts: 1 });
  expect(told().filter(({ data }) => data.lead_id === sold)).toHaveLength(1);
  expect(await rows('select kind, actor, source from suppressions')).toEqual([
    { kind: 'phone', actor: 'a text message', source: 'sms' },
  ]);
  await operators.app.close();
});

test('an unknown number is suppressed, and any other message is not stored', async () => {
  const [stranger, other] = [newPhone(), newPhone()];
  expect(await send(stranger, 'no me llamen más')).toBe(200);
  expect(await send(other, 'Yes, call me after five')).toBe(200);
  const lead = await postLead(stranger);
  await expect.poll(async () => (await deliveryOf(lead, 'ingest'))?.state).toBe('suppressed');
  const fine = await postLead(other);
  await expect.poll(async () => (await deliveryOf(fine, 'ingest'))?.state).toBe('delivered');
});
