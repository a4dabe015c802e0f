import { expect, test } from 'vitest';
import {
  randomSummary,
  type Summary,
  seedSummaries,
} from '../../../tests/support/lead-summaries.ts';
import { ana, clearLedger, seedLead } from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { personKey } from '../../../tests/support/person-keys.ts';
import { saleRules } from '../../../tests/support/sale-rules.ts';
import { seededRandom } from '../../../tests/support/seeded-random.ts';
import type { LeadFilter } from '../../model/messages/console/leads.ts';
import { type LeadListContext, parseLeadFilter, recordedFilter } from './lead-filter.ts';
import { countLeads, leadIdsOf, listLeads, readLeads, readPlace } from './lead-list.ts';

const timeZone = 'America/New_York';
const database = await databaseForTests(async (pool) => {
  await clearLedger(pool);
  await pool.query('truncate visit_summaries');
});
const { pool } = database;
const list: LeadListContext = {
  pool,
  timeZone,
  personKey,
  destinationNames: ['ingest', 'webhook', 'mapping'],
  saleRules,
};

/** A lead that none of the tested filters selects. */
const plain: Summary = {
  ...randomSummary(seededRandom('plain')),
  began_at: '2026-03-07T12:00:00Z',
  received_at: '2026-03-08T04:59:00Z',
  survey: '/survey/b',
  language: 'en',
  source: 'meta',
  affiliate: '77',
  us_state: 'NY',
  device: '',
  campaign: '',
  sub_ids: [],
  code: '',
  variants: [],
  is_test: false,
  lead_state: 'accepted',
  reason: '',
  qualified: true,
  holds: [],
  deliveries: [],
  is_delivered: false,
  is_rejected: false,
  name_key: 'diaz ana',
};

test('a lead that waits for a buyer is not called unsold', async () => {
  const deliveries = ['ingest:no_destination', 'webhook:waiting'];
  const unsold = { ...plain, lead_id: crypto.randomUUID(), deliveries };
  const waiting = {
    ...plain,
    lead_id: crypto.randomUUID(),
    deliveries: [...deliveries, 'ingest/smith:waiting'],
  };
  await seedSummaries(pool, [unsold, waiting]);
  const found = await leadIdsOf(list, parseLeadFilter({ outcome: 'unsold' }), { limit: 10 });
  expect(found).toEqual([unsold.lead_id]);
});

test('a lead went to nobody if all buyers passed it over', async () => {
  const lead = (...deliveries: string[]) => ({
    ...plain,
    lead_id: crypto.randomUUID(),
    deliveries,
  });
  const none = ['ingest:passed_over', 'ingest:buyer_off', 'webhook:delivered'];
  const nobody = lead(...none, 'ingest/smith:passed_over', 'ingest/smith:outside_states');
  const others = ['waiting', 'delivered', 'rejected', 'uncertain', 'dead'].map((state) =>
    lead(...none, `ingest/smith:${state}`),
  );
  await seedSummaries(pool, [nobody, ...others]);
  const filter = parseLeadFilter({ outcome: 'passed_over' });
  expect(await leadIdsOf(list, filter, { limit: 10 })).toEqual([nobody.lead_id]);
});

