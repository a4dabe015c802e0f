/** Tests which leads the verification service receives. */
import { expect, it, test, vi } from 'vitest';
import { createLeadChecks } from '../../src/server/leads/lead-checks.ts';
import { ana, clearLedger, phoneKey, type SeededLead, seedLead } from '../support/ledger.ts';
import { databaseForTests } from '../support/own-database.ts';
import { testLog } from '../support/postgres.ts';

const { pool } = await databaseForTests(clearLedger);

const checks = (waiting: readonly string[] = [], wake = () => undefined) =>
  createLeadChecks({ pool, log: testLog, waiting, wake });

/** Inserts a lead without the opt-out signal. */
async function unverified(lead: SeededLead = {}): Promise<string> {
  const id = await seedLead(pool, lead);
  await pool.query('update leads set sec_gpc = false where id = $1', [id]);
  return id;
}

const verification = (leadId: string, revision: number, said = {}) => ({
  ...({ leadId, revision, service: 'verification', asked: 'hash', at: new Date() } as const),
  ...({ outcome: 'answered', durationMs: 1, said } as const),
});

test('saving a second verification of a lead does not replace the first verification', async () => {
  const id = await unverified();
  const store = checks();
  await store.save(verification(id, 1, { first: true }));
  await store.save(verification(id, 1, { first: false }));
  const { rows } = await pool.query(`select said from lead_checks where service = 'verification'`);
  expect(rows).toEqual([{ said: { first: true } }]);
});

test.each([
  ['is held', `update leads set state = 'held'`],
  ['has the opt-out signal', 'update leads set sec_gpc = true'],
  ['is erased', 'update leads set erased_at = now()'],
  [
    'is of a suppressed person',
    `insert into suppressions (key, kind, actor) values ('${phoneKey(ana.phone)}', 'phone', 'x')`,
  ],
])('the verification service gets no lead that %s', async (_, change) => {
  const id = await unverified();
  const store = checks();
  expect(await store.mayBeShared(id)).toBe(true);
  await pool.query(change);
  expect(await store.mayBeShared(id)).toBe(false);
});

it('only a verification of the newest revision starts the lead’s delivery', async () => {
  const leadId = await unverified({
    revisions: [ana, ana],
    deliveries: [{ destination: 'waiting-one', state: 'waiting', dueAt: '2100-01-01T00:00:00Z' }],
  });
  const wake = vi.fn();
  const store = checks(['waiting-one'], wake);
  await store.save(verification(leadId, 1));
  expect(wake).not.toHaveBeenCalled();
  await store.save(verification(leadId, 2));
  expect(wake).toHaveBeenCalledTimes(1);
});
