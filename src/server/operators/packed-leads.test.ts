import { expect, test } from 'vitest';
import { testAcceptLead, testLead } from '../../../tests/support/leads.ts';
import {
  ana,
  clearLedger,
  dumpOf,
  keepDays,
  killedWhenBlocked,
  seedLead,
  untilBlocked,
} from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { people, personKey } from '../../../tests/support/person-keys.ts';
import { resendDelivery } from '../delivery/changes.ts';
import { leaseDue, type Want } from '../delivery/leases.ts';
import { createLeadsStore } from '../storage/leads-store.ts';
import { DAMAGED } from '../storage/packed-rows.ts';
import { type Packed, packPortion } from '../storage/packing/job.ts';
import { summariseVisits } from './counts/summaries.ts';
import { erase } from './erase.ts';
import { exportText } from './export.ts';
import { parseLeadFilter } from './lead-list/filter.ts';
import { listLeads } from './lead-list/list.ts';
import { purge } from './retention.ts';
import { findLead } from './selection.ts';
import { readStory } from './story.ts';
import { readConsentTexts } from './system.ts';

const { pool, db } = await databaseForTests(async (pool) => {
  await clearLedger(pool);
  await pool.query('truncate visit_summaries');
  await pool.query(`update packing set begins_at = '-infinity', at = '-infinity', lead_id = $1`, [
    '00000000-0000-0000-0000-000000000000',
  ]);
});

const context = { db, personKey, timeZone: 'America/New_York', destinationNames: ['ingest'] };
const tomorrow = new Date(Date.now() + 26 * 3_600_000);

async function packAll(what: Packed = 'leads'): Promise<number> {
  let packed = 0;
  for (;;) {
    const count = await packPortion(pool, what, tomorrow);
    if (count === undefined) return packed;
    packed += count;
  }
}

const anasDelivery = '01939999-2222-7222-8222-222222222222';

/** Posts a lead as a browser does, and another revision of it. */
async function postLead(): Promise<string> {
  const leadStore = createLeadsStore({ pool, wake: () => undefined });
  const { post } = testAcceptLead({ leadStore });
  const body = testLead({ unknown_field: 'été \u{1f600}' });
  await post(body);
  await post({ ...body, at_Fault: 'yes' });
  return String(body.lead_id);
}

async function textOf(parts: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const part of parts) text += part;
  return text;
}

/** What every reader gets. */
async function readings(leadIds: readonly string[]) {
  const stories = leadIds.map(async (id) => readStory(db, await findLead(pool, id)));
  await summariseVisits(pool, leadIds, { surveys: [], services: [], completeSince: '-infinity' });
  return {
    stories: await Promise.all(stories),
    json: await textOf(exportText(db, {}, 'json')),
    list: await listLeads(context, parseLeadFilter({}), { limit: 10 }),
    summaries: (await pool.query('select * from visit_summaries order by lead_id')).rows,
    texts: await readConsentTexts(pool),
  };
}

test('every reader gets the same of packed leads', async () => {
  const ids = [
    await postLead(),
    await seedLead(pool, { revisions: [ana, { ...ana, city: 'Austin' }] }),
    await seedLead(pool, { state: 'held' }),
  ];
  const before = await readings(ids);
  expect(await packAll()).toBe(3);
  const stored = await pool.query(
    `select 1 from lead_revisions join consents using (lead_id, revision)
     where lead_revisions.packed is null or consents.packed is null`,
  );
  expect(stored.rowCount).toBe(0);
  expect(await readings(ids)).toEqual(before);
});

test('a damaged lead is told, and ends no list, export or queue', async () => {
  const id = await seedLead(pool, {
    revisions: [{ ...ana, tcpa: 'I agree', '1_to_1_consent': 'yes' }],
    deliveries: [{ state: 'waiting', dueAt: '2026-01-01' }],
  });
  const other = await seedLead(pool);
  await packAll();
  const damage = `packed = overlay(packed placing '\\x00' from 40)`;
  await pool.query(`update lead_revisions set ${damage} where lead_id = $1`, [id]);
  await pool.query(`update consents set ${damage} where lead_id = $1`, [id]);
  const { stories, json, list } = await readings([id, other]);
  expect(stories[0]).toMatchObject({
    revisions: [{ body: DAMAGED, fields: DAMAGED }],
    consents: [{ text: DAMAGED.damaged }],
  });
  expect(stories[1]).toMatchObject({ revisions: [{ body: ana }] });
  const csv = await textOf(exportText(db, {}, 'csv'));
  for (const text of [json, csv]) {
    expect(text).toContain(DAMAGED.damaged);
    expect(text).toContain(ana.email);
  }
  expect(list.rows).toHaveLength(2);
  const [leased] = await lease();
  expect(leased?.fields).toBe(DAMAGED);
});