test.each<[LeadFilter, Partial<Summary>]>([
  [{ tests: 'only' }, { is_test: true }],
  // In New York, this day has 23 hours, because the clocks go forward.
  [{ from: '2026-03-08', to: '2026-03-08' }, { received_at: '2026-03-09T03:59:00Z' }],
  [{ from: '2026-03-08', by: 'visit' }, { began_at: '2026-03-08T05:00:00Z' }],
  [{ outcome: 'delivered' }, { deliveries: ['ingest:delivered'], is_delivered: true }],
  [{ outcome: 'rejected' }, { deliveries: ['ingest:rejected'], is_rejected: true }],
  [{ outcome: 'unsold' }, { deliveries: ['ingest:no_destination'] }],
  [{ outcome: 'passed_over' }, { deliveries: ['ingest:passed_over', 'ingest:buyer_off'] }],
  [{ delivery: 'dead' }, { deliveries: ['webhook:dead'] }],
  [
    { delivery: 'dead', destination: 'webhook' },
    { deliveries: ['ingest:rejected', 'webhook:dead'] },
  ],
  [{ destination: 'webhook' }, { deliveries: ['webhook:rejected'] }],
  [{ leftOut: 'cap_reached' }, { deliveries: ['ingest:cap_reached', 'ingest:passed_over'] }],
  [
    { survey: '/survey/a', language: 'es' },
    { survey: '/survey/a', language: 'es' },
  ],
  [
    { lead: 'held', hold: 'bot' },
    { lead_state: 'held', holds: ['bot'] },
  ],
  [{ lead: 'erased' }, { lead_state: 'erased' }],
  [
    { qualified: 'no', reason: 'atFault|yes' },
    { qualified: false, reason: 'atFault|yes' },
  ],
  [{ source: "o'brien %_" }, { source: "o'brien %_" }],
  [{ source: '(none)' }, { source: '' }],
  [
    { affiliate: '12', state: 'TX' },
    { affiliate: '12', us_state: 'TX' },
  ],
  [
    { device: 'phone', code: '1004' },
    { device: 'phone', code: '1004' },
  ],
  [
    { campaign: 'spring', sub: 'sub2=x' },
    { campaign: 'spring', sub_ids: ['sub1=a', 'sub2=x'] },
  ],
  [{ variant: 'theme.dark' }, { variants: ['buttons.plain', 'theme.dark'] }],
  [{ q: "O'B" }, { name_key: "o'brien cy" }],
])('a filter selects only the leads that meet all conditions', async (given, changes) => {
  const row = { ...plain, ...changes, lead_id: crypto.randomUUID() };
  const halves = Object.entries(changes).map(([name, value]) => ({
    ...plain,
    [name]: value,
    lead_id: crypto.randomUUID(),
  }));
  const visit = { ...row, lead_id: crypto.randomUUID(), received_at: null, lead_state: null };
  await seedSummaries(pool, [plain, row, visit, ...(halves.length > 1 ? halves : [])]);
  const filter = parseLeadFilter(given);
  expect(await leadIdsOf(list, filter, { limit: 10 })).toEqual([row.lead_id]);
  expect(await countLeads(list, filter)).toEqual({ count: 1, isExact: true });
});

async function pagesOf(filter: LeadFilter, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listLeads>> = await listLeads(list, filter, {
      after: after === null ? undefined : readPlace(after),
      limit,
    });
    ids.push(...page.rows.map(({ id }) => id));
    after = page.next;
  } while (after !== null);
  return ids;
}

test('a lead filter can select leads by the day on which a delivery ended', async () => {
  const at = '2026-03-07T10:00:00.000Z';
  const row = { ...randomSummary(seededRandom('ended')), received_at: at, is_test: false };
  const seed = async (finishedAt: string) => {
    const lead_id = await seedLead(pool, {
      createdAt: at,
      deliveries: [{ state: 'dead', finishedAt }],
    });
    await seedSummaries(pool, [{ ...row, lead_id, deliveries: ['ingest:dead'] }]);
    return lead_id;
  };
  await seed('2026-03-08T03:00:00Z');
  const later = await seed('2026-03-09T03:00:00Z');
  const dead = { delivery: 'dead', destination: 'ingest', from: '2026-03-08' };
  expect(await pagesOf({ ...dead, by: 'end' }, 10)).toEqual([later]);
  expect(await pagesOf(dead, 10)).toEqual([]);
});

test('the lead list masks contact details', async () => {
  const at = '2026-03-07T10:00:00.000Z';
  const id = await seedLead(pool, { createdAt: at, deliveries: [{ state: 'dead' }] });
  const row = { ...randomSummary(seededRandom('masked')), lead_id: id, is_test: false };
  await seedSummaries(pool, [{ ...row, received_at: at }]);
  await pool.query('update counting set counted_until = $1', [at]);
  const page = await listLeads(list, {}, { limit: 10 });
  expect(page).toMatchObject({ asOf: at, next: null });
  expect(page.rows).toMatchObject([
    {
      id,
      receivedAt: at,
      name: 'A… D…',
      phone: '(•••) •••-••23',
      email: 'A…@M….Example',
      deliveries: [{ title: 'Lead Prosper', isBuyer: true, state: 'dead' }],
    },
  ]);
  for (const value of Object.values(ana)) expect(JSON.stringify(page)).not.toContain(value);
});

test('a filter for open deliveries ignores outdated summaries', async () => {
  const row = { ...randomSummary(seededRandom('open')), is_test: false };
  const seed = async (state: string, destination = 'ingest') => {
    const lead_id = await seedLead(pool, { deliveries: [{ state, destination }] });
    await seedSummaries(pool, [
      { ...row, lead_id, received_at: row.began_at, deliveries: [`${destination}:waiting`] },
    ]);
    return lead_id;
  };
  const retrying = await seed('retrying');
  const other = await seed('retrying', 'webhook');
  await seed('delivered');
  const both = [retrying, other].sort().reverse();
  expect(await pagesOf({ delivery: 'retrying' }, 10)).toEqual(both);
  expect(await pagesOf({ delivery: 'retrying', destination: 'webhook' }, 10)).toEqual([other]);
  expect(await pagesOf({ delivery: 'waiting' }, 10)).toEqual([]);
});

