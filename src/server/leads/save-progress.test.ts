import { describe, expect, it, test, vi } from 'vitest';
import { noByteLimit, testNow, testVisitor } from '../../../tests/support/leads.ts';
import { ana, clearLedger, emailKey, phoneKey, seedVisit } from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { personKey } from '../../../tests/support/person-keys.ts';
import {
  type ClickRecord,
  createProgressStore,
  createSaveProgress,
  type ProgressRecord,
} from './save-progress.ts';

const session = {
  lead_id: '01939999-1111-7111-8111-AAAAAAAAAAAA',
  survey: '/survey/v4nv',
  click_id: '0123456789abcdef0123456789abcdef',
  landing_page: 'https://claims.example.com/survey/v4nv',
  params: { s1: 'abc', n: 1 },
  referer: '',
  started_at: '2026-11-20T14:00:00Z',
};
const entry = {
  seq: 1,
  kind: 'answered',
  step: 'AtFault',
  answers: { at_Fault: 'no', hacked: 'x' },
  seconds: 4,
  at: '2026-11-20T14:00:10Z',
};

const tooManySteps = vi.fn();
const limits = { addressBytes: noByteLimit, stepsPerVisit: 500, tooManySteps, now: () => testNow };

function saving() {
  const save = vi.fn(
    async (_click: ClickRecord, entries: readonly ProgressRecord[], _secretSha256: string | null) =>
      entries.map(({ seq }) => seq),
  );
  const mayMirror = vi.fn(async () => true);
  const store = { save, mayMirror };
  return { save, mayMirror, store, saveProgress: createSaveProgress({ ...limits, store }) };
}

describe('saving progress', () => {
  it('stores the ad click’s parameters without personal data', async () => {
    const { save, saveProgress } = saving();
    const params = { s1: 'abc', email: 'a@b.example', firstName: 'Ann', 'zip-code': '10001' };
    await saveProgress({ session: { ...session, params }, data: [] }, testVisitor);
    expect(save.mock.calls[0]?.[0].params).toEqual({ s1: 'abc' });
  });

  it('stores a list of refused fields without unknown field names', async () => {
    const { save, store } = saving();
    const mirror = vi.fn();
    const saveProgress = createSaveProgress({ ...limits, store, mirror });
    const refused = ['phone', 'phone', 'hacked,zip_code', 7, 'zip_code'];
    const data = [
      { seq: 1, kind: 'refused', step: 'PhoneAndZip', refused },
      { ...entry, seq: 2, refused },
    ];
    await saveProgress({ session, data }, testVisitor);
    expect(save.mock.calls[0]?.[1].map((each) => each.refused)).toEqual(['phone,zip_code', null]);
    expect(mirror.mock.calls[0]?.[0].data).toEqual([
      { ...entry, seq: 2, at: expect.any(String), answers: { at_Fault: 'no' } },
    ]);
    const failed = { seq: 3, kind: 'failed', step: 'PhoneAndZip' };
    await saveProgress({ session, data: [...data.slice(0, 1), failed] }, testVisitor);
    expect(mirror).toHaveBeenCalledOnce();
  });
});

describe('the progress that is sent to SAVE_DATA_URL', () => {
  it('contains neither the IP address nor the queries of URLs', async () => {
    const { save, store } = saving();
    save.mockResolvedValueOnce([2]);
    const mirror = vi.fn();
    const saveProgress = createSaveProgress({ ...limits, store, mirror });
    const visit = { ...session, landing_page: 'https://x.example/a?email=a%40b.c', referer: 'no' };
    const second = { ...entry, seq: 2 };
    await saveProgress({ session: visit, data: [{ ...entry, seq: 1 }, second] }, testVisitor);
    const { lead_id, survey } = session;
    expect(mirror).toHaveBeenCalledExactlyOnceWith({
      session: expect.objectContaining({
        lead_id: lead_id.toLowerCase(),
        survey,
        landing_page: 'https://x.example/a',
        referer: '',
      }),
      data: [{ ...second, answers: { at_Fault: 'no' }, at: expect.stringMatching(/^2026-11-20T/) }],
    });
    expect(JSON.stringify(mirror.mock.calls)).not.toContain(testVisitor.address);
  });
});

const { pool } = await databaseForTests(clearLedger);

const mayMirror = (id: string) => createProgressStore(pool, personKey).mayMirror(id);
const mirroredAt = async (id: string) =>
  (await pool.query('select mirrored_at from visits where lead_id = $1', [id])).rows[0]
    ?.mirrored_at;

test.each([
  ['email', { email: ` ${ana.email}` }, emailKey(ana.email)],
  ['phone', { phone: '(512) 555-0123' }, phoneKey(ana.phone)],
  ['phone', { phoneNumber: '+1 512 555 0123' }, phoneKey(ana.phone)],
])('the progress of a suppressed person is not sent to SAVE_DATA_URL', async (kind, said, key) => {
  await pool.query(`insert into suppressions (key, kind, actor) values ($1, $2, 'x')`, [key, kind]);
  const id = await seedVisit(pool, said);
  expect(await mayMirror(id)).toBe(false);
  expect(await mirroredAt(id)).toBeNull();
});

const keysOf = async (id: string) =>
  (await pool.query('select contact_keys from progress where lead_id = $1', [id])).rows[0]
    ?.contact_keys;

test('a saved step has keyed hashes of the visitor’s e-mail address and phone numbers', async () => {
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

test('the progress of an erased visit is not sent to SAVE_DATA_URL', async () => {
  const [signal, erased] = [await seedVisit(pool, {}), await seedVisit(pool, {})];
  await pool.query('update clicks set sec_gpc = true where lead_id = $1', [signal]);
  await pool.query('update visits set erased_at = now() where lead_id = $1', [erased]);
  expect(await mayMirror(signal)).toBe(false);
  expect(await mayMirror(erased)).toBe(false);
});
