import { expect, test } from 'vitest';
import {
  randomSummary,
  type Summary,
  seedSummaries,
} from '../../../../tests/support/lead-summaries.ts';
import { ana, clearLedger, seedLead } from '../../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../../tests/support/own-database.ts';
import { personKey } from '../../../../tests/support/person-keys.ts';
import { seededRandom } from '../../../../tests/support/seeded-random.ts';
import type { LeadFilter } from '../../../contract/console/leads.ts';
import type { FilterContext } from './condition.ts';
import { parseLeadFilter, recordedFilter } from './filter.ts';
import {
  countLeads,
  countNewer,
  type LeadListContext,
  leadIdsOf,
  listLeads,
  readLeads,
  readPlace,
} from './list.ts';

const timeZone = 'America/New_York';
const context: FilterContext = {
  ...{ timeZone, personKey, destinationNames: ['ingest', 'webhook', 'mapping'] },
};
const database = await databaseForTests(async (pool) => {
  await clearLedger(pool);
  await pool.query('truncate visit_summaries');
});
const { pool } = database;
const list: LeadListContext = { ...context, db: database.db };

const dayIn = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
const inOne = (value: string | undefined, actual: string) =>
  value === undefined || (value === '(none)' ? '' : value) === actual;

/** The filter in plain TypeScript, for rows without a person behind them. */
function matches(row: Summary, filter: LeadFilter): boolean {
  const { from, to, by, delivery, destination, outcome, qualified } = filter;
  const { hold, variant, tests, q } = filter;
  if (row.received_at === null) return false;
  const day = dayIn.format(new Date(by === 'visit' ? row.began_at : row.received_at));
  const isUnsold = row.deliveries.includes('ingest:no_destination');
  const isErased = row.lead_state === 'erased' && filter.lead === undefined;
  const isOfDelivery = (entry: string) => {
    const [name, state] = entry.split(':');
    return inOne(destination, name ?? '') && inOne(delivery, state ?? '');
  };
  return (
    (from === undefined || day >= from) &&
    (to === undefined || day <= to) &&
    inOne(filter.survey, row.survey) &&
    inOne(filter.lead, row.lead_state ?? '') &&
    inOne(filter.reason, row.reason) &&
    inOne(filter.source, row.source) &&
    inOne(filter.affiliate, row.affiliate) &&
    inOne(filter.state, row.us_state) &&
    inOne(filter.language, row.language) &&
    inOne(filter.device, row.device) &&
    inOne(filter.campaign, row.campaign) &&
    inOne(filter.code, row.code) &&
    (filter.sub === undefined || row.sub_ids.includes(filter.sub)) &&
    ((delivery ?? destination) === undefined || row.deliveries.some(isOfDelivery)) &&
    (qualified === undefined || (!isErased && row.qualified === (qualified === 'yes'))) &&
    (outcome === undefined || !isErased) &&
    (outcome !== 'delivered' || row.is_delivered) &&
    (outcome !== 'rejected' || row.is_rejected) &&
    (outcome !== 'unsold' || (isUnsold && row.lead_state === 'accepted')) &&
    (hold === undefined || row.holds.includes(hold)) &&
    (variant === undefined || row.variants.includes(variant)) &&
    (tests === 'with' || row.is_test === (tests === 'only')) &&
    (q === undefined || (row.name_key ?? '').startsWith(q.toLowerCase()))
  );
}

const filters: readonly LeadFilter[] = [
  {},
  { tests: 'with' },
  { tests: 'only' },
  // The clocks go forward on 8 March 2026.
  { from: '2026-03-08' },
  { from: '2026-03-08', to: '2026-03-08' },
  { from: '2026-03-08', to: '2026-03-08', by: 'visit' },
  { from: '2026-03-09', by: 'visit', outcome: 'rejected' },
  { outcome: 'unsold', source: 'meta' },
  { campaign: 'spring', sub: 'sub2=x' },
  { outcome: 'delivered', device: 'phone' },
  { survey: '/survey/a', language: 'es' },
  { affiliate: '12', state: 'TX' },
  { code: '1004' },
  { lead: 'erased' },
  { delivery: 'dead' },
  { delivery: 'dead', destination: 'webhook' },
  { qualified: 'no' },
  { reason: 'atFault|yes' },
  { hold: 'bot' },
  { source: "o'brien %_" },
  { source: '(none)' },
  { variant: 'theme.dark' },
  { q: "O'Brien" },
  { q: 'mu', source: 'meta', tests: 'with' },
  { lead: 'held', hold: 'bot', qualified: 'no', language: 'es', tests: 'with' },
];

