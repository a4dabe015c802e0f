import { expect, test } from 'vitest';
import { ana, clearLedger, emailKey, phoneKey, seedVisit } from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { personKey } from '../../../tests/support/person-keys.ts';
import { createProgressStore } from './save-progress.ts';

const { pool } = await databaseForTests(clearLedger);

const mayMirror = (id: string) => createProgressStore(pool, personKey).mayMirror(id);
const mirroredAt = async (id: string) =>
  (await pool.query('select mirrored_at from visits where lead_id = $1', [id])).rows[0]
    ?.mirrored_at;

test('a visit may be mirrored, and the first time is recorded', async () => {
  const id = await seedVisit(pool, { email: ana.email });
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
  await pool.query(`insert into suppressions (key, kind, actor) values ($1, $2, 'x')`, [key, kind]);
  const id = await seedVisit(pool, said);
  expect(await mayMirror(id)).toBe(false);
  expect(await mirroredAt(id)).toBeNull();
});

const keysOf = async (id: string) =>
  (await pool.query('select contact_keys from progress where lead_id = $1', [id])).rows[0]
    ?.contact_keys;

test('a saved step has the keys of its address and numbers', async () => {
  const id = await seedVisit(pool, {});
  await pool.query('truncate progress');
  const click = {
    id: 'c',
    leadId: id,
    survey: '',
    landingPage: '',
    params: {},
    referer: '',
    ip: '',
    userAgent: '',
    secGpc: false,
    variants: '',
  };
  const step = { leadId: id, survey: '', step: 'A', kind: 'answered', refused: null, at: null };
  const said = { email: ` ${ana.email}`, phone: '(512) 555-0123', phoneNumber: '+1 737 555 0199' };
  const save = (seq: number, answers: Record<string, string>) =>
    createProgressStore(pool, personKey).save(
      click,
      [{ ...step, seq, answers, seconds: null }],
      null,
    );
  await save(1, said);
  expect(await keysOf(id)).toEqual([
    emailKey(ana.email),
    phoneKey(ana.phone),
    phoneKey('7375550199'),
  ]);
  await pool.query('truncate progress');
  await save(2, { at_Fault: 'no' });
  expect(await keysOf(id)).toBeNull();
});

test('the opt-out signal and erasure keep a visit from the mirror', async () => {
  const [signal, erased] = [await seedVisit(pool, {}), await seedVisit(pool, {})];
  await pool.query('update clicks set sec_gpc = true where lead_id = $1', [signal]);
  await pool.query('update visits set erased_at = now() where lead_id = $1', [erased]);
  expect(await mayMirror(signal)).toBe(false);
  expect(await mayMirror(erased)).toBe(false);
});
