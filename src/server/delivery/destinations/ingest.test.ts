import { expect, test } from 'vitest';
import { prepared, sendRequest } from '../../../../tests/support/send-request.ts';
import type { OutgoingHttp } from '../../platform/outgoing-http.ts';
import { ingest } from './lead-prosper.ts';

const values = {
  INGEST_URL: 'https://ingest.example/',
  INGEST_CAMPAIGN_ID: 'own',
  INGEST_SUPPLIER_ID: 'own',
  INGEST_KEY: 'own-key',
  INGEST_TIMEOUT_MS: 2_000,
  INGEST_ACCOUNT_CODES: ['1002', '4711'],
};
const notCalled: OutgoingHttp = {
  request: () => Promise.reject(new Error('not called')),
  close: async () => undefined,
};
const lead = sendRequest({
  fields: {
    first_name: 'Ana',
    last_name: 'Diaz',
    email: 'ana@example.com',
    phone: '5125550123',
    sub_id: 'x'.repeat(100),
  },
});

test('a delivery fails without a call to the service if its payload version is unknown', () => {
  const refused = ingest.connect(values, notCalled).prepare({ ...lead, payloadVersion: 99 });
  expect(refused).toMatchObject({ outcome: 'failed', error: expect.stringContaining('99') });
});

test('a delivery fails without a call to the service if its account has no settings', () => {
  const refused = ingest.connect(values, notCalled).prepare({ ...lead, account: 'gone/gone' });
  expect(refused).toMatchObject({ outcome: 'failed', error: expect.stringContaining('gone/gone') });
});

test('a delivery is sent with the mapped account only if the delivery names this account', () => {
  const mappedAccount = { campaignId: '7', supplierId: '8', key: 'mapped-key' };
  const destination = ingest.connect(values, notCalled);
  expect(destination.account).toBe('own/own');
  const bodyFor = (account: string) =>
    JSON.parse(prepared(destination, { ...lead, account, mappedAccount }).body);
  expect(bodyFor('own/own')).toMatchObject({ lp_campaign_id: 'own', lp_key: 'own-key' });
  expect(bodyFor('7/8')).toMatchObject({ lp_campaign_id: '7', lp_key: 'mapped-key' });
});

const details = {
  may_call_from: '08:00',
  may_call_until: '20:00',
  may_call_time_zone: 'America/Denver',
  may_call_on_sunday: 'no',
  call_language: 'Spanish',
  call_time: 'evening',
};
test.each([
  ['keep', 'off', {}],
  ['send', 'off', details],
  ['keep', 'on', { verification: '{}' }],
  ['send', 'on', { verification: '{}', ...details }],
])(
  'with INGEST_CALL_DETAILS %s and the verification %s, the payload has the expected fields',
  (...[INGEST_CALL_DETAILS, INGEST_WITH_VERIFICATION, added]) => {
    const account = 'own/own';
    const plain = prepared(ingest.connect(values, notCalled), { ...lead, account }).body;
    const set = { ...values, INGEST_CALL_DETAILS, INGEST_WITH_VERIFICATION };
    const destination = ingest.connect(set, notCalled);
    const payloadVersion = destination.verifiedPayloadVersion ?? destination.payloadVersion;
    const fields = { ...lead.fields, ...details };
    const { body } = prepared(destination, { ...lead, account, fields, payloadVersion });
    expect(body).toBe(JSON.stringify({ ...JSON.parse(plain), ...added }));
  },
);

const error = (code: number, message: string) => ({ status: 'ERROR', code, message });

test.each([
  ['a missing field', 200, error(1015, 'Validation failed: phone is required'), 'are known'],
  ['a mentioned number', 400, error(1015, 'Lot 1002 is no zip code'), 'are known'],
  ['words about credentials', 200, error(1, 'invalid campaign credentials'), 'credentials'],
  ['a code of the settings', 200, error(4711, 'no'), 'it refuses our account (ERROR 4711)'],
  ['HTTP 403', 403, error(1, 'no'), 'HTTP 403'],
  ['another page', 200, '<html>Welcome</html>', 'not the answer of a lead-ingest service'],
])(
  'the account test reports whether the service accepts our account',
  async (_, status, body, said) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = { status, headers: {}, text, truncated: false, durationMs: 1 };
    const http = { ...notCalled, request: async () => answer };
    expect(await ingest.probe?.(values, http)).toEqual({
      state: said === 'are known' ? 'works' : 'wrong',
      text: expect.stringContaining(said),
    });
  },
);
