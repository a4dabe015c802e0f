import { expect, test } from 'vitest';
import { sandboxForTests } from '../../../tests/support/sandbox-http.ts';
import { createIngest } from './ingest.ts';

const outside = sandboxForTests();

function ingest(timeoutMs = 2_000) {
  const { lpCampaignId, lpSupplierId, lpKey } = outside.sandbox.credentials;
  return createIngest({
    http: outside.http,
    baseUrl: `${outside.sandbox.url}/`,
    credentials: { campaignId: lpCampaignId, supplierId: lpSupplierId, key: lpKey },
    timeoutMs,
  });
}

const lead = {
  leadId: '0198a000-0000-7000-8000-000000000001',
  isTest: false,
  payloadVersion: 1,
  fields: {
    first_name: 'Ana',
    last_name: 'Diaz',
    email: 'ana@example.com',
    phone: '5125550123',
    sub_id: 'x'.repeat(100),
  },
};

test('a lead is taken once, in the format that the service asks for', async () => {
  expect(await ingest().send(lead)).toMatchObject({ outcome: 'delivered', httpStatus: 200 });
  expect(await ingest().send(lead)).toMatchObject({ outcome: 'duplicate' });
  expect(outside.sandbox.effects()).toHaveLength(1);
  expect(outside.sandbox.violations()).toEqual([]);
});

test('a lead that the service refuses is rejected', async () => {
  const result = await ingest().send({ ...lead, fields: { ...lead.fields, phone: '555' } });
  expect(result).toMatchObject({ outcome: 'rejected' });
  expect(outside.sandbox.effects()).toEqual([]);
});

test('the key is not in what is kept of an answer', async () => {
  const { lpKey } = outside.sandbox.credentials;
  const result = await ingest().send(lead);
  expect(JSON.stringify(result)).not.toContain(lpKey);
});

test.each([
  ['timeout', 'unknown'],
  ['reset', 'unknown'],
  ['500', 'unknown'],
  ['429', 'retry'],
  ['garbage', 'unknown'],
  ['redirect', 'retry'],
  ['410', 'failed'],
  ['duplicate', 'duplicate'],
  ['accept_then_hang', 'unknown'],
  ['accept_then_reset', 'unknown'],
] as const)('%s is %s', async (mode, outcome) => {
  outside.sandbox.fail({ service: 'ingest', mode, times: 1 });
  expect((await ingest(150).send(lead)).outcome).toBe(outcome);
});

test('a payload version that is not known is final and sends nothing', async () => {
  expect((await ingest().send({ ...lead, payloadVersion: 99 })).outcome).toBe('failed');
  expect(outside.sandbox.received('ingest')).toEqual([]);
});

test('an address that is none is refused at once', () => {
  const credentials = { campaignId: '1', supplierId: '1', key: 'x' };
  for (const baseUrl of ['ftp://example.com', 'example']) {
    expect(() => createIngest({ http: outside.http, baseUrl, credentials })).toThrow();
  }
});
