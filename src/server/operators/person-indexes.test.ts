/** Every search for a person uses an index: with a million leads a table scan would stall the intake. */
import type pg from 'pg';
import { expect, test } from 'vitest';
import { testVisitor } from '../../../tests/support/leads.ts';
import { ana, seedLead } from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { people, personKey } from '../../../tests/support/person-keys.ts';
import { planning } from '../../../tests/support/plans.ts';
import { createTakeOptOut } from '../site-forms/take-opt-out.ts';
import { erase } from './erase.ts';
import { createOptOutStore } from './opt-out.ts';
import { suppress } from './suppress.ts';

const database = await databaseForTests();

/** Allows scans of `phone_code_limits`, which is purged daily and stays small. */
const scanned = /Seq Scan on (?!phone_code_limits)\w+/;

test.each([
  [
    'a do-not-sell request',
    (pool: pg.Pool) =>
      createTakeOptOut(
        createOptOutStore(pool, { perAddressPerHour: 5, alertPerHour: 5 }, () => undefined),
        personKey,
      )({ email: ana.email, phone: ana.phone }, 'en', testVisitor),
  ],
  ['suppress', (pool: pg.Pool) => suppress(people(pool), ana.phone, 'tester')],
  ['erase by address', (pool: pg.Pool) => erase(people(pool), ana.email, 'tester')],
  ['erase by number', (pool: pg.Pool) => erase(people(pool), '5125550123', 'tester')],
])('%s scans no table', async (_, work) => {
  await seedLead(database.pool, { deliveries: [{ state: 'delivered', revision: 1 }] });
  // A scan shows up only where no index can be used.
  const { pool, plans } = planning(database.connectionString, '-c enable_seqscan=off');
  await work(pool).finally(() => pool.end());
  expect(plans.length).toBeGreaterThan(3);
  expect(plans.filter((plan) => scanned.test(plan))).toEqual([]);
});
