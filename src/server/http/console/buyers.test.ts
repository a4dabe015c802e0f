/** Tests the routes of buyers, and what a lead's page says about money and buyers. */
import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { setBuyer, usualTerms } from '../../../../tests/support/buyers.ts';
import { consoleForTests, emailOf } from '../../../../tests/support/console.ts';
import { addEntries, clearLedger, seedLead } from '../../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../../tests/support/own-database.ts';
import type { BuyersAnswer } from '../../../model/messages/console/buyers.ts';
import type { LeadAnswer } from '../../../model/messages/console/leads.ts';
import { buyersArea } from './buyers.ts';
import { leadArea } from './leads.ts';

const database = await databaseForTests(async (own) => {
  await clearLedger(own);
  await own.query(
    'truncate buyers, outcomes, money_entries, audit_log, visit_summaries, hourly_counts',
  );
});
const { pool } = database;
const { app, get, post, woken } = await consoleForTests(database, {
  areas: [buyersArea, leadArea],
  env: {
    INGEST_URL: 'https://lp.example',
    INGEST_CAMPAIGN_ID: '1',
    INGEST_SUPPLIER_ID: '2',
    INGEST_KEY: 'key',
    EXTRA_DESTINATIONS: '{"smith":{"like":"ingest"}}',
  },
});
afterAll(() => app.close());

const readList = async () =>
  (await get('/api/buyers?from=2026-03-01&to=2026-03-31', 'viewer')).json<BuyersAnswer>();
const request = {
  destination: 'ingest/smith',
  terms: { ...usualTerms, caps: [{ per: 'total', leads: 2 }] },
  reason: 'the contract of March',
  changedAt: null as string | null,
};
const save = (change: object = {}, role: 'viewer' | 'operator' = 'operator') =>
  post('/api/buyers/save', { ...request, ...change }, role);

test('terms are checked, stored once, and logged with those before', async () => {
  const names = ['ingest', 'ingest/smith'];
  const { buyers, others } = await readList();
  expect(buyers).toEqual([]);
  expect(others.map(({ destination }) => destination)).toEqual(expect.arrayContaining(names));
  expect((await save({}, 'viewer')).statusCode).toBe(403);
  const wrong = await save({ terms: { ...usualTerms, caps: [{ per: 'day', leads: 1.5 }] } });
  expect(wrong.statusCode).toBe(400);
  expect(wrong.json().detail).toContain('caps.0.leads must be a whole number');
  expect((await save({ destination: 'ingest/nobody' })).json().detail).toContain('not set up');
  expect((await save()).statusCode).toBe(200);
  expect(woken.count).toBe(1);
  expect((await save()).json().detail).toContain('Another operator changed these terms');
  const [first] = (await readList()).buyers;
  expect(first).toMatchObject({ changedBy: emailOf('operator'), obstacle: null, isSetUp: true });
  const terms = { ...request.terms, isOn: false };
  expect((await save({ terms, changedAt: first?.changedAt })).statusCode).toBe(200);
  expect((await readList()).buyers).toMatchObject([{ obstacle: 'buyer_off' }]);
  const { rows } = await pool.query(
    `select action, subject, reason, detail from audit_log where action like 'buyer%' order by id`,
  );
  const entry = { action: 'buyer.changed', subject: 'ingest/smith', reason: request.reason };
  expect(rows).toEqual([
    { ...entry, detail: { before: null, after: request.terms } },
    { ...entry, detail: { before: request.terms, after: terms } },
  ]);
});

test('the terms of a removed destination can be switched off', async () => {
  await setBuyer(pool, 'ingest/gone');
  const [gone] = (await readList()).buyers;
  expect(gone).toMatchObject({ isSetUp: false });
  const terms = { ...usualTerms, isOn: false };
  const change = { destination: 'ingest/gone', terms, changedAt: gone?.changedAt };
  expect((await save(change)).statusCode).toBe(200);
  expect((await readList()).buyers).toMatchObject([{ obstacle: 'buyer_off' }]);
});

