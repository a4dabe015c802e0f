import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { prepared, sendRequest, valuesOf } from '../../../../tests/support/send-request.ts';
import type { OutgoingRequest } from '../../platform/outgoing-http.ts';
import type { SendRequest } from './destination.ts';
import type { TimedEvent } from './event.ts';
import { microsoft } from './microsoft.ts';

const TOKENS = 'https://tokens.example/token';
const environment: Record<string, string | undefined> = {
  MICROSOFT_ADS_DEVELOPER_TOKEN: 'the-developer-token',
  MICROSOFT_ADS_CUSTOMER_ID: '31',
  MICROSOFT_ADS_ACCOUNT_ID: '41',
  MICROSOFT_ADS_CLIENT_ID: '00000000-0000-4000-8000-000000000009',
  MICROSOFT_ADS_CLIENT_SECRET: 'the-client-secret',
  MICROSOFT_ADS_REFRESH_TOKEN: 'refresh-0',
  MICROSOFT_ADS_GOALS: 'lead.accepted=Lead,lead.sold=Purchase',
  MICROSOFT_ADS_URL: 'https://campaign.example',
  MICROSOFT_ADS_TOKEN_URL: TOKENS,
};

const now = Date.now();
const ago = (hours: number) => new Date(now - hours * 3_600_000);
const sold: TimedEvent = {
  type: 'lead.sold',
  delivery_id: '0193bbbb-3333-7333-8333-333333333333',
  destination: 'ingest',
  value: 90.5,
  currency: 'USD',
  at: ago(30).toISOString(),
};
const returned: TimedEvent = { ...sold, type: 'lead.returned', at: ago(2).toISOString() };
const ad = { clickIds: { msclkid: 'the-msclkid' }, states: ['TX'] };
const saleAd = { ...ad, soldAt: ago(480) };
const applied = { PartialErrors: [] };

/** Connects the destination to an API that gives the answers. */
function connected(answers: (readonly [number, unknown])[] = [], changes = {}) {
  const calls: OutgoingRequest[] = [];
  const used: (string | null)[] = [];
  const http = {
    async request(call: OutgoingRequest) {
      const about = { headers: {}, truncated: false, durationMs: 3 };
      if (call.url === TOKENS) {
        const form = new URLSearchParams(call.body);
        used.push(form.get('refresh_token'));
        const refresh_token = `refresh-${used.length}`;
        const body = { access_token: `token-${used.length}`, refresh_token, expires_in: 3_600 };
        return { ...about, status: 200, text: JSON.stringify(body) };
      }
      calls.push(call);
      const [status, body] = answers.shift() ?? [200, applied];
      return { ...about, status, text: typeof body === 'string' ? body : JSON.stringify(body) };
    },
    close: async () => undefined,
  };
  const values = valuesOf(microsoft, { ...environment, ...changes });
  const destination = microsoft.connect(values, http);
  const send = (more: Partial<SendRequest> = {}) =>
    prepared(destination, { event: sold, ad, ...more }).send();
  return { calls, used, destination, http, values, send };
}

test('a sale is an offline conversion with the click id, a goal, the time and the value', async () => {
  const { calls, send } = connected();
  expect(await send()).toMatchObject({ outcome: 'delivered' });
  expect(calls).toMatchObject([
    {
      method: 'POST',
      url: 'https://campaign.example/CampaignManagement/v13/OfflineConversions/Apply',
      headers: {
        authorization: 'Bearer token-1',
        'content-type': 'application/json',
        DeveloperToken: 'the-developer-token',
        CustomerId: '31',
        CustomerAccountId: '41',
      },
    },
  ]);
  expect(calls[0]?.body).toBe(
    `{"OfflineConversions":[{"ConversionName":"Purchase","ConversionTime":"${sold.at}",` +
      '"MicrosoftClickId":"the-msclkid","ConversionValue":90.5,"ConversionCurrencyCode":"USD"}]}',
  );
});

test('a return retracts the conversion of its sale', async () => {
  const { calls, send } = connected();
  expect(await send({ event: returned, ad: saleAd })).toMatchObject({ outcome: 'delivered' });
  expect(calls[0]?.url).toContain('/v13/OfflineConversionAdjustments/Apply');
  expect(calls[0]?.body).toBe(
    `{"OfflineConversionAdjustments":[{"AdjustmentType":"Retract","AdjustmentTime":"${returned.at}",` +
      `"ConversionName":"Purchase","ConversionTime":"${saleAd.soldAt.toISOString()}","MicrosoftClickId":"the-msclkid"}]}`,
  );
});

