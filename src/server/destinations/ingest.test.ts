import { expect, test } from 'vitest';
import { sandboxForTests } from '../../../tests/support/sandbox-http.ts';
import { sendRequest } from '../../../tests/support/send-request.ts';
import type { SendRequest, SendResult } from './destination.ts';
import { createIngest } from './ingest.ts';

const outside = sandboxForTests();

function ingest(timeoutMs = 2_000) {
  const { lpCampaignId, lpSupplierId, lpKey } = outside.sandbox.credentials;
  return createIngest({
    http: outside.http,
    baseUrl: `${outside.sandbox.url}/`,
    account: { campaignId: lpCampaignId, supplierId: lpSupplierId, key: lpKey },
    timeoutMs,
  });
}

/** Prepares and sends a request, as a worker does. */
async function send(more: Partial<SendRequest> = {}, timeoutMs?: number): Promise<SendResult> {
  const destination = ingest(timeoutMs);
  const prepared = destination.prepare({ ...lead, account: destination.account, ...more });
  return 'outcome' in prepared ? prepared : prepared.send();
}

const lead = sendRequest({
  leadId: '0198a000-0000-7000-8000-000000000001',
  fields: {
    first_name: 'Ana',
    last_name: 'Diaz',
    email: 'ana@example.com',
    phone: '5125550123',
    sub_id: 'x'.repeat(100),
  },
});

test('a lead is accepted once, in the service’s format', async () => {
  expect(await send()).toMatchObject({ outcome: 'delivered', httpStatus: 200 });
  expect(await send()).toMatchObject({ outcome: 'duplicate' });
  expect(outside.sandbox.effects()).toHaveLength(1);
  expect(outside.sandbox.violations()).toEqual([]);
});

test('a lead that the service refuses is rejected', async () => {
  const result = await send({ fields: { ...lead.fields, phone: '555' } });
  expect(result).toMatchObject({ outcome: 'rejected' });
  expect(outside.sandbox.effects()).toEqual([]);
});

test('the recorded answer does not contain the key', async () => {
  const { lpKey } = outside.sandbox.credentials;
  const result = await send();
  expect(JSON.stringify(result)).not.toContain(lpKey);
});

test.each([
  ['timeout', 'unknown'],
  ['reset', 'unknown'],
  ['500', 'server_error'],
  ['429', 'retry'],
  ['garbage', 'unknown'],
  ['redirect', 'retry'],
  ['410', 'failed'],
  ['duplicate', 'duplicate'],
  ['accept_then_hang', 'unknown'],
  ['accept_then_reset', 'unknown'],
] as const)('%s is %s', async (mode, outcome) => {
  outside.sandbox.fail({ service: 'ingest', mode, times: 1 });
  expect((await send({}, 150)).outcome).toBe(outcome);
});

test('an unknown payload version is final and sends nothing', async () => {
  expect((await send({ payloadVersion: 99 })).outcome).toBe('failed');
  expect(outside.sandbox.received('ingest')).toEqual([]);
});

test('an account that is no longer configured is final and sends nothing', async () => {
  const result = await send({ account: 'gone/gone' });
  expect(result.outcome).toBe('failed');
  expect(result.error).toContain('gone/gone');
  expect(outside.sandbox.received('ingest')).toEqual([]);
});

test('the mapped account is used only if the delivery is pinned to it', async () => {
  const { lpCampaignId, lpSupplierId, lpKey } = outside.sandbox.credentials;
  const mappedAccount = { campaignId: lpCampaignId, supplierId: lpSupplierId, key: lpKey };
  const own = { campaignId: 'own', supplierId: 'own', key: 'own-key' };
  const destination = createIngest({
    http: outside.http,
    baseUrl: outside.sandbox.url,
    account: own,
    timeoutMs: 2_000,
  });
  expect(destination.account).toBe('own/own');
  const bodyFor = (account: string) => {
    const prepared = destination.prepare({ ...lead, account, mappedAccount });
    return 'outcome' in prepared ? prepared : JSON.parse(prepared.body);
  };
  expect(bodyFor('own/own')).toMatchObject({ lp_campaign_id: 'own', lp_key: 'own-key' });
  expect(bodyFor(`${lpCampaignId}/${lpSupplierId}`)).toMatchObject({
    lp_campaign_id: lpCampaignId,
    lp_key: lpKey,
  });
});

test('preparing sends nothing, and the prepared bytes are sent unchanged', async () => {
  const destination = ingest();
  const request = { ...lead, account: destination.account };
  const [one, other] = [destination.prepare(request), destination.prepare(request)];
  if ('outcome' in one || 'outcome' in other) throw new Error('nothing was prepared');
  expect(one.body).toBe(other.body);
  expect(outside.sandbox.received('ingest')).toEqual([]);
  await one.send();
  const [received] = outside.sandbox.received('ingest');
  expect(received?.body).toEqual({ ...JSON.parse(one.body), lp_key: '[secret]' });
});

test('a malformed address is refused at once', () => {
  const account = { campaignId: '1', supplierId: '1', key: 'x' };
  for (const baseUrl of ['ftp://example.com', 'example']) {
    expect(() => createIngest({ http: outside.http, baseUrl, account, timeoutMs: 1 })).toThrow();
  }
});
