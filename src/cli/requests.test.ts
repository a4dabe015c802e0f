import process from 'node:process';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ana, clearLedger, emailKey, seedLead } from '../../tests/support/ledger.ts';
import { testPersonSecret } from '../../tests/support/person-keys.ts';
import { type TestDatabase, withDatabase } from '../../tests/support/postgres.ts';
import { createOptOutStore } from '../server/operators/opt-out.ts';
import type { OptOutRequest } from '../server/site-forms/opt-out-store.ts';
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
  vi.stubEnv('PERSON_KEY_SECRET', testPersonSecret);
  vi.spyOn(console, 'log').mockImplementation((text) => {
    out += `${text}\n`;
  });
  vi.spyOn(console, 'error').mockImplementation((text) => {
    err += `${text}\n`;
  });
  vi.spyOn(process, 'stdin', 'get').mockReturnValue({ isTTY: false } as typeof process.stdin);
  [out, err] = ['', ''];
  await clearLedger(database.pool);
  await database.pool.query('truncate opt_out_requests, person_keys');
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const address = '203.0.113.66';
function ask(perAddressPerHour = 0) {
  const limits = { perAddressPerHour, alertPerHour: 0 };
  const visitor = { secGpc: false, address, networkKey: address, userAgent: 'x', page: '/' };
  return createOptOutStore(database.pool, limits, () => undefined).record({
    ...{ language: 'en', name: 'Ana', email: ana.email, phone: '', state: 'TX', visitor },
    keys: [{ kind: 'email', key: emailKey(ana.email) }],
  } satisfies OptOutRequest);
}

test('waiting requests are listed, and honored only after confirmation', async () => {
  await ask();
  const { reference } = await ask(1);
  expect(await run(['requests'])).toBe(0);
  expect(out).toMatch(
    new RegExp(
      `^${reference}  [\\d-]{10} [\\d:]{8} UTC  waiting  ${address}  Ana · ${ana.email}\n$`,
    ),
  );
  expect(await run(['requests', reference, '--honor'])).toBe(2);
  expect(err).toContain('confirm with --yes');
  out = '';
  expect(await run(['requests', reference.toLowerCase(), '--honor', '--yes'])).toBe(0);
  expect(out).toContain('1 request honored, 0 deliveries stopped.');
  out = '';
  await run(['requests']);
  expect(out).toBe('No requests.\n');
});

test('a flood is undone by address and time, after a dry run', async () => {
  const id = await seedLead(database.pool, { deliveries: [{ state: 'waiting' }] });
  await ask();
  const undo = ['suppress', '--undo', '--since', '1h', '--address', address];
  const text = '1 do-not-sell request, 1 list entry (0 stay for other reasons), 1 resumed delivery';
  expect(await run([...undo, '--dry-run'])).toBe(0);
  expect(out).toBe(`Would be undone: ${text}.\n`);
  out = '';
  await run(['show', id]);
  expect(out).toMatch(/e-mail address on the suppression list since .+, by a do-not-sell request/);
  expect(await run(undo)).toBe(2);
  out = '';
  expect(await run([...undo, '--yes'])).toBe(0);
  expect(out).toBe(`Undone: ${text}.\n`);
  out = '';
  await run(['show', id]);
  expect(out).not.toContain('on the suppression list since');
  expect(out).toMatch(/taken off the suppression list by .+; resumed: ingest/);
});

test.each([
  [['suppress']],
  [['suppress', ana.email, '--since', '1h', '--undo']],
  [['suppress', '--since', '1h']],
])('%j is refused', async (argv) => {
  expect(await run(argv)).toBe(2);
  expect(err).toContain('Give either a person');
});
