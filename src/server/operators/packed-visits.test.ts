import { expect, test } from 'vitest';
import { hashOfSecret, testAcceptLead, testLead } from '../../../tests/support/leads.ts';
import { ana, blockedBy, clearLedger, dumpOf, keepDays } from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { people, personKey } from '../../../tests/support/person-keys.ts';
import { createFormVisitStore } from '../storage/form-visits-store.ts';
import { createProgressStore } from '../storage/leads-progress.ts';
import { createLeadsStore } from '../storage/leads-store.ts';
import { DAMAGED } from '../storage/packed-rows.ts';
import { packPortion } from '../storage/packing/job.ts';
import { erase } from './erase.ts';
import { purge } from './retention.ts';
import { findLead } from './selection.ts';
import { readStory } from './story.ts';

const { pool, db } = await databaseForTests(async (pool) => {
  await clearLedger(pool);
  await pool.query(`update packing set begins_at = '-infinity', at = '-infinity'`);
});

const id = String(testLead().lead_id);
const secretSha256 = hashOfSecret('the secret of this visit');
const progress = createProgressStore(pool, personKey);
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);

async function packVisits(): Promise<void> {
  while ((await packPortion(pool, 'visits', inHours(26))) !== undefined);
}

const click = {
  ...{ id: 'c11c'.repeat(8), leadId: id, survey: '/survey/v4nv', referer: '', ip: '203.0.113.7' },
  ...{ landingPage: 'https://example.com/survey/v4nv', userAgent: 'TestBrowser/1.0' },
  ...{ params: { s1: 'abc' }, secGpc: false, variants: 'theme.paper' },
};

function save(seqs: readonly number[], more: Partial<typeof click> = {}) {
  const steps = seqs.map((seq) => ({
    ...{ leadId: id, seq, survey: '/survey/v4nv', step: `Step${seq}` },
    ...{ kind: seq === 3 ? 'refused' : 'answered', refused: seq === 3 ? 'phone' : null },
    answers: answersAt[seq] ?? {},
    ...{ seconds: seq % 2 === 0 ? seq : null, at: '2026-11-20T14:00:00.123Z' },
  }));
  return progress.save({ ...click, ...more }, steps, secretSha256);
}
const answersAt: Readonly<Record<number, Record<string, string>>> = {
  2: { first_name: ana.first_name },
  4: { email: ana.email, phone: ana.phone },
};

async function postLead(): Promise<void> {
  const { post } = testAcceptLead({
    leadStore: createLeadsStore({ pool, wake: () => undefined }),
  });
  await post(testLead({ ...ana, ef_transaction_id: click.id }), { secretSha256 });
}

const forgotten = 'select packed, contact_hashes from visits';
const story = async () => readStory(db, await findLead(pool, id));

test('a packed visit that goes on shows the same as one that was never packed', async () => {
  await save([1, 2, 3, 4]);
  await postLead();
  const before = await story();
  await packVisits();
  for (const table of ['clicks', 'progress']) {
    expect((await pool.query(`select 1 from ${table}`)).rowCount).toBe(0);
  }
  expect(await story()).toEqual(before);

  // The browser sends a step again and a new one, from another page.
  await save([3, 5], { params: { s1: 'other', s2: 'new' } as never, secGpc: true });
  const after = await story();
  expect(after.progress.map(({ seq, refused }) => [seq, refused])).toEqual([
    ...[1, 2].map((seq) => [seq, null]),
    [3, 'phone'],
    ...[4, 5].map((seq) => [seq, null]),
  ]);
  expect(after.progress.slice(0, 4)).toEqual(before.progress);
  expect(after.clicks).toEqual([
    { ...before.clicks[0], params: { s1: 'abc', s2: 'new' }, sec_gpc: true },
  ]);
  await packVisits();
  expect(await story()).toEqual(after);
});

test('a form finds what a packed visit had saved', async () => {
  const forms = createFormVisitStore(pool, personKey);
  const load = () => forms.load({ leadId: id, secretSha256 }, 86_400_000);
  await save([1, 2, 3]);
  const before = await load();
  await packVisits();
  expect(await load()).toEqual({
    ...before,
    entries: before?.entries.map((entry) => ({
      ...entry,
      at: new Date(entry.at ?? '').toISOString(),
    })),
  });
});

test('erasure and retention take a packed visit', async () => {
  await save([1, 2, 4]);
  await packVisits();
  expect((await erase(people(pool), ana.email, 'test')).visits).toEqual([id]);
  expect((await pool.query(forgotten)).rows).toEqual([{ packed: null, contact_hashes: null }]);
  expect(await dumpOf(pool)).not.toContain(ana.first_name);

  await clearLedger(pool);
  await save([1, 2]);
  await postLead();
  // A lead that can still be sent is purged later.
  await pool.query(`update deliveries set state = 'delivered', due_at = null`);
  await packVisits();
  expect(await purge(pool, keepDays, inHours(24 * (keepDays.clicks + 1)))).toMatchObject({
    clicks: 1,
  });
  expect((await pool.query('select packed from visits')).rows).toEqual([{ packed: null }]);
});

test('retention waits for a visit that is being packed, and takes what is packed', async () => {
  await save([1, 2]);
  await postLead();
  await pool.query(`update deliveries set state = 'delivered', due_at = null`);
  await blockedBy(
    pool,
    () => purge(pool, keepDays, inHours(24 * (keepDays.clicks + 1))),
    [['select 1 from visits for no key update']],
    [[`update visits set packed = 'packed meanwhile', contact_hashes = '{1}'`]],
  );
  expect((await pool.query(forgotten)).rows).toEqual([{ packed: null, contact_hashes: null }]);
});

test('while visits are counted, nothing is packed', async () => {
  await save([1, 2]);
  const counting = await pool.connect();
  await counting.query('begin');
  await counting.query('select 1 from counting for update');
  expect(await packPortion(pool, 'visits', inHours(26))).toBe(0);
  await counting.query('rollback');
  counting.release();
  expect(await packPortion(pool, 'visits', inHours(26))).toBe(1);
});

test('a damaged visit is told and stays', async () => {
  await save([1, 2]);
  await postLead();
  await packVisits();
  const damage = `update visits set packed = overlay(packed placing '\\x00' from 30) returning packed`;
  const { rows } = await pool.query(damage);
  expect((await story()).progress).toMatchObject([{ step: DAMAGED.damaged }]);
  await save([3]);
  await packVisits();
  expect((await pool.query('select packed from visits')).rows).toEqual(rows);
});
