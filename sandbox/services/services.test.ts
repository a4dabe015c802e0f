import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { get, postForm, postJson } from '../../tests/support/sandbox-requests.ts';
import { credentials } from '../credentials.ts';
import { type Sandbox, startSandbox } from '../server.ts';
import { invalidNumberMessage } from './ipqs.ts';
import { standIns } from './webhook.ts';

const minuteMs = 60_000;
let clockMs = Date.UTC(2026, 0, 15, 12);
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ now: () => new Date(clockMs) });
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

const problems = () => sandbox.violations().flatMap((one) => one.violations);
const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

const ipqs = { 'IPQS-KEY': credentials.ipqsKey };
const twilio = { authorization: basic(credentials.twilioAccountSid, credentials.twilioAuthToken) };
const codes = `/v2/Services/${credentials.twilioServiceSid}`;
const to = '+12125550101';
const sms = { To: to, Channel: 'sms' };
const phone = { phone: '2125550101', 'country[]': 'US' };
const buyers = { oid: '81', affid: '1', sub_id: '1', ef_transaction_id: 'abc', zip_code: '90210' };
const exchange = {
  project: 'MVA',
  zipCode: '90210',
  ipAddress: '192.0.2.1',
  userAgent: 'Mozilla/5.0',
  tf: '',
  leadId: 'lead-1',
};

type Fields = Record<string, string>;
/** Malformed forms. Each row has path, fields, headers, expected status and expected violation. */
const refusedForms: readonly (readonly [string, Fields, Fields, number, string])[] = [
  ['/api/json/phone', phone, {}, 200, 'IPQS-KEY: missing'],
  ['/api/json/phone', { phone: '212-555-0101' }, ipqs, 200, 'phone: expected 10 digits'],
  ['/api/json/phone?phone=2125550101', {}, ipqs, 200, 'query: expected none'],
  [`${codes}/Verifications`, { ...sms, To: '212' }, twilio, 400, 'To: expected an E.164 number'],
  [
    `${codes}/Verifications`,
    sms,
    { authorization: basic('AC0', 'x') },
    401,
    'authorization: wrong',
  ],
  ['/gibberish', { words: 'x' }, {}, 400, 'body: expected form data with text'],
  [credentials.automationPath, { lead_id: '1', lp_key: 'x' }, {}, 400, 'lp_key: unknown field'],
];

it.each(refusedForms)(
  '%s refuses the form %j',
  async (path, fields, headers, status, violation) => {
    const answer = await postForm(sandbox.url + path, fields, headers);
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.body).toMatchObject({ success: false });
    expect(problems()).toContain(violation);
    expect([sandbox.codes(), sandbox.effects('automation')]).toEqual([[], []]);
  },
);

it.each([
  [credentials.slackPath, { text: 'x', channel: '#all' }, 'channel: unknown field'],
  ['/exchange/lead-data', { ...exchange, project: 'mva' }, 'project: expected "MVA"'],
  ['/inbound/get-mappings', { affid: '1', oid: 81 }, 'affid: expected number'],
  ['/buyers/get-available', { ...buyers, zip_code: undefined }, 'zip_code: missing'],
  ['/estimated-settlement-value', { email: 'a@b.c' }, 'email: unknown field'],
  ['/api/save-data', { session: 's' }, 'data: missing'],
  ['/lead-verification', { zip_code: '90210' }, 'ip_address: missing'],
])('the service at %s answers 400 to an invalid body', async (path, body, violation) => {
  expect((await postJson(sandbox.url + path, body)).status).toBe(400);
  expect(problems()).toContain(violation);
});

it.each([
  ['/us/9021', 404, 'zip: expected 5 digits'],
  ['/check-affid-pre/1/101', 400, 'path: expected digits and 0 to 100'],
  ['/clk?oid=81&affid=1&sub1=maria%40example.com', 400, 'sub1: looks like an e-mail address'],
  [`/campaign/${credentials.leadidCampaign}.js?lead=1`, 400, 'query: expected snippet_version=2'],
  ['/pixels/injury.js?injury=Yes', 400, 'query: expected none'],
  ['/partner?affid=1&email=maria%40example.com', 200, 'email: unknown field'],
])(
  'the sandbox records the invalid request GET %s as a violation',
  async (path, status, violation) => {
    expect((await get(sandbox.url + path)).status).toBe(status);
    expect(problems()).toEqual([violation]);
  },
);

it.each([
  ['phone', '8885550101', { success: true, line_type: 'Toll Free' }],
  ['phone', '2125550001', { success: false, message: invalidNumberMessage }],
  ['phone', '2125550002', { valid: true, active: false }],
  ['email', 'invalid+x@example.com', { valid: false, dns_valid: true }],
  ['email', 'a@mailinator.com', { valid: true, disposable: true }],
])(
  'the stand-in for IPQualityScore returns the special answer for a special value',
  async (what, value, expected) => {
    const { body } = await postForm(`${sandbox.url}/api/json/${what}`, { [what]: value }, ipqs);
    expect(body).toMatchObject(expected);
    expect(problems()).toEqual([]);
    expect(JSON.stringify(sandbox.received())).not.toContain(credentials.ipqsKey);
  },
);

it('the stand-in for a webhook takes the event of a return', async () => {
  const { WEBHOOK_URL = '', WEBHOOK_SECRETS = '' } = standIns[0]?.settings?.(sandbox.url) ?? {};
  const id = '018f2b5e-7c1a-7000-8000-000000000001';
  const sale = { lead_id: id, is_test: false, delivery_id: id, destination: 'ingest' };
  const data = { ...sale, value: 90, currency: 'USD', reason: 'wrong_case', is_kept: false };
  const now = new Date();
  const body = JSON.stringify({ type: 'lead.returned', timestamp: now.toISOString(), data });
  const answer = await postJson(WEBHOOK_URL, body, {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Webhook(WEBHOOK_SECRETS).sign(id, now, body),
  });
  expect([answer.status, problems()]).toEqual([204, []]);
});

describe('the stand-in for Twilio Verify', () => {
  const start = () => postForm(`${sandbox.url}${codes}/Verifications`, sms, twilio);
  const verify = (Code: string, number = to) =>
    postForm(`${sandbox.url}${codes}/VerificationCheck`, { To: number, Code }, twilio);
  const sentCode = () => sandbox.codes().at(-1)?.code ?? '';

  it('sends the same code at most five times within ten minutes', async () => {
    for (let send = 1; send <= 5; send += 1) expect((await start()).status).toBe(201);
    expect(new Set(sandbox.codes().map((one) => one.code)).size).toBe(1);
    expect(await start()).toMatchObject({ status: 429, body: { code: 60203 } });
    clockMs += 10 * minuteMs;
    expect((await start()).status).toBe(201);
  });

  it('accepts a code only for the phone number that received the code', async () => {
    await start();
    const another = await verify(sentCode(), '+12125550102');
    expect(another).toMatchObject({ status: 404, body: { code: 20404 } });
    expect(await verify(sentCode())).toMatchObject({ status: 200, body: { status: 'approved' } });
  });
});
