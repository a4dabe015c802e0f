import { generateKeyPairSync } from 'node:crypto';
import { decodeJwt, jwtVerify } from 'jose';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { prepared, sendRequest, valuesOf } from '../../../../tests/support/send-request.ts';
import type { OutgoingRequest } from '../../platform/outgoing-http.ts';
import type { SendRequest } from './destination.ts';
import type { TimedEvent } from './event.ts';
import { google } from './google.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const TOKENS = 'https://tokens.example/token';
const environment = {
  GOOGLE_ADS_KEY: JSON.stringify({
    client_email: 'ads@project.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    token_uri: TOKENS,
  }),
  GOOGLE_ADS_ACCOUNT: '123-456-7890',
  GOOGLE_ADS_CONVERSIONS: 'lead.accepted=71, lead.sold=72',
  GOOGLE_ADS_URL: 'https://datamanager.example',
};
const values = valuesOf(google, environment);

const now = Date.now();
const ago = (days: number) => new Date(now - days * 86_400_000);
const sold: TimedEvent = {
  type: 'lead.sold',
  delivery_id: '0193bbbb-3333-7333-8333-333333333333',
  destination: 'ingest',
  value: 90.5,
  currency: 'USD',
  at: ago(1).toISOString(),
};
const returned: TimedEvent = { ...sold, type: 'lead.returned', at: ago(0).toISOString() };
const clickIds = { gbraid: 'the-gbraid', gclid: 'the-gclid' };
const ad = { clickIds, states: ['TX'] };
const saleAd = { ...ad, soldAt: ago(20) };

/** Connects the destination to an API that gives the answers. */
function connected(...answers: (readonly [number, unknown])[]) {
  const calls: OutgoingRequest[] = [];
  const http = {
    async request(call: OutgoingRequest) {
      calls.push(call);
      const isToken = call.url === TOKENS;
      const [status, body] = isToken
        ? [200, { access_token: 'the-token', expires_in: 3_600 }]
        : (answers.shift() ?? [500, {}]);
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return { status, headers: {}, text, truncated: false, durationMs: 3 };
    },
    close: async () => undefined,
  };
  const destination = google.connect(values, http);
  const send = (changes: Partial<SendRequest> = {}) =>
    prepared(destination, { event: sold, ad, ...changes }).send();
  return { calls, destination, http, send };
}

test('an event is sent with a signed token, one click id, our id and no personal value', async () => {
  const { calls, send } = connected([200, { requestId: 'r1' }]);
  expect(await send()).toMatchObject({
    outcome: 'later',
    externalId: 'r1',
    retryAfterMs: 1_800_000,
  });
  const [token, ingest] = calls;
  const assertion = new URLSearchParams(token?.body).get('assertion') ?? '';
  const { payload } = await jwtVerify(assertion, publicKey);
  expect(payload).toMatchObject({
    iss: 'ads@project.iam.gserviceaccount.com',
    aud: TOKENS,
    scope: 'https://www.googleapis.com/auth/datamanager',
  });
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3_600);
  expect(decodeJwt(assertion).sub).toBeUndefined();
  expect(ingest).toMatchObject({
    method: 'POST',
    url: 'https://datamanager.example/v1/events:ingest',
    headers: { authorization: 'Bearer the-token', 'content-type': 'application/json' },
  });
  expect(ingest?.body).toBe(
    '{"destinations":[{"operatingAccount":{"accountType":"GOOGLE_ADS","accountId":"1234567890"},' +
      '"productDestinationId":"72"}],' +
      `"events":[{"transactionId":"${sold.delivery_id}","eventTimestamp":"${sold.at}","eventSource":"WEB",` +
      '"adIdentifiers":{"gclid":"the-gclid"},"currency":"USD","conversionValue":90.5}]}',
  );
});

test('an accepted lead has no value, and a return sets the value of its sale to 0', () => {
  const { destination } = connected();
  const eventOf = (changes: Partial<SendRequest>) =>
    JSON.parse(prepared(destination, { event: sold, ad, ...changes }).body);
  const accepted = { type: 'lead.accepted', revision: 1, at: sold.at } as const;
  const only = { ...ad, clickIds: { wbraid: 'the-wbraid' } };
  expect(eventOf({ event: accepted, ad: only })).toMatchObject({
    destinations: [{ productDestinationId: '71' }],
    events: [{ transactionId: sendRequest().leadId, adIdentifiers: { wbraid: 'the-wbraid' } }],
  });
  expect(eventOf({ event: accepted, ad: only }).events[0]).not.toHaveProperty('currency');
  expect(eventOf({ event: returned, ad: saleAd })).toMatchObject({
    destinations: [{ productDestinationId: '72' }],
    events: [
      {
        transactionId: sold.delivery_id,
        eventTimestamp: saleAd.soldAt.toISOString(),
        conversionValue: 0,
      },
    ],
  });
});

