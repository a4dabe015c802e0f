/** Tests that a delivery that ends with a buyer becomes exactly one sale in the ledger. */
import { beforeEach, expect, test } from 'vitest';
import type { SendResult } from '../../src/server/delivery/destinations/destination.ts';
import { readResendVerdicts } from '../../src/server/delivery/index.ts';
import { controlled, delivered, pass } from '../support/delivery.ts';
import { deliveryForTests, MINUTE_MS } from '../support/delivery-site.ts';
import { saleRules } from '../support/sale-rules.ts';

const { pool, advance, worker, insert } = await deliveryForTests();
let answers: SendResult[] = [];
beforeEach(async () => {
  answers = [];
  await pool.query('truncate money_entries');
});
const buyer = controlled('ingest', async () => answers.shift() ?? delivered);
const entries = async () =>
  (await pool.query('select * from money_entries order by created_at')).rows;

/** Inserts a lead for whose delivery the buyer's terms say a price. */
async function insertPriced(price: number | null, options: { isTest?: boolean } = {}) {
  const lead = await insert(options);
  await pool.query('update deliveries set price = $2 where id = $1', [lead.deliveryId, price]);
  return lead;
}

test.each([
  [{ outcome: 'delivered' }, 250, { amount: '250.0000', source: 'terms' }],
  [{ outcome: 'delivered', price: 310.5 }, 250, { amount: '310.5000', source: 'answer' }],
  [{ outcome: 'delivered', price: 12.34 }, null, { amount: '12.3400', source: 'answer' }],
] as const)('a delivered lead is a sale at the named price', async (answer, price, sale) => {
  answers = [{ durationMs: 1, ...answer }];
  const { deliveryId, leadId } = await insertPriced(price);
  await pass(worker([buyer]));
  const about = { lead_id: leadId, delivery_id: deliveryId, destination: 'ingest' };
  const key = `sale ${deliveryId}`;
  expect(await entries()).toMatchObject([
    { kind: 'sale', key, currency: 'USD', actor: 'delivery', ...about, ...sale },
  ]);
});

test('the event listeners get one lead.sold, with the price', async () => {
  const listener = controlled('webhook', async () => delivered, { events: ['lead.sold'] });
  const { deliveryId, leadId } = await insertPriced(250);
  await insert();
  await pass(worker([buyer, listener]));
  const { rows } = await pool.query(
    'select lead_id, event from deliveries where event is not null',
  );
  const about = { delivery_id: deliveryId, destination: 'ingest', value: 250, currency: 'USD' };
  expect(rows).toEqual([{ lead_id: leadId, event: { type: 'lead.sold', ...about } }]);
});

test('a lead that arrived with an unknown outcome is sold once, by the answer DUPLICATED', async () => {
  answers = [
    { outcome: 'unknown', durationMs: 1 },
    { outcome: 'duplicate', durationMs: 1 },
  ];
  await insertPriced(90);
  const running = worker([buyer]);
  await pass(running);
  expect(await entries()).toEqual([]);
  await advance(MINUTE_MS);
  await pass(running);
  expect(await entries()).toMatchObject([{ amount: '90.0000' }]);
});

test.each([
  ['a rejected lead', { outcome: 'rejected' }, 90, false],
  ['a lead that the buyer had from another seller', { outcome: 'duplicate' }, 90, false],
  ['a test', { outcome: 'delivered', price: 80 }, 90, true],
  ['a lead without a price', { outcome: 'delivered' }, null, false],
] as const)('%s is no sale', async (_name, answer, price, isTest) => {
  answers = [{ durationMs: 1, ...answer }];
  await insertPriced(price, { isTest });
  await pass(worker([buyer]));
  expect(await entries()).toEqual([]);
});

test('a resend to a destination without terms is doubtful if a buyer was chosen for the lead', async () => {
  const { deliveryId, leadId } = await insert();
  await pool.query(`update deliveries set state = 'rejected'`);
  const doubt = async () =>
    (await readResendVerdicts(pool, leadId, saleRules)).get(deliveryId)?.doubt;
  expect(await doubt()).toBeUndefined();
  await pool.query(
    `insert into deliveries (id, lead_id, destination, state, chosen_at)
     values (gen_random_uuid(), $1, 'ingest/two', 'delivered', now())`,
    [leadId],
  );
  expect(await doubt()).toBe('Another buyer has this lead');
  await pool.query(
    `insert into outcomes (id, destination, reference, lead_id, delivery_id, kind, at, source, decision)
     select 'r', destination, '', lead_id, id, 'returned', now(), 'import', 'accepted'
     from deliveries where state = 'delivered'`,
  );
  expect(await doubt()).toBeUndefined();
});