test('each filter finds what the same filter in TypeScript finds', async () => {
  const random = seededRandom('lead filters');
  const rows = Array.from({ length: 1_500 }, () => randomSummary(random));
  await seedSummaries(pool, rows);
  for (const given of filters) {
    const filter = parseLeadFilter(given);
    const expected = rows.filter((row) => matches(row, filter)).sort(newestFirst);
    const ids = expected.map(({ lead_id }) => lead_id);
    const all = await leadIdsOf(list, filter, { limit: 2_000 });
    expect(all, JSON.stringify(filter)).toEqual(ids);
    expect(await countLeads(list, filter)).toEqual({ count: ids.length, isExact: true });
  }
});

function newestFirst(one: Summary, other: Summary): number {
  const keys = [one, other].map(({ received_at, lead_id }) => `${received_at} ${lead_id}`);
  return keys[0] === keys[1] ? 0 : String(keys[0]) < String(keys[1]) ? 1 : -1;
}

/** Reads the whole list. */
async function pagesOf(filter: LeadFilter, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listLeads>> = await listLeads(list, filter, {
      ...{ after: after === null ? undefined : readPlace(after), limit },
    });
    ids.push(...page.rows.map(({ id }) => id));
    after = page.next;
  } while (after !== null);
  return ids;
}

test('the days of an end are those of the delivery', async () => {
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

test('a page shows masked contact details, and says since when the list is known', async () => {
  const at = '2026-03-07T10:00:00.000Z';
  const id = await seedLead(pool, { createdAt: at, deliveries: [{ state: 'dead' }] });
  const row = { ...randomSummary(seededRandom('masked')), lead_id: id, is_test: false };
  await seedSummaries(pool, [{ ...row, received_at: at }]);
  await pool.query('update counting set counted_until = $1', [at]);
  const page = await listLeads(list, {}, { limit: 10 });
  expect(page).toMatchObject({ asOf: at, next: null });
  expect(page.rows).toMatchObject([
    {
      ...{ id, receivedAt: at, name: 'A… D…', phone: '(•••) •••-••23', email: 'A…@M….Example' },
      deliveries: [{ destination: 'ingest', title: 'Lead Prosper', isBuyer: true, state: 'dead' }],
    },
  ]);
  for (const value of Object.values(ana)) expect(JSON.stringify(page)).not.toContain(value);
});

test('open deliveries are found by their state in the ledger, whatever the summary says', async () => {
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

/** Writes listed leads, and returns their ids and what a search finds. */
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

test('a person is found by e-mail address, phone number and the beginning of the id', async () => {
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

test('a lead is found by an id of its click, and by the id that its buyer gave', async () => {
  const buyers = 'bb5f3e9a-0f5e-4d1c-8a43-5a4b3c2d1e0f';
  const { ids, found } = await searched({
    deliveries: [{ state: 'delivered', externalId: buyers }],
  });
  await pool.query(`update clicks set params = '{"gclid":"Cj0KCQiA-x_1"}'`);
  expect(await found('Cj0KCQiA-x_1')).toEqual(ids);
  expect(await found(buyers)).toEqual(ids);
  expect(await found('Cj0KCQiA-x_2')).toEqual([]);
});

test('pages follow each other to the microsecond, in both directions, and newer leads are counted', async () => {
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
  expect(await countNewer(list, {}, readPlace(first ?? ''))).toEqual({ count: 0, isExact: true });
  expect(await countNewer(list, {}, readPlace(next ?? ''))).toEqual({ count: 2, isExact: true });
});

test.each([
  [{ from: '2026-02-30' }, /from.*day/],
  [{ from: '2026-03-02', to: '2026-03-01' }, /ends before/],
  [{ lead: 'gone' }, /lead.*accepted, held, dismissed, erased/],
  [{ by: 'end', from: '2026-03-01' }, /state and the destination/],
  [{ survey: 'x'.repeat(201) }, /longer/],
  [{ source: 'a\0b' }, /character/],
  [{ source: ['a'] }, /one text/],
  [{ q: 'a@' }, /e-mail/],
  [{ q: '%' }, /two letters/],
])('the filter %j is refused', (filter, message) => {
  expect(() => parseLeadFilter(filter)).toThrow(message);
});

test.each(['', 'x', '1_2', `${'9'.repeat(30)}_${crypto.randomUUID()}`, `1_${'-'.repeat(36)}`])(
  '%j is no place',
  (text) => {
    expect(() => readPlace(text)).toThrow(/no place/);
  },
);