function lease() {
  const want: Want = {
    ...{ destination: 'ingest', slots: 5, recognisesDuplicates: true, account: 'c/s' },
    ...{ usesMappedAccounts: false, payloadVersion: 1, verifiedPayloadVersion: null },
    consent: 'one_to_one',
    stopsAtOptOut: false,
  };
  return leaseDue(pool, { wants: [want], owner: 'test', leaseMs: 60_000, now: undefined });
}

test('a resend of a packed lead finds its fields and its consent', async () => {
  const fields = { ...ana, tcpa: 'I agree', '1_to_1_consent': 'yes' };
  await seedLead(pool, {
    revisions: [fields],
    deliveries: [{ id: anasDelivery, state: 'dead', revision: 1 }],
  });
  await packAll();
  await resendDelivery(pool, anasDelivery);
  expect(await lease()).toMatchObject([{ fields }]);
});

test('a later post is merged with the packed revision', async () => {
  const id = await postLead();
  await packAll();
  const leadStore = createLeadsStore({ pool, wake: () => undefined });
  const { post } = testAcceptLead({ leadStore });
  await post({ lead_id: id, survey: '/survey/v4nv', first_name: 'Mary' });
  const { revisions } = await readStory(db, await findLead(pool, id));
  expect(revisions[2]?.fields).toMatchObject({ first_name: 'Mary', last_name: 'Sandoval' });
});

test('while a process packs, another one does not, and a post waits', async () => {
  const id = await postLead();
  const busy = await pool.connect();
  await busy.query('begin');
  await busy.query('select 1 from consents for update');
  const packing = packPortion(pool, 'leads', tomorrow);
  await untilBlocked(pool);
  expect(await packPortion(pool, 'leads', tomorrow)).toBeUndefined();
  const leadStore = createLeadsStore({ pool, wake: () => undefined });
  const { post } = testAcceptLead({ leadStore });
  const posting = post({ lead_id: id, survey: '/survey/v4nv', first_name: 'Mary' });
  await busy.query('commit');
  busy.release();
  expect(await packing).toBe(1);
  await posting;
  const { revisions } = await readStory(db, await findLead(pool, id));
  expect(revisions[2]?.fields).toMatchObject({ first_name: 'Mary', last_name: 'Sandoval' });
});

test('erasure empties packed leads, and retention keeps who gave a packed consent', async () => {
  const createdAt = '2026-01-01T00:00:00Z';
  const id = await seedLead(pool, { createdAt });
  await packAll();
  const inDays = (days: number) => new Date(Date.parse(createdAt) + days * 86_400_000);
  await purge(pool, keepDays, inDays(1_001));
  const { first_name, last_name, email, phone } = ana;
  const kept = await readStory(db, await findLead(pool, id));
  expect(kept.consents).toMatchObject([
    { text: `I, ${first_name}, agree.`, person: { first_name, last_name, email, phone } },
  ]);
  expect(kept.revisions).toMatchObject([{ body: {}, fields: {} }]);
  expect(await purge(pool, keepDays, inDays(2_001))).toMatchObject({ consents: 1 });
  expect(await purge(pool, keepDays, inDays(2_001))).toMatchObject({ consents: 0 });

  await seedLead(pool);
  await packAll();
  await erase(people(pool), ana.email, 'test');
  const dump = await dumpOf(pool);
  expect(dump).not.toContain(first_name);
  expect((await pool.query('select 1 from lead_revisions where packed is not null')).rowCount).toBe(
    0,
  );
  expect((await pool.query('select 1 from consents where packed is not null')).rowCount).toBe(0);
});

test('packing begins an hour after the migration, goes around busy leads, and survives its end', async () => {
  const first = await seedLead(pool, { createdAt: '2026-01-01T00:00:00Z' });
  const second = await seedLead(pool, { createdAt: '2026-01-02T00:00:00Z' });
  await pool.query(`update packing set begins_at = $1`, [new Date(tomorrow.getTime() + 1)]);
  expect(await packAll()).toBe(0);
  await pool.query(`update packing set begins_at = '-infinity'`);

  const lock = 'select 1 from leads where id = $1 for no key update';
  const other = await pool.connect();
  await other.query('begin');
  await other.query(lock, [second]);
  expect(await packAll()).toBe(1);
  await other.query('rollback');
  other.release();

  const before = await readings([first, second]);
  const busy = 'select 1 from consents where lead_id = $1 for update';
  await killedWhenBlocked(pool, () => packPortion(pool, 'leads', tomorrow), [busy, [second]]);
  expect(await readings([first, second])).toEqual(before);
  expect(await packAll()).toBe(1);
  expect(await readings([first, second])).toEqual(before);
});
