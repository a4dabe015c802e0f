import { describe, expect, it } from 'vitest';
import { prepared, sendRequest } from '../../../../tests/support/send-request.ts';
import type { OutgoingRequest } from '../../platform/outgoing-http.ts';
import { trustedform } from './trustedform.ts';

const values = {
  TRUSTEDFORM_API_KEY: 'the-api-key',
  TRUSTEDFORM_ORIGINS: ['https://cert.trustedform.com'],
  TRUSTEDFORM_VENDOR: 'Claim Guide',
  TRUSTEDFORM_TIMEOUT_MS: 5_000,
};
const id = '0123456789abcdef'.repeat(3).slice(8);
const certificate = `https://cert.trustedform.com/${id}`;
const fields = {
  email: 'ana@mail.example',
  phone: '5125550123',
  trustedform_cert_url: certificate,
};

const calls: OutgoingRequest[] = [];
function connected(text = '{"outcome":"success"}', changes: Partial<typeof values> = {}) {
  calls.length = 0;
  return trustedform.connect(
    { ...values, ...changes },
    {
      async request(call) {
        calls.push(call);
        return { status: 201, headers: {}, text, truncated: false, durationMs: 3 };
      },
      close: async () => undefined,
    },
  );
}

it('payload version 1 is posted to the certificate’s URL with the expected bytes', async () => {
  const toSend = prepared(connected(), { fields });
  expect(await toSend.send()).toMatchObject({ outcome: 'delivered' });
  const body =
    '{"match_lead":{"email":"ana@mail.example","phone":"5125550123"},' +
    '"retain":{"reference":"01939999-1111-7111-8111-111111111111","vendor":"Claim Guide"}}';
  expect(calls).toEqual([
    {
      method: 'POST',
      url: certificate,
      headers: {
        authorization: `Basic ${Buffer.from('API:the-api-key').toString('base64')}`,
        'api-version': '4.0',
        'content-type': 'application/json',
        accept: 'application/json',
      },
      body,
      timeoutMs: 5_000,
    },
  ]);
});

describe('the URL of a certificate', () => {
  it.each([
    `https://cert.trustedform.com.evil.example/${id}`,
    `https://evil.example/cert.trustedform.com/${id}`,
    `http://cert.trustedform.com/${id}`,
    `https://cert.trustedform.com:8443/${id}`,
    `https://user@cert.trustedform.com/${id}`,
    `https://cert.trustedform.com@evil.example/${id}`,
    'http://169.254.169.254/latest',
    'https://cert.trustedform.com/accounts',
    `https://cert.trustedform.com/accounts/${id}`,
    `https://cert.trustedform.com/${id}/..`,
    'javascript:alert(1)',
    'x',
  ])('is rejected without a call if the URL is invalid', (trustedform_cert_url) => {
    const request = sendRequest({ fields: { ...fields, trustedform_cert_url } });
    expect(connected().prepare(request)).toMatchObject({ outcome: 'rejected' });
    expect(calls).toEqual([]);
  });

  it('is called without query and fragment', async () => {
    const trustedform_cert_url = `${certificate}?to=elsewhere#x`;
    await prepared(connected(), { fields: { ...fields, trustedform_cert_url } }).send();
    expect(calls[0]?.url).toBe(certificate);
  });
});

it.each([
  ['{"outcome":"success","match_lead":{"result":{"success":false}}}', 'rejected'],
  ['{"outcome":"failure","reason":"no match"}', 'rejected'],
  ['{"outcome":"error","reason":"odd"}', 'rejected'],
  ['{"outcome":"maybe"}', 'unknown'],
  ['[]', 'unknown'],
  ['', 'unknown'],
])('the retention answer "%s" does not count as delivered', async (text, outcome) => {
  expect(await prepared(connected(text), { fields }).send()).toMatchObject({ outcome });
});