test('the list has what is used of the caps, what waits, and the money of the period', async () => {
  await setBuyer(pool, 'ingest/smith', {
    caps: [
      { per: 'total', leads: 2 },
      { per: 'day', money: 500 },
    ],
  });
  const deliveries = [{ destination: 'ingest/smith', state: 'delivered' }];
  await seedLead(pool, { deliveries });
  await seedLead(pool, { deliveries });
  await pool.query(`update deliveries set chosen_at = now(), price = 100.5`);
  await seedLead(pool, { deliveries: [{ destination: 'ingest/smith', state: 'waiting' }] });
  await pool.query(`update deliveries set is_unrouted = true, end_reason = 'cap_reached',
    due_at = '2026-03-09' where state = 'waiting'`);
  await pool.query(`insert into hourly_counts (dimension, survey, hour, value, visits, first_answers, completed, accepted, held, qualified,
      delivered, rejected, refusals, revenue, returned)
    values ('buyer', '', '2026-03-06T12:00:00Z', 'ingest/smith', 2, 2, 2, 2, 0, 2, 2, 0, 0, 150.5, 49.5)`);
  expect((await readList()).buyers).toMatchObject([
    {
      obstacle: 'cap_reached',
      opensAt: null,
      uses: [
        { cap: { per: 'total', leads: 2 }, leads: 2, cents: 20_100 },
        { leads: 2, cents: 20_100, until: expect.any(String) },
      ],
      waiting: [{ reason: 'cap_reached', leads: 1 }],
      delivered: 2,
      returned: 49.5,
      revenue: 150.5,
    },
  ]);
});

test('the page of a lead says what it brought, and why each other buyer did not get it', async () => {
  await setBuyer(pool, 'ingest', { name: 'Jones' });
  await setBuyer(pool, 'ingest/smith', { name: 'Smith' });
  await setBuyer(pool, 'ingest/late', { name: 'Late' });
  const id = await seedLead(pool, {
    deliveries: [
      { state: 'delivered', revision: 1 },
      { destination: 'ingest/smith', state: 'waiting', dueAt: '2100-01-01T00:00:00Z' },
    ],
  });
  await pool.query(`update deliveries set is_unrouted = true, end_reason = 'closed_now'
    where state = 'waiting'`);
  const entry = { at: new Date(), leadId: id, source: 'terms', actor: 'system' } as const;
  await addEntries(pool, [
    { ...entry, key: 'a', kind: 'sale', amount: 100.1, destination: 'ingest' },
    { ...entry, key: 'b', kind: 'cost', amount: -30.005 },
    { ...entry, key: 'c', kind: 'adjustment', amount: -0.2, destination: 'ingest' },
  ]);
  const { deliveries, money, notOffered } = (await get(`/api/leads/${id}`)).json<LeadAnswer>();
  expect(deliveries).toMatchObject([
    { title: 'Jones', hasTerms: true, state: 'delivered' },
    {
      title: 'Smith',
      whyNot: expect.stringContaining('outside this buyer’s hours'),
      dueAt: null,
    },
  ]);
  expect(notOffered).toEqual(['Late']);
  expect(money).toMatchObject({ revenue: 99.9, cost: 30.01, margin: 69.9 });
  expect(money?.entries.map(({ buyer }) => buyer).sort()).toEqual(['', 'Jones', 'Jones']);

  const [jones, smith] = deliveries.map((delivery) => delivery.id);
  const change = { key: randomUUID(), deliveryId: jones, amount: -10.5, reason: 'price_agreed' };
  const ofCost = { key: randomUUID(), amount: -1.25, reason: 'Their bill says so' };
  const adjust = (body: object) => post(`/api/leads/${id}/adjust`, body, 'operator');
  for (const body of [change, change, ofCost]) expect((await adjust(body)).statusCode).toBe(200);
  for (const [body, why] of [
    [{ ...change, amount: -20 }, 'another amount'],
    [{ ...change, key: randomUUID(), deliveryId: smith }, 'did not get'],
    [{ ...ofCost, key: randomUUID(), amount: 0 }, 'at least one cent'],
  ] as const) {
    expect((await adjust(body)).json().detail).toContain(why);
  }
  const adjusted = (await get(`/api/leads/${id}`)).json<LeadAnswer>().money;
  expect(adjusted).toMatchObject({ revenue: 89.4, cost: 31.26 });
  expect(adjusted?.entries.slice(-2)).toMatchObject([
    { kind: 'adjustment', buyer: 'Jones', amount: -10.5, reason: 'price_agreed' },
    { kind: 'adjustment', buyer: '', amount: -1.25, reason: 'other' },
  ]);
});
