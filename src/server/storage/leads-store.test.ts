import { expect, test } from 'vitest';
import { ana, anasBrowser, clearLedger, seedLead } from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { bodySha256 } from '../../intake/body-hash.ts';
import type { StoredLead } from '../../intake/lead-record.ts';
import { createLeadsStore } from './leads-store.ts';

const { pool } = await databaseForTests(clearLedger);
const store = createLeadsStore({ pool, wake: () => undefined });

test('a stored lead is read with every field that a later post is judged by', async () => {
  const id = await seedLead(pool);
  await pool.query('update leads set is_test = true, erased_at = now() where id = $1', [id]);
  let read: StoredLead | undefined;
  await store.revise(id, bodySha256(ana), (stored) => {
    read = stored;
    return undefined;
  });
  expect(read).toEqual({
    ...{ id, revision: 1, state: 'accepted', isTest: true, isErased: true },
    ...{ ip: anasBrowser.ip, userAgent: anasBrowser.userAgent, secretSha256: null },
    ...{ buyerLists: { [ana.zip_code]: {} }, consentReceivedAt: expect.any(Date) },
    ...{ problems: expect.any(Array), given: ana, merged: ana },
    same: { revision: 1, answer: { qualified: 'yes', dq_reason: '' } },
  });
});

test('an erased visit is found as erased, and another body as no repetition', async () => {
  const id = await seedLead(pool);
  await pool.query('update visits set erased_at = now() where lead_id = $1', [id]);
  expect(await store.find(id, 'of another body')).toEqual({
    secretSha256: null,
    isErased: true,
    revision: 1,
    same: undefined,
  });
});