test('an event waits until an hour after the click, when Microsoft knows the click', () => {
  const { destination } = connected();
  const event = { ...sold, at: ago(0.5).toISOString() };
  const result = destination.prepare(sendRequest({ event, ad }));
  expect(result).toMatchObject({ outcome: 'later' });
  const { retryAfterMs = 0 } = 'send' in result ? {} : result;
  expect(retryAfterMs).toBeGreaterThan(20 * 60_000);
  expect(retryAfterMs).toBeLessThanOrEqual(30 * 60_000);
});

test.each([
  [{ event: { ...sold, at: ago(91 * 24).toISOString() } }, /91.0 days old/],
  [{ event: returned, ad: { ...ad, soldAt: ago(91 * 24) } }, /changes a sale for 90 days/],
])('an event that is too old for Microsoft is refused here: %j', (changes, error) => {
  const result = connected().destination.prepare(sendRequest({ ad, ...changes }));
  expect(result).toMatchObject({ outcome: 'rejected', error: expect.stringMatching(error) });
});

const errors = (Code: number, ErrorCode: string, list = 'PartialErrors') => ({
  [list]: [null, { Code, ErrorCode, Message: 'about ana@mail.example' }],
});

test.each([
  [200, errors(5604, 'OfflineConversionMicrosoftClickIdInvalid'), 'rejected'],
  [200, errors(5609, 'OfflineConversionTimeOutOfWindow'), 'rejected'],
  [200, errors(0, 'InternalError'), 'retry'],
  [200, errors(117, 'CallRateExceeded'), 'retry'],
  [200, errors(5606, 'OfflineConversionNameInvalid'), 'account'],
  [200, errors(9999, 'OfflineConversionGoalTooRecent'), 'retry'],
  [400, errors(105, 'InvalidCredentials', 'Errors'), 'account'],
  [500, errors(0, 'InternalError', 'OperationErrors'), 'retry'],
  [400, errors(201, 'ApiInputValidationError', 'BatchErrors'), 'rejected'],
  [401, {}, 'account'],
  [403, 'no', 'failed'],
  [429, {}, 'retry'],
  [503, 'no', 'retry'],
  [500, 'no', 'server_error'],
  [200, 'no', 'unknown'],
  [200, {}, 'unknown'],
  [200, { PartialErrors: null }, 'delivered'],
])('HTTP %d with %j has the outcome %s', async (status, body, outcome) => {
  const { send } = connected([
    [status, body],
    [status, body],
  ]);
  const { response: _, ...result } = await send();
  expect(result).toMatchObject({ outcome });
  expect(JSON.stringify(result)).not.toContain('ana@');
});

test('an expired token is replaced at the next attempt', async () => {
  const { calls, used, send } = connected([
    [200, applied],
    [400, errors(109, 'AuthenticationTokenExpired', 'Errors')],
  ]);
  await send();
  expect(await send()).toMatchObject({ outcome: 'account' });
  expect(await send()).toMatchObject({ outcome: 'delivered' });
  expect(used).toEqual(['refresh-0', 'refresh-1']);
  expect(calls.map(({ headers }) => headers?.authorization)).toEqual(
    ['token-1', 'token-1', 'token-2'].map((token) => `Bearer ${token}`),
  );
});

test('the newest refresh token outlives a restart, until the setting is replaced', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'microsoft-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const MICROSOFT_ADS_TOKEN_FILE = path.join(folder, 'token');
  const usedAfterStart = async (changes = {}) => {
    const { used, send } = connected([], { MICROSOFT_ADS_TOKEN_FILE, ...changes });
    expect(await send()).toMatchObject({ outcome: 'delivered' });
    return used;
  };
  expect(await usedAfterStart()).toEqual(['refresh-0']);
  expect((await stat(MICROSOFT_ADS_TOKEN_FILE)).mode & 0o777).toBe(0o600);
  expect(await readFile(MICROSOFT_ADS_TOKEN_FILE, 'utf8')).not.toContain('refresh-0');
  expect(await usedAfterStart()).toEqual(['refresh-1']);
  const MICROSOFT_ADS_REFRESH_TOKEN = 'refresh-new';
  expect(await usedAfterStart({ MICROSOFT_ADS_REFRESH_TOKEN })).toEqual(['refresh-new']);
});

test('a token file that cannot be written pauses the destination', async () => {
  const { calls, send } = connected([], { MICROSOFT_ADS_TOKEN_FILE: '/dev/null/token' });
  expect(await send()).toMatchObject({
    outcome: 'account',
    account: { settings: expect.arrayContaining(['MICROSOFT_ADS_TOKEN_FILE']) },
  });
  expect(calls).toEqual([]);
});
