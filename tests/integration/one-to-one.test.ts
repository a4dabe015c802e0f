/** Tests one-to-one consent with a real database and the sandbox. */
import { expect, it, vi } from 'vitest';
import { readHistory } from '../../src/server/leads/lead-history.ts';
import { publishedTcpa } from '../support/consent.ts';
import { expectProven } from '../support/lead-history.ts';
import { sandboxForTests } from '../support/sandbox-http.ts';
import { freshLead, serverForTests } from '../support/server.ts';

const outside = sandboxForTests();
const site = serverForTests(() => ({
  DELIVERY_CONCURRENCY: undefined,
  INGEST_URL: outside.sandbox.url,
  INGEST_CAMPAIGN_ID: 'other',
  INGEST_SUPPLIER_ID: 'other',
  INGEST_KEY: 'other-key',
  MAPPING_URL: outside.sandbox.url,
  BUYERS_URL: outside.sandbox.url,
  OUTGOING_PRIVATE_NETWORKS: 'allow',
}));
const { post, leadOf } = site;
const survey = '/survey/v6';

let persons = 0;
/** Returns a lead of a new person, because the ingest service refuses duplicates. */
function lead(overrides: Record<string, unknown> = {}) {
  persons += 1;
  return freshLead({
    survey,
    ...publishedTcpa('buyers'),
    '1_to_1_consent': 'yes',
    phone: `212555100${persons}`,
    email: `maria${persons}@mail.example`,
    ...overrides,
  });
}

const map = (lead_id: unknown) => post('/api/mapping', { lead_id, survey, affid: 1, oid: 160 });
const findBuyers = (lead_id: unknown, zip_code = '10001') => {
  const click = { sub_id: 'abc', ef_transaction_id: '0123456789abcdef0123456789abcdef' };
  return post('/api/buyers', { ...click, lead_id, survey, zip_code });
};

/** Waits until the ingest service has received the lead. Returns the received fields. */
async function deliveredOf(leadId: unknown) {
  await vi.waitFor(async () =>
    expect((await leadOf(leadId)).deliveries).toMatchObject([{ state: 'delivered' }]),
  );
  const effects = outside.sandbox.effects().filter(({ key }) => key === leadId);
  expect(effects).toHaveLength(1);
  return effects[0]?.detail;
}

it('a lead is sent with the law firm that the visitor chose', async () => {
  const body = lead({ selected_buyers: '50002' });
  const { lead_id } = body;
  expect(await map(lead_id)).toMatchObject({ status: 200, body: { mapped: true } });
  expect((await findBuyers(lead_id)).body).toMatchObject({ consent: 'yes', timeout: 'no' });
  expect((await post('/post-lead', body)).status).toBe(200);
  const delivered = await deliveredOf(lead_id);
  expect(delivered).toMatchObject({
    selected_buyers: '50002',
    selected_buyer_names: 'Example Injury Attorneys',
    displayed_buyers: 'Sandbox Law Group|Example Injury Attorneys',
    tcpa: expect.stringContaining('prior express written consent'),
  });
  const { consents, last } = await leadOf(lead_id);
  expect(consents).toMatchObject([
    {
      text: body.tcpa,
      sent_text: delivered?.tcpa,
      buyers: [
        { name: 'Sandbox Law Group', ids: ['50001'], chosen: false },
        { name: 'Example Injury Attorneys', ids: ['50002'], chosen: true },
      ],
    },
  ]);
  // The account's key must not be stored with the lead.
  expect(JSON.stringify(last)).not.toContain(outside.sandbox.credentials.lpKey);
  const history = await readHistory(site.database.pool, String(lead_id));
  await expectProven(history, { settings: site.settings.destinations, client: site.database.pool });
  expect(JSON.stringify(history)).not.toContain(outside.sandbox.credentials.lpKey);
});

it('a lead is sent with the law firm that the visitor chose after the first post of the lead', async () => {
  const body = lead();
  const { lead_id } = body;
  await map(lead_id);
  await findBuyers(lead_id);
  await post('/post-lead', body);
  const [due] = (await leadOf(lead_id)).deliveries;
  expect(due?.state).toBe('waiting');
  expect(Number(due?.due_at) - Number(due?.created_at)).toBe(10 * 60_000);
  const now = new Date().toISOString();
  const choice = { selected_buyers: '50002', consent_shown_at: now, submitted_at: now };
  const part = { lead_id, survey, language: 'en', ...publishedTcpa('buyers'), ...choice };
  expect((await post('/post-lead', part)).body).toMatchObject({ revision: 2 });
  expect(await deliveredOf(lead_id)).toMatchObject({
    selected_buyers: '50002',
    '1_to_1_dq': 'no',
    email: body.email,
  });
  const { consents } = await leadOf(lead_id);
  const chosen = consents.map(
    ({ buyers }) => JSON.stringify(buyers).split('"chosen":true').length - 1,
  );
  expect(chosen).toEqual([0, 1]);
});

it('a lead contains the law firms that were offered for the lead’s zip code', async () => {
  const body = lead({ zip_code: '20001', '1_to_1_consent': 'no', ...publishedTcpa('abbreviated') });
  for (const zip of ['20001', '10001']) await findBuyers(body.lead_id, zip);
  await post('/post-lead', body);
  expect((await leadOf(body.lead_id)).last?.fields).toMatchObject({
    '1_to_1_consent': 'no',
    '1_to_1_result': 'none',
    all_possible_buyer_ids: '8674',
  });
});