/** Stores leads, and returns their ids with a search function. */
async function searched(...leads: Parameters<typeof seedLead>[1][]) {
  const row = { ...randomSummary(seededRandom('person')), is_test: false };
  const ids: string[] = [];
  for (const lead of leads) {
    const lead_id = await seedLead(pool, lead);
    ids.push(lead_id);
    await seedSummaries(pool, [{ ...row, received_at: row.began_at, lead_id }]);
  }
  return { ids, found: (q: string) => pagesOf(parseLeadFilter({ q }), 10) };
}

test('a search finds a lead by e-mail address, phone number or the beginning of the lead’s id', async () => {
  const { ids, found } = await searched(
    { revisions: [ana, { email: 'new@mail.example' }] },
    { revisions: [{ email: 'bea@mail.example' }] },
  );
  const [id = ''] = ids;
  for (const q of [
    ' ANA.diaz@mail.example',
    'new@mail.example',
    '+1 (512) 555-0123',
    id.replaceAll('-', '').slice(0, 12).toUpperCase(),
  ]) {
    expect(await found(q), q).toEqual([id]);
  }
  expect(await found('nobody@mail.example')).toEqual([]);
  expect(recordedFilter({ q: ana.email, source: 'x' })).toEqual({ q: '(email)', source: 'x' });
});

test('a search finds a lead by the click id or by the id that the buyer gave to the lead', async () => {
  const buyers = 'bb5f3e9a-0f5e-4d1c-8a43-5a4b3c2d1e0f';
  const { ids, found } = await searched({
    deliveries: [{ state: 'delivered', externalId: buyers }],
  });
  await pool.query(`update clicks set params = '{"gclid":"Cj0KCQiA-x_1"}'`);
  expect(await found('Cj0KCQiA-x_1')).toEqual(ids);
  expect(await found(buyers)).toEqual(ids);
  expect(await found('Cj0KCQiA-x_2')).toEqual([]);
});

test('pages of the lead list neither repeat nor skip leads that arrived in the same millisecond', async () => {
  const row = { ...randomSummary(seededRandom('pages')), is_test: false };
  const seconds = ['00.000001', '00.000002', '00.000002', '00.0009', '01'];
  for (const second of seconds) {
    const received_at = `2026-07-01T12:00:${second}Z`;
    const lead_id = await seedLead(pool, { createdAt: received_at });
    await seedSummaries(pool, [{ ...row, lead_id, received_at }]);
  }
  const { rows } = await pool.query<{ id: string }>(
    'select lead_id as id from visit_summaries order by received_at desc, lead_id desc',
  );
  const ids = rows.map(({ id }) => id);
  const from = '2026-07-01T12:00:00.000Z';
  for (const filter of [{}, { from, to: '2026-07-01T12:00:02.000Z' }]) {
    expect(await pagesOf(filter, 2)).toEqual(ids);
    let newer = await readLeads(list, filter, { direction: 'newer', limit: 2 });
    for (let after = newer.at(-1); after !== undefined; ) {
      const more = await readLeads(list, filter, { after, direction: 'newer', limit: 2 });
      newer = [...newer, ...more];
      after = more.at(-1);
    }
    expect(newer.map(({ id }) => id).reverse()).toEqual(ids);
  }
  expect(await pagesOf({ to: '2026-07-01T12:00:01.000Z' }, 10)).toEqual(ids.slice(1));
  const { first, next } = await listLeads(list, {}, { limit: 3 });
  const newer = (place: string | null) =>
    countLeads(list, {}, { after: readPlace(place ?? ''), direction: 'newer', limit: 100 });
  expect(await newer(first)).toEqual({ count: 0, isExact: true });
  expect(await newer(next)).toEqual({ count: 2, isExact: true });
});

test.each([
  [{ from: '2026-02-30' }, /from.*day/],
  [{ from: '2026-03-02', to: '2026-03-01' }, /ends before/],
  [{ lead: 'gone' }, /lead.*accepted, held, dismissed, erased/],
  [{ by: 'end', from: '2026-03-01' }, /state and the destination/],
  [{ source: 'a\0b' }, /character/],
  [{ q: 'a@' }, /e-mail/],
])('the lead list refuses the invalid filter %j', (filter, message) => {
  expect(() => parseLeadFilter(filter)).toThrow(message);
});

test.each(['', 'x', '1_2', `${'9'.repeat(30)}_${crypto.randomUUID()}`, `1_${'-'.repeat(36)}`])(
  'readPlace throws for the invalid position %j',
  (text) => {
    expect(() => readPlace(text)).toThrow(/no place/);
  },
);
