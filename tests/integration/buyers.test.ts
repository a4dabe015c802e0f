/** Tests buyers from a posted lead to the sandbox, with an account that EXTRA_DESTINATIONS adds. */
import { beforeEach, expect, test, vi } from 'vitest';
import { readBuyers, saveBuyer } from '../../src/server/delivery/index.ts';
import { setBuyer, usualTerms } from '../support/buyers.ts';
import { sandboxForTests } from '../support/sandbox-http.ts';
import { freshLead, serverForTests } from '../support/server.ts';

const outside = sandboxForTests();
const site = serverForTests(() => {
  const { lpCampaignId, lpSupplierId, lpKey } = outside.sandbox.credentials;
  return {
    DELIVERY_CONCURRENCY: undefined,
    INGEST_URL: outside.sandbox.url,
    INGEST_CAMPAIGN_ID: lpCampaignId,
    INGEST_SUPPLIER_ID: lpSupplierId,
    INGEST_KEY: lpKey,
    EXTRA_DESTINATIONS: JSON.stringify({ smith: { like: 'ingest', INGEST_TIMEOUT_MS: 5_000 } }),
    OUTGOING_PRIVATE_NETWORKS: 'allow',
  };
});
const { post, leadOf } = site;
beforeEach(() => site.database.pool.query('truncate buyers'));

let persons = 0;
/** Posts a lead of a new person from Florida, because the ingest service refuses duplicates. */
async function postLead(changes: Record<string, unknown> = {}) {
  persons += 1;
  const person = { phone: `212555200${persons}`, email: `buyers${persons}@mail.example` };
  const lead = freshLead({ ...person, ...changes });
  expect((await post('/post-lead', lead)).status).toBe(200);
  return lead;
}

/** Returns the states of a lead's deliveries, once none waits. */
const statesOf = ({ lead_id }: Record<string, unknown>) =>
  vi.waitFor(async () => {
    const { deliveries } = await leadOf(lead_id);
    const states = Object.fromEntries(
      deliveries.map((each) => [each.destination, [each.state, each.end_reason]]),
    );
    expect(Object.values(states).flat()).not.toContain('waiting');
    expect(Object.values(states).flat()).not.toContain('sending');
    return states;
  }, 20_000);

test('without terms, an extra destination gets nothing, and the others get leads at once', async () => {
  expect(await statesOf(await postLead())).toEqual({ ingest: ['delivered', null] });
});

test('a posted lead goes to the first buyer that takes its state', async () => {
  const { pool } = site.database;
  await setBuyer(pool, 'ingest', { priority: 1, states: ['AK'] });
  await setBuyer(pool, 'ingest/smith', { priority: 2 });
  const lead = await postLead();
  expect(await statesOf(lead)).toEqual({
    ingest: ['passed_over', 'outside_states'],
    'ingest/smith': ['delivered', null],
  });
  const { deliveries } = await leadOf(lead.lead_id);
  expect(deliveries.find(({ chosen_at }) => chosen_at !== null)?.destination).toBe('ingest/smith');
});

test('a later post of a lead that nobody may have is chosen for again', async () => {
  const { pool } = site.database;
  await setBuyer(pool, 'ingest', { states: ['AK'] });
  const lead = await postLead();
  expect(await statesOf(lead)).toEqual({ ingest: ['passed_over', 'outside_states'] });
  await setBuyer(pool, 'ingest', { states: [] });
  expect((await post('/post-lead', { ...lead, sub_id2: 'later' })).status).toBe(200);
  expect(await statesOf(lead)).toEqual({ ingest: ['delivered', null] });
});

test('saveBuyer stores no wrong terms', async () => {
  const { pool } = site.database;
  await saveBuyer(pool, 'ingest', usualTerms, 'one@example.com');
  const changed = { ...usualTerms, weight: 3 };
  expect(await saveBuyer(pool, 'ingest', changed, 'two@example.com')).toEqual(changed);
  const wrong = [
    [{ timeZone: 'Mars' }, 'timeZone must be a time zone, such as America/Chicago'],
    [{ timeZone: 'CST' }, 'timeZone must be a time zone'],
    [{ caps: [{ per: 'day' }] }, 'caps.0 must limit either leads or money'],
    [{ hours: [{ days: [1], from: '17:00', until: '09:00' }] }, 'hours.0 must end after it begins'],
    [
      { prices: [{ from: '2026-13-01', amount: 1, owedAt: 'delivery' }] },
      'prices.0.from must be a day',
    ],
    [
      { prices: [{ from: '2026-01-01', amount: 1.005, owedAt: 'delivery' }] },
      'prices.0.amount must be',
    ],
    [{ name: undefined }, 'name is missing'],
  ] as const;
  for (const [change, problem] of wrong) {
    const saving = saveBuyer(pool, 'ingest', { ...usualTerms, ...change }, 'three@example.com');
    await expect(saving).rejects.toThrow(problem);
  }
  expect(await readBuyers(pool)).toMatchObject([
    { destination: 'ingest', terms: changed, changedBy: 'two@example.com' },
  ]);
});
