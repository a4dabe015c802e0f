/** `leads resend --state rejected`: rejected leads are resent after the operator has confirmed the plan. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { clearLedger, type SeededDelivery, seedLead } from '../../tests/support/ledger.ts';
import { type TestDatabase, withDatabase } from '../../tests/support/postgres.ts';
import { run } from './leads.ts';

let database: TestDatabase;
let out = '';
let err = '';

beforeAll(async () => {
  database = await withDatabase();
}, 60_000);
afterAll(() => database.drop());
beforeEach(async () => {
  vi.stubEnv('DATABASE_URL', database.connectionString);
  [out, err] = ['', ''];
  vi.spyOn(console, 'log').mockImplementation((text: string) => {
    out += `${text}\n`;
  });
  vi.spyOn(console, 'error').mockImplementation((text: string) => {
    err += `${text}\n`;
  });
  await clearLedger(database.pool);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Seeds a rejected lead with the destination's message and the outcome of its only attempt. */
async function refused(
  message: string,
  { outcome = 'rejected', ...delivery }: Partial<SeededDelivery> & { outcome?: string } = {},
): Promise<string> {
  const { pool } = database;
  const id = await seedLead(pool, {
    deliveries: [{ state: 'rejected', revision: 1, ...delivery }],
  });
  await pool.query('update deliveries set last_message = $2 where lead_id = $1', [id, message]);
  await pool.query(
    `update delivery_attempts set outcome = $2
     where delivery_id = (select id from deliveries where lead_id = $1)`,
    [id, outcome],
  );
  return id;
}

async function stateOf(leadId: string): Promise<string> {
  const { rows } = await database.pool.query('select state from deliveries where lead_id = $1', [
    leadId,
  ]);
  return rows[0].state;
}

test('shows the plan and sends nothing until it is confirmed', async () => {
  const credentials = 'ERROR 1002: invalid campaign credentials';
  const first = await refused(credentials);
  await refused(credentials);
  const phone = await refused('ERROR 1015: bad phone \u001b[31m');
  expect(await run(['resend', '--state', 'rejected'])).toBe(0);
  expect(out).toBe(
    '3 deliveries are rejected:\n' +
      `  2 of ingest: ${credentials}\n` +
      '  1 of ingest: ERROR 1015: bad phone  [31m\n' +
      'Nothing was resent. Narrow the selection with --message, then confirm with --yes.\n',
  );
  expect(await stateOf(first)).toBe('rejected');

  out = '';
  expect(await run(['resend', '--state', 'rejected', '--message', '1002', '--yes'])).toBe(0);
  expect(out).toContain('2 deliveries are rejected:');
  expect(out).toContain('2 deliveries were rejected, now sent');
  expect([await stateOf(first), await stateOf(phone)]).toEqual(['waiting', 'rejected']);
});

test('leads that the destination already has are skipped', async () => {
  const theirs = await refused('DUPLICATED 1008', { outcome: 'duplicate' });
  const ours = await refused('ERROR 1002', { outcome: 'delivered' });
  expect(await run(['resend', '--state', 'rejected', '--yes'])).toBe(0);
  expect(out).toContain('There is nothing to resend.');
  expect(err).toContain('2 skipped');
  expect([await stateOf(theirs), await stateOf(ours)]).toEqual(['rejected', 'rejected']);
});
