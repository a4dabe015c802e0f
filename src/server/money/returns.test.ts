/** Tests returns that meet other messages, sales and payouts of the same lead. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { usualTerms } from '../../../tests/support/buyers.ts';
import {
  addEntries,
  ana,
  blockedBy,
  clearLedger,
  seedLead,
} from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { saleRules } from '../../../tests/support/sale-rules.ts';
import { readResendVerdicts, saveBuyer } from '../delivery/index.ts';
import { adjust } from './ledger.ts';
import { readOutcome, takeOutcomes } from './outcomes.ts';
import { decideReturn, listOutcomes } from './returns.ts';

const { pool } = await databaseForTests(async (own) => {
  await clearLedger(own);
  await own.query('truncate money_entries, outcomes, buyers');
  const signed = { from: '2020-01-01', owedAt: 'signed' };
  const prices = [
    { ...signed, amount: 700.1 },
    { ...signed, amount: 900, state: 'TX' },
  ];
  await saveBuyer(own, 'ingest', { ...usualTerms, prices }, 'tester');
});
const listeners = [{ name: 'webhook', events: ['lead.returned'], appliesTo: () => true }] as const;

/** Stores an outcome of the buyer. */
const take = (id: string, leadId: string, about: object) =>
  takeOutcomes(pool, [{ id, ...readOutcome({ lead_id: leadId, ...about }, new Date()) }], {
    destination: 'ingest',
    source: 'webhook',
    actor: 'ingest',
    listeners,
  });
const RETURNED = { outcome: 'returned', reason: 'duplicate' };
const SIGNED = { outcome: 'signed' };
const by = { actor: 'ann', reason: 'yes', listeners } as const;
const accept = (id: string, leadId: string) =>
  decideReturn(pool, { ...by, id, leadId, decision: 'accepted' });

const amounts = async () =>
  (
    await pool.query<{ amount: number }>(
      'select amount::float8 as amount from money_entries order by amount',
    )
  ).rows.map(({ amount }) => amount);
const sum = async () =>
  (await pool.query('select sum(amount)::float8 as sum from money_entries')).rows[0].sum;

/** Stores a lead that `ingest` bought for 50 dollars. */
async function soldLead(fields: Record<string, string> = {}) {
  const revisions = [{ ...ana, ...fields }];
  const leadId = await seedLead(pool, { revisions, deliveries: [{ state: 'delivered' }] });
  const { rows } = await pool.query<{ id: string }>('select id from deliveries');
  const deliveryId = rows[0]?.id ?? '';
  const about = { leadId, deliveryId, destination: 'ingest', at: new Date() } as const;
  await addEntries(pool, [
    { ...about, key: `sale ${deliveryId}`, kind: 'sale', amount: 50, source: 'terms', actor: 'x' },
  ]);
  return { leadId, deliveryId };
}

test('a buyer does not get a lead again after its return was accepted', async () => {
  const { leadId, deliveryId } = await soldLead();
  await take('a', leadId, RETURNED);
  const verdict = async () =>
    (await readResendVerdicts(pool, leadId, saleRules)).get(deliveryId)?.refusal;
  expect(await verdict()).toBeUndefined();
  await accept('a', leadId);
  expect(await verdict()).toMatch('The buyer returned this lead');
});

test('a message after an accepted return can be decided too, and changes no money', async () => {
  const { leadId } = await soldLead();
  await take('a', leadId, RETURNED);
  await accept('a', leadId);
  await take('b', leadId, RETURNED);
  await take('c', leadId, RETURNED);
  await decideReturn(pool, { ...by, leadId, id: 'c', decision: 'refused' });
  await accept('b', leadId);
  expect(await listOutcomes(pool, 'open', { limit: 5 })).toMatchObject({ outcomes: [] });
  expect(await amounts()).toEqual([-50, 50]);
  const { rows: told } = await pool.query('select from deliveries where event is not null');
  expect(told).toHaveLength(1);
});

test.each(['before', 'while', 'after'] as const)(
  'a lead that is reported as signed %s its return is accepted brings nothing',
  async (when) => {
    const { leadId } = await soldLead();
    await take('r', leadId, RETURNED);
    const sign = () => take('s', leadId, SIGNED);
    if (when === 'before') await sign();
    if (when === 'while') {
      await blockedBy(pool, sign, [
        ['select 1 from deliveries for no key update'],
        [`update outcomes set decision = 'accepted' where id = 'r'`],
      ]);
      await pool.query(`update outcomes set decision = null`);
    }
    await accept('r', leadId);
    if (when === 'after') await sign();
    expect(await sum()).toBe(0);
  },
);

test.each([
  ['a sale', 'select from deliveries for no key update', 'signed x', 'sale', 700],
  ['an adjustment', 'select from deliveries for no key update', 'adjustment x', 'adjustment', -20],
  ['a payout', 'select from counting for update', 'rate source sale ', 'payout', -5],
] as const)(
  'an accepted return waits for %s that is being added, and takes it back',
  async (_what, lock, key, kind, amount) => {
    const { leadId, deliveryId } = await soldLead();
    await take('r', leadId, RETURNED);
    const add = `insert into money_entries (id, key, kind, amount, currency, at, lead_id, delivery_id, destination, source, actor)
      values (gen_random_uuid(), $1, $2, $3, 'USD', now(), $4, $5, $6, 'rate', 'counting')`;
    const values =
      kind === 'payout'
        ? [key + leadId, kind, amount, leadId, deliveryId, null]
        : [key, kind, amount, leadId, deliveryId, 'ingest'];
    await blockedBy(pool, () => accept('r', leadId), [[lock], [add, values]]);
    expect(await sum()).toBe(0);
  },
);

test('without a state of residence, the state of the accident decides what a signed lead brings', async () => {
  const { leadId } = await soldLead({ state: '', state_accident_occurred: 'TX' });
  await take('s', leadId, SIGNED);
  expect(await amounts()).toEqual([50, 900]);
});

test('an adjustment is refused only while another transaction accepts a return of the lead', async () => {
  const { leadId, deliveryId } = await soldLead();
  const change = { key: randomUUID(), deliveryId, amount: -20, reason: 'price_agreed' } as const;
  const adjustIt = () => adjust(pool, leadId, { ...change, actor: 'ann' });
  const accepting = await pool.connect();
  await accepting.query('begin');
  await accepting.query('select from deliveries for no key update');
  await expect(adjustIt()).rejects.toThrow('reload the page');
  await accepting.query('commit');
  accepting.release();
  await adjustIt();
  expect(await amounts()).toEqual([-20, 50]);
});