test.each([
  [{ event: { ...sold, at: ago(91).toISOString() } }, /91.0 days old, and Google Ads takes/],
  [{ event: returned, ad: { ...ad, soldAt: ago(55) } }, /Google Ads changes a sale for 54 days/],
])('an event that is too old for Google is refused here: %j', (changes, error) => {
  const result = connected().destination.prepare(sendRequest({ ad, ...changes }));
  expect(result).toMatchObject({ outcome: 'rejected', error: expect.stringMatching(error) });
});

const details = (...all: unknown[]) => ({ error: { code: 400, details: all } });
const violation = (reason: string, field: string) => ({ fieldViolations: [{ field, reason }] });

test.each([
  [
    400,
    details({ reason: 'INVALID_ARGUMENT' }, violation('INVALID_FORMAT', 'events[0].x')),
    'rejected',
    'INVALID_FORMAT',
  ],
  [
    400,
    details({ reason: 'INVALID_CONVERSION_ACTION_ID' }),
    'account',
    'INVALID_CONVERSION_ACTION_ID',
  ],
  [401, {}, 'account', undefined],
  [403, details({ reason: 'PERMISSION_DENIED' }), 'account', 'PERMISSION_DENIED'],
  [404, {}, 'failed', undefined],
  [429, {}, 'retry', undefined],
  [500, {}, 'server_error', undefined],
  [503, {}, 'retry', undefined],
  [200, {}, 'unknown', undefined],
])('HTTP %d with %j to an event has the outcome %s', async (status, body, outcome, code) => {
  const { send } = connected([status, body], [status, body]);
  const result = await send();
  expect(result).toMatchObject({ outcome });
  expect(result.code).toBe(code);
});

const resultOf = (requestStatus: string, reason?: string) => ({
  requestStatusPerDestination: [
    {
      requestStatus,
      ...(reason && { errorInfo: { errorCounts: [{ recordCount: '1', reason }] } }),
    },
  ],
});

test.each([
  [resultOf('SUCCESS'), { outcome: 'delivered', message: 'Google Ads took the event' }],
  [resultOf('PROCESSING'), { outcome: 'later', retryAfterMs: 1_800_000 }],
  [
    resultOf('FAILED', 'PROCESSING_ERROR_REASON_EVENT_TOO_OLD'),
    {
      outcome: 'rejected',
      code: 'EVENT_TOO_OLD',
      message: 'Google Ads refused the event: EVENT_TOO_OLD',
    },
  ],
  [
    resultOf('FAILED', 'PROCESSING_ERROR_OPERATING_ACCOUNT_MISMATCH_FOR_AD_IDENTIFIER'),
    { outcome: 'rejected', code: 'OPERATING_ACCOUNT_MISMATCH_FOR_AD_IDENTIFIER' },
  ],
  [
    resultOf('FAILED', 'PROCESSING_ERROR_REASON_DUPLICATE_TRANSACTION_ID'),
    { outcome: 'duplicate' },
  ],
  [resultOf('PARTIAL_SUCCESS'), { outcome: 'rejected', code: 'UNSPECIFIED' }],
  [{}, { outcome: 'unknown' }],
])('the result %j of an earlier request is the result of the event', async (body, expected) => {
  const { calls, send } = connected([200, body]);
  expect(await send({ externalId: 'r/1' })).toMatchObject(expected);
  expect(calls[1]).toMatchObject({
    method: 'GET',
    url: 'https://datamanager.example/v1/requestStatus:retrieve?requestId=r%2F1',
  });
  expect(calls[1]).not.toHaveProperty('body');
});

test('an event that Google lost by its own error is sent again', async () => {
  const lost = resultOf('FAILED', 'PROCESSING_ERROR_REASON_INTERNAL_ERROR');
  const { send } = connected([200, lost]);
  expect(await send({ externalId: 'r1' })).toMatchObject({ outcome: 'retry', externalId: '' });
});

test('a taken return says that the conversion itself stays', async () => {
  const { send } = connected([200, resultOf('SUCCESS')]);
  const { outcome, message } = await send({ event: returned, externalId: 'r1' });
  expect([outcome, message]).toEqual([
    'delivered',
    'The value is now 0: the API takes back a value, but not a conversion',
  ]);
});

test.each([
  [
    'GOOGLE_ADS_KEY',
    '{"client_email":"a@b.c","private_key":"no key","token_uri":"https://x.example"}',
  ],
  ['GOOGLE_ADS_KEY', '/run/secrets/key.json'],
  ['GOOGLE_ADS_ACCOUNT', '12345'],
  ['GOOGLE_ADS_CONVERSIONS', 'lead.sold=Purchase'],
  ['GOOGLE_ADS_CONVERSIONS', 'lead.returned=72'],
])('the setting %s is not %s', (name, value) => {
  const { read } = google.variables[name] ?? {};
  expect(read && v.safeParse(read, value).success).toBe(false);
});
