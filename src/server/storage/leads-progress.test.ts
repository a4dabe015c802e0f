import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ana, clearLedger, emailKey, phoneKey, seedVisit } from '../../../tests/support/ledger.ts';
import { personKey } from '../../../tests/support/person-keys.ts';
import { type TestDatabase, withDatabase } from '../../../tests/support/postgres.ts';
import { createProgressStore } from './leads-progress.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await withDatabase();
}, 60_000);
afterAll(() => database.drop());
beforeEach(() => clearLedger(database.pool));

const mayMirror = (id: string) => createProgressStore(database.pool, personKey).mayMirror(id);
const mirroredAt = async (id: string) =>
  (await database.pool.query('select mirrored_at from visits where lead_id = $1', [id])).rows[0]
    ?.mirrored_at;

test('a visit may be mirrored, and the first time is recorded', async () => {
  const id = await seedVisit(database.pool, { email: ana.email });
  expect(await mirroredAt(id)).toBeNull();
  expect(await mayMirror(id)).toBe(true);
  const first = await mirroredAt(id);
  expect(first).toBeInstanceOf(Date);
  expect(await mayMirror(id)).toBe(true);
  expect(await mirroredAt(id)).toEqual(first);
});

test.each([
  ['email', { email: ` ${ana.email}` }, emailKey(ana.email)],
  ['phone', { phone: '(512) 555-0123' }, phoneKey(ana.phone)],
  ['phone', { phoneNumber: '+1 512 555 0123' }, phoneKey(ana.phone)],
])('a suppressed %s keeps the visit from the mirror', async (kind, said, key) => {
  await database.pool.query(`insert into suppressions (key, kind, actor) values ($1, $2, 'x')`, [
    key,
    kind,
  ]);
  const id = await seedVisit(database.pool, said);
  expect(await mayMirror(id)).toBe(false);
  expect(await mirroredAt(id)).toBeNull();
});

test('the opt-out signal and erasure keep a visit from the mirror', async () => {
  const [signal, erased] = [await seedVisit(database.pool, {}), await seedVisit(database.pool, {})];
  await database.pool.query('update clicks set sec_gpc = true where lead_id = $1', [signal]);
  await database.pool.query('update visits set erased_at = now() where lead_id = $1', [erased]);
  expect(await mayMirror(signal)).toBe(false);
  expect(await mayMirror(erased)).toBe(false);
});
