import { expect, test } from 'vitest';
import {
  ana,
  blockedBy,
  clearLedger,
  emailKey,
  phoneKey,
  seedVisit,
} from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { personKey } from '../../../tests/support/person-keys.ts';
import { keyAnswers } from './contact-keys.ts';
import { createProgressStore } from './leads-progress.ts';

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
    ...{ id: 'c', leadId: id, survey: '', landingPage: '', params: {}, referer: '', ip: '' },
    ...{ userAgent: '', secGpc: false, variants: '' },
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

test('steps of an earlier version are not mirrored before they are keyed', async () => {
  const id = await seedVisit(pool, { email: ana.email });
  await pool.query('update progress set contact_keys = null');
  expect(await mayMirror(id)).toBe(false);
  await keyAnswers(pool, personKey);
  expect(await keysOf(id)).toEqual([emailKey(ana.email)]);
  expect(await mayMirror(id)).toBe(true);
});

const formKeysOf = async (id: string) =>
  (await pool.query('select form_keys from visits where lead_id = $1', [id])).rows[0]?.form_keys;

test.each(['progress', 'visits'])(
  'keying waits for %s that another process is keying',
  async (table) => {
    const id = await seedVisit(pool, { email: ana.email });
    await pool.query('update progress set contact_keys = null');
    await pool.query('update visits set form = $1', [{ more: { email: ana.email } }]);
    const keying = () => keyAnswers(pool, personKey);
    await blockedBy(pool, keying, [[`select 1 from ${table} for update`]]);
    expect(await keysOf(id)).toEqual([emailKey(ana.email)]);
    expect(await formKeysOf(id)).toEqual([emailKey(ana.email)]);
  },
);

test('an interrupted keying continues, and leaves nothing out', async () => {
  await pool.query(
    `insert into progress (lead_id, seq, survey, step, kind, answers)
     select ('00000000-0000-7000-8000-' || lpad((n / 3)::text, 12, '0'))::uuid, n, '', 'A', 'answered',
       jsonb_build_object('phone', '512555' || lpad(n::text, 4, '0')) from generate_series(1, 1200) as n`,
  );
  await pool.query(
    `insert into visits (lead_id, form)
     select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
       jsonb_build_object('more', jsonb_build_object('phone', '512555' || lpad(n::text, 4, '0')))
     from generate_series(1, 1100) as n`,
  );
  const left = async () => {
    const { rows } = await pool.query(
      `select (select count(*)::int from progress where contact_keys is null) as steps,
        (select count(*)::int from visits where form_keys is null) as forms`,
    );
    return rows;
  };
  let portions = 0;
  const stopped = {
    get aborted() {
      return portions++ > 0;
    },
  } as AbortSignal;
  await keyAnswers(pool, personKey, stopped);
  expect(await left()).toEqual([{ steps: 700, forms: 600 }]);
  await keyAnswers(pool, personKey);
  expect(await left()).toEqual([{ steps: 0, forms: 0 }]);
});

test('the opt-out signal and erasure keep a visit from the mirror', async () => {
  const [signal, erased] = [await seedVisit(pool, {}), await seedVisit(pool, {})];
  await pool.query('update clicks set sec_gpc = true where lead_id = $1', [signal]);
  await pool.query('update visits set erased_at = now() where lead_id = $1', [erased]);
  expect(await mayMirror(signal)).toBe(false);
  expect(await mayMirror(erased)).toBe(false);
});
