/** Tests Washington's authorization without JavaScript, in a real database and the sandbox. */
import { expect, test, vi } from 'vitest';
import { release } from '../../src/server/delivery/release.ts';
import { revisionEntries } from '../../src/server/evidence/entries.ts';
import { builtSiteForTests } from '../support/built-site.ts';
import { sandboxAccount } from '../support/delivery.ts';
import { shortFormAt } from '../support/plain-walk.ts';
import { saleRules } from '../support/sale-rules.ts';
import { sandboxForTests } from '../support/sandbox-http.ts';

const firm = 'Smith & Sons LLP, 1200 Third Ave, Seattle';
const outside = sandboxForTests();
const site = builtSiteForTests(() => {
  const { campaignId, supplierId, key } = sandboxAccount(outside.sandbox);
  return {
    EVIDENCE_RECIPIENTS: JSON.stringify({ ingest: firm }),
    DELIVERY_CONCURRENCY: undefined,
    INGEST_URL: outside.sandbox.url,
    INGEST_CAMPAIGN_ID: campaignId,
    INGEST_SUPPLIER_ID: supplierId,
    INGEST_KEY: key,
    OUTGOING_PRIVATE_NETWORKS: 'allow',
  };
});
const contact = { phone: '(206) 555-0123', zip_code: '98101' };

test('a visitor in Washington signs before the lead is sent', async () => {
  const browser = await shortFormAt(site.server.url, 'PhoneAndZip');
  await browser.press(undefined, contact);
  expect([browser.step, browser.text('h1')]).toEqual([
    'PhoneAndZip',
    'May we sell your health answers to a law firm?',
  ]);
  expect(browser.text('[data-step]')).toContain(`Buyer: ${firm}.`);
  await browser.press(['go', 'back']);
  expect([browser.value('phone'), browser.value('zip_code')]).toEqual(['(206) 555-0123', '98101']);
  await browser.press(undefined, contact);
  const text = browser.value('health_authorization_text');
  await browser.press(['health_authorization', 'yes']);
  expect(browser.url).toContain('/survey-thank-you');
  const { leadId } = browser;
  const { lead, last } = await site.leadOf(leadId);
  expect(lead).toMatchObject({ state: 'accepted', ip: '127.0.0.1' });
  const stored = last?.body as Record<string, string>;
  expect(stored.health_authorization).toBe('yes');
  expect(stored.health_authorization_text?.replaceAll('\r\n', '\n')).toBe(text);
  // The evidence log has the text as it was shown.
  const [entry] = await revisionEntries(site.database.pool, [{ ref: leadId, number: 1 }]);
  expect(JSON.parse(`${entry?.bytes}`)).toMatchObject({
    address: '127.0.0.1',
    health_authorization: 'yes',
    health_authorization_text: stored.health_authorization_text,
  });
  await vi.waitFor(async () =>
    expect((await site.leadOf(leadId)).deliveries).toMatchObject([{ state: 'delivered' }]),
  );
  const [effect] = outside.sandbox.effects().filter(({ key }) => key === leadId);
  expect(JSON.stringify(effect?.detail)).not.toMatch(/health_authorization|RCW/);
});

test('the lead of a visitor who says no is held and cannot be released', async () => {
  const browser = await shortFormAt(site.server.url, 'PhoneAndZip');
  await browser.press(undefined, { ...contact, phone: '(206) 555-0124' });
  await browser.press(['health_authorization', 'no']);
  expect(new URL(browser.last?.url ?? '').hash).toBe('#state-WA');
  expect(browser.text('#state-WA')).toContain(
    'Without your signature, no law firm gets your answers.',
  );
  const { leadId } = browser;
  const { lead, last, deliveries } = await site.leadOf(leadId);
  expect(lead?.state).toBe('held');
  expect(last?.problems).toContainEqual({ problem: 'held', reason: 'no_authorization' });
  expect(deliveries).toMatchObject([{ destination: 'ingest', state: 'held' }]);
  const released = release(site.database.pool, leadId, { actor: 'tester' }, saleRules);
  await expect(released).rejects.toThrow('did not authorize sharing health answers');
});

test('a visitor elsewhere is not asked', async () => {
  const browser = await shortFormAt(site.server.url, 'PhoneAndZip');
  await browser.press(undefined, { phone: '(503) 555-0125', zip_code: '97201' });
  expect(browser.url).toContain('/survey-thank-you');
  expect((await site.leadOf(browser.leadId)).lead?.state).toBe('accepted');
});
