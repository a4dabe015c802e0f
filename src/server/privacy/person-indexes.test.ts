/**
 * Tests that every search for a person uses an index. With a million leads, a table scan would delay incoming leads.
 */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { testVisitor } from '../../../tests/support/leads.ts';
import { ana, clearLedger, emailKey, phoneKey, seedLead } from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { people } from '../../../tests/support/person-keys.ts';
import { planning } from '../../../tests/support/plans.ts';
import { readHistory } from '../leads/lead-history.ts';
import { hasOtherLead } from '../leads/lead-store.ts';
import { erase } from './erase.ts';
import { createTakeOptOut } from './opt-out.ts';
import { suppress } from './suppress.ts';

const database = await databaseForTests();

/** Two tables may be scanned because they stay small: one is purged daily, one has a row for each destination. */
const scanned = /Seq Scan on (?!phone_code_limits|destination_health)\w+/;

test.each([
  [
    'a do-not-sell request',
    (pool: pg.Pool) =>
      createTakeOptOut(people(pool), { perAddressPerHour: 5, alertPerHour: 5 }, () => undefined)(
        { email: ana.email, phone: ana.phone },
        'en',
        testVisitor,
      ),
  ],
  ['suppress', (pool: pg.Pool) => suppress(people(pool), ana.phone, 'tester')],
  ['erase', (pool: pg.Pool) => erase(people(pool), '5125550123', 'tester')],
  [
    'a second lead of one person',
    async (pool: pg.Pool) => {
      const keys = { emailKey: emailKey(ana.email), phoneKey: phoneKey(ana.phone) };
      const isOther = (of: Partial<typeof keys & { id: string }> = {}) =>
        hasOtherLead(pool, { id: randomUUID(), ...keys, ...of }, 30);
      expect(await isOther()).toBe(true);
      expect(await isOther({ emailKey: emailKey('bea@mail.example') })).toBe(true);
      const first = (await database.pool.query('select id from leads')).rows[0]?.id;
      const second = await seedLead(database.pool);
      expect(await isOther({ id: second })).toBe(true);
      // Only an earlier lead is a reason to hold a lead.
      expect(await isOther({ id: first })).toBe(false);
      await database.pool.query(`update leads set created_at = now() - interval '31 days'`);
      expect(await isOther()).toBe(false);
    },
  ],
  [
    'the other leads on a lead’s page',
    async (pool: pg.Pool) => {
      const other = await seedLead(database.pool);
      const { others } = await readHistory(pool, other);
      expect(others[0]).toMatchObject({
        sold: [{ destination: 'ingest', at: expect.any(String) }],
      });
    },
  ],
])('%s uses an index for each search, never a table scan', async (_, work) => {
  await clearLedger(database.pool);
  await seedLead(database.pool, { deliveries: [{ state: 'delivered', revision: 1 }] });
  // With enable_seqscan=off, a plan scans a table only if no index fits.
  const { pool, plans } = planning(database.connectionString, '-c enable_seqscan=off');
  await work(pool).finally(() => pool.end());
  expect(plans.length).toBeGreaterThan(0);
  expect(plans.filter((plan) => scanned.test(plan))).toEqual([]);
});
