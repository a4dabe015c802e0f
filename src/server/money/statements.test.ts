import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { planning } from '../../../tests/support/plans.ts';
import { seededRandom } from '../../../tests/support/seeded-random.ts';
import type { StatementRequest } from '../../model/messages/console/statements.ts';
import { compareStatement } from './compare-statement.ts';
import { addStatement, decideDifferences, listStatements, readDifferences } from './statements.ts';

const { pool, connectionString } = await databaseForTests();
beforeEach(() =>
  pool.query('truncate leads, deliveries, money_entries, statements, buyers cascade'),
);

const by = { actor: 'ana@example.com', timeZone: 'America/New_York' };
const november = { firstDay: '2026-11-01', lastDay: '2026-11-30' };

type Seeded = {
  readonly id: string;
  readonly externalId?: string;
  /** The state of its delivery. */
  readonly state: string;
  /** Cents. 0: it was not sold. */
  readonly sold: number;
  readonly isReturned?: boolean;
  readonly at?: string;
  readonly destination?: string;
};

async function seed(leads: readonly Seeded[]): Promise<void> {
  const rows = leads.map((lead) => ({
    at: '2026-11-10T12:00:00Z',
    destination: 'ingest',
    ...lead,
  }));
  const given = `jsonb_to_recordset($1::jsonb) as lead(id uuid, "externalId" text, state text, sold numeric,
    "isReturned" boolean, at timestamptz, destination text)`;
  const values = [JSON.stringify(rows)];
  await pool.query(
    `insert into leads (id, survey, flow, language, qualified, lead_is_qualified, do_not_send_to_dq)
     select id, '/survey/v4nv', 'v4', 'en', true, true, 'no' from ${given}`,
    values,
  );
  await pool.query(
    `insert into deliveries (id, lead_id, destination, state, external_id, finished_at)
     select gen_random_uuid(), id, destination, state, "externalId", at from ${given}`,
    values,
  );
  for (const [kind, sign, wanted] of [
    ['sale', 1, 'sold > 0'],
    ['return', -1, 'sold > 0 and "isReturned"'],
  ]) {
    await pool.query(
      `insert into money_entries (id, key, kind, amount, currency, at, lead_id, destination, source, actor)
       select gen_random_uuid(), '${kind} ' || id, '${kind}', ${sign} * sold / 100, 'USD', at, id, destination, 'terms', 'test'
       from ${given} where ${wanted}`,
      values,
    );
  }
}

const request = (csv: string, more: Partial<StatementRequest> = {}): StatementRequest => ({
  destination: 'ingest',
  fileName: 'november.csv',
  csv,
  isDryRun: false,
  ...november,
  ...more,
});
const compare = (csv: string, more: Partial<StatementRequest> = {}) =>
  addStatement(pool, request(csv, { isDryRun: true, ...more }), by);

const stored = async () => {
  const [statement] = await listStatements(pool);
  if (!statement) return undefined;
  const states = ['open', 'explained', 'disputed'] as const;
  return { ...statement, differences: await readDifferences(pool, statement.id, states) };
};

const money = (cents: number) => (cents / 100).toFixed(2);

test('of 10,000 leads, 20 planted differences are found and none is invented', async () => {
  const { integer, next } = seededRandom('a statement of 10,000 leads');
  const leads = Array.from({ length: 10_000 }, (_, index) => {
    const isSold = index < 20 || next() < 0.9;
    return {
      id: randomUUID(),
      externalId: `LP-${index}`,
      state: isSold ? 'delivered' : 'rejected',
      sold: isSold ? integer(1, 50_000) : 0,
      isReturned: index >= 20 && isSold && next() < 0.1,
      at: new Date(Date.UTC(2026, 10, integer(2, 29), integer(0, 24))).toISOString(),
    };
  });
  await seed(leads);
  // Another month, another buyer and refused leads are no differences.
  const apart = { id: randomUUID(), state: 'delivered', sold: 100 };
  await seed([
    { ...apart, at: '2026-12-01T12:00:00Z' },
    { ...apart, id: randomUUID(), destination: 'other' },
  ]);

  const planted: string[] = [];
  const lines = leads.flatMap((lead, index) => {
    const { id, externalId, sold } = lead;
    const isOurs = next() < 0.5;
    const name = isOurs ? id.toUpperCase() : externalId;
    const state = lead.isReturned ? 'Returned' : sold > 0 ? 'Accepted' : 'Declined';
    const line = (cents: number, word = state) => `${name},"$${money(cents)}",${word},11/10/2026`;
    const plant = (kind: string, cents: number) =>
      planted.push(`${kind} ${kind === 'missing_there' ? id : name} ${money(cents)}`);
    if (index >= 20) return [line(sold)];
    switch (index % 5) {
      case 0:
        plant('missing_there', -sold);
        return [];
      case 1: {
        const off = next() < 0.5 ? 1 : -1;
        plant('price', off);
        return [line(sold + off)];
      }
      case 2:
        plant('state', -sold);
        return [line(sold, 'Returned')];
      case 3:
        plant('twice', sold);
        return [line(sold), line(sold)];
      default:
        planted.push(`missing_here X-${index} ${money(sold)}`);
        return [line(sold), `X-${index},${money(sold)},Accepted,11/10/2026`];
    }
  });
  const shuffled = lines.toSorted(() => next() - 0.5);
  const csv = ['Lead ID,Payout,Status,Date', ...shuffled].join('\r\n');
  const done = await addStatement(pool, request(csv), by);
  const { found, agree, differences, ours, theirs } = done;
  const seen = differences.map((one) => `${one.kind} ${one.reference} ${one.amount.toFixed(2)}`);
  expect(seen.sort()).toEqual(planted.sort());
  expect([found, agree]).toEqual([20, 9_984]);
  const owed = leads.reduce((sum, { sold, isReturned }) => sum + (isReturned ? 0 : sold), 0);
  expect(money(100 * ours)).toBe(money(owed));
  const apartBy = differences.reduce((sum, { amount }) => sum + Math.round(100 * amount), 0);
  expect(Math.round(100 * theirs)).toBe(owed + apartBy);
});

const lead: Seeded = { id: randomUUID(), externalId: 'LP-1', state: 'delivered', sold: 5_000 };
const returned = { ...lead, isReturned: true };
const unsold = { ...lead, sold: 0 };
const refused = { ...unsold, state: 'rejected' };

test.each<[string, Seeded, string, ...string[]]>([
  ['both ids in one line', lead, `id,external id,price\nZ9,LP-1,50`],
  ['a price without a state', lead, `id,price\nLP-1,49.99`, 'price sold, $49.99'],
  ['no prices', lead, 'id,status\nLP-1,sold'],
  ['no prices, but a return', lead, 'id,status\nLP-1,returned', 'state returned, $0.00'],
  ['a return whose price is shown', returned, 'id,price,status\nLP-1,50,refunded'],
  ['a return without a price', returned, 'id,price,status\nLP-1,,Returned'],
  ['a sale and its credit', returned, 'id,price\nLP-1,50\nLP-1,-50'],
  ['a credit alone', returned, 'id,price\nLP-1,(50)'],
  ['a return that we do not have', lead, 'id,price\nLP-1,50\nLP-1,-50', 'state returned, $0.00'],
  ['a part of the price back', lead, 'id,price\nLP-1,50\nLP-1,-20', 'price sold, $30.00'],
  ['a return that they do not have', returned, 'id,price\nLP-1,50', 'price sold, $50.00'],
  ['a lead twice', lead, `id,price\nLP-1,50\n${lead.id},50`, 'twice sold, $100.00'],
  ['a word that we do not know', lead, 'id,price,state\nLP-1,50,TX'],
  ['a lead owed when it signs', unsold, 'id,price,status\nLP-1,0,accepted'],
  ['a lead that we refuse to have sold', refused, 'id,price\nLP-1,50', 'price sold, $50.00'],
  ['a refusal on both sides', refused, 'id,price,status\nLP-1,50,declined'],
  ['a refusal under an unknown id', refused, 'id,price,status\nQ7,50,duplicate'],
  [
    'a refusal that we do not have',
    lead,
    'id,price,status\nLP-1,0,rejected',
    'state rejected, $0.00',
  ],
  ['a lead of nobody', refused, 'id,price\nQ7,50', 'missing_here sold, $50.00'],
])('%s', async (_, given, csv, ...expected) => {
  await seed([given]);
  const { differences } = await compare(csv);
  expect(differences.map(({ kind, theirs }) => `${kind} ${theirs}`)).toEqual(expected);
});

test('a bad line is named, and its lead is not reported as missing', async () => {
  await seed([lead, { ...lead, id: randomUUID(), externalId: 'LP-2' }]);
  const csv = 'id,price,status\nLP-1,fifty,sold\nTotal,100,\nAna Diaz,50,sold\nLP-2,50,sold';
  const { refused: bad, lines, agree, differences } = await compare(csv);
  expect(bad).toEqual([
    { line: 2, reason: expect.stringContaining('amount in US dollars') },
    { line: 3, reason: expect.stringContaining('no lead id') },
    { line: 4, reason: expect.stringContaining('no lead id') },
  ]);
  expect([lines, agree, differences]).toEqual([1, 1, []]);
});

test('a dry run says which columns were taken for what, and stores nothing', async () => {
  await seed([lead]);
  const csv = '"Lead ID";Payout;State;Date\nLP-1;50;TX;11/3/2026\nLP-9;50;TX;2026-11-20 10:00';
  const days = { firstDay: undefined, lastDay: undefined };
  expect(await compare(csv, days)).toMatchObject({
    columns: { lead: 'Lead ID', price: 'Payout', state: 'State', date: 'Date' },
    unknownWords: ['TX'],
    firstDay: '2026-11-03',
    lastDay: '2026-11-20',
    found: 1,
  });
  expect(await stored()).toBeUndefined();
});

test.each([
  ['name,price\nx,1', {}, 'No column has lead ids'],
  ['id\nLP-1', { firstDay: undefined }, 'Give the first and the last day'],
  ['id\nLP-1', { lastDay: '2026-10-01' }, 'Give the first and the last day'],
])('the statement %j with %j is refused', async (csv, more, why) => {
  await expect(compare(csv, more)).rejects.toThrow(why);
});

test('the period begins and ends in the time zone of the buyer', async () => {
  await seed([
    { ...lead, at: '2026-12-01T05:30:00Z' },
    { ...lead, id: randomUUID(), at: '2026-12-01T08:30:00Z' },
  ]);
  expect((await compare('id\n')).found).toBe(0);
  await pool.query(`insert into buyers (destination, terms, changed_by)
    values ('ingest', '{"timeZone": "America/Los_Angeles", "name": "Smith"}', 'test')`);
  expect((await compare('id\n')).differences).toMatchObject([{ leadId: lead.id }]);
});

test.each(['America/Chicago', 'UTC'])(
  'a comparison by days of %s reports only the planted differences',
  async (zone) => {
    await pool.query(`insert into buyers (destination, terms, changed_by)
    values ('ingest', '{"timeZone": "America/Chicago", "name": "Garza"}', 'test')`);
    // Every two hours from a day before the period to a day after it. Each fifth lead signs two days later.
    const leads = Array.from({ length: 72 }, (_, index) => ({
      ...lead,
      id: randomUUID(),
      at: new Date(Date.UTC(2026, 10, 8, 2 * index + 1)).toISOString(),
    }));
    await seed(leads);
    await pool.query(`insert into money_entries (id, key, kind, amount, currency, at, lead_id, destination, source, actor)
    select gen_random_uuid(), 'signed ' || lead_id, 'sale', 1200, 'USD', at + interval '2 days', lead_id, destination, 'terms', 'test'
    from money_entries where extract(hour from at)::int % 5 = 0`);
    const { rows: sales } = await pool.query<{ id: string; amount: number; day: string }>(
      `select lead_id as id, amount::float8 as amount, to_char(at at time zone $1, 'MM/DD/YYYY') as day from money_entries
     where (at at time zone $1)::date between '2026-11-10' and '2026-11-12' order by at, key`,
      [zone],
    );
    const lines = sales.map(
      ({ id, amount, day }, index) => `${id},${index === 0 ? amount - 30 : amount},${day}`,
    );
    const csv = ['id,price,date', ...lines.toSpliced(-1)].join('\n');
    const { differences } = await compare(csv, { firstDay: '2026-11-10', lastDay: '2026-11-12' });
    expect(differences.map(({ leadId, amount }) => [leadId, amount])).toEqual([
      [sales[0]?.id, -30],
      [sales.at(-1)?.id, -(sales.at(-1)?.amount ?? 0)],
    ]);
  },
);

test.each(['billed', 'returned'])(
  'a lead that was returned after the period may be listed as %s',
  async (word) => {
    await seed([lead]);
    await pool.query(`insert into money_entries (id, key, kind, amount, currency, at, lead_id, destination, source, actor)
    select gen_random_uuid(), 'back', 'return', -amount, 'USD', '2026-12-02', lead_id, destination, 'operator', 'test' from money_entries`);
    expect((await compare(`id,price,status\nLP-1,50,${word}`)).differences).toEqual([]);
  },
);

test('a sale at `signed` after the period is no difference', async () => {
  await seed([lead]);
  await pool.query(`insert into money_entries (id, key, kind, amount, currency, at, lead_id, destination, source, actor)
    select gen_random_uuid(), 'signed', 'sale', 1200, 'USD', '2026-12-05', lead_id, destination, 'terms', 'test' from money_entries`);
  const price = lead.sold / 100;
  expect(await compare(`id,price\n${lead.id},${price}`)).toMatchObject({ found: 0, ours: price });
});

test('a statement of the same period replaces the first, and keeps what was decided', async () => {
  await seed([lead, { ...lead, id: randomUUID(), externalId: 'LP-2' }]);
  await addStatement(pool, request('id,price\nLP-1,40\nLP-2,40\nX-1,10'), by);
  const first = await stored();
  const of = (reference: string) => first?.differences.find((one) => one.reference === reference);
  const id = first?.id ?? '';
  const decision = { number: of('LP-1')?.number, state: 'explained', reason: 'agreed' } as const;
  await decideDifferences(pool, id, decision, 'ana');
  const rest = { state: 'disputed', reason: 'asked' } as const;
  await decideDifferences(pool, id, rest, 'ana');
  await expect(decideDifferences(pool, id, rest, 'ana')).rejects.toThrow('reload');

  await addStatement(pool, request('id,price\nLP-2,40\nLP-1,40'), by);
  const second = await stored();
  expect(await listStatements(pool)).toHaveLength(1);
  expect(second).toMatchObject({ id, ours: 100, theirs: 80 });
  expect(second?.differences.map((one) => [one.reference, one.state, one.note]).sort()).toEqual([
    ['LP-1', 'explained', 'agreed'],
    ['LP-2', 'disputed', 'asked'],
  ]);
  expect(second?.sums).toEqual([
    { state: 'disputed', differences: 1, amount: -10 },
    { state: 'explained', differences: 1, amount: -10 },
  ]);
  // Another price is another difference.
  await addStatement(pool, request('id,price\nLP-2,45\nLP-1,50'), by);
  expect((await stored())?.differences).toMatchObject([{ reference: 'LP-2', state: 'open' }]);
});

test('two uploads at the same time leave one statement', async () => {
  await seed([lead]);
  const upload = (price: number) => addStatement(pool, request(`id,price\nLP-1,${price}`), by);
  await Promise.all([40, 41, 42, 43].map(upload));
  expect(await listStatements(pool)).toHaveLength(1);
  expect((await stored())?.differences).toHaveLength(1);
});

test('a comparison reads only the leads of the statement and the period', async () => {
  await seed(
    Array.from({ length: 5_000 }, (_, index) => ({
      ...lead,
      id: randomUUID(),
      externalId: `LP-${index}`,
      at: new Date(Date.UTC(2026, 0, 1) + index * 3_600_000).toISOString(),
    })),
  );
  await pool.query('vacuum analyze deliveries, money_entries');
  const watched = planning(connectionString);
  await compareStatement(watched.pool, request('id,price\nLP-1,50\nLP-2,50'), by.timeZone);
  await watched.pool.end();
  expect(watched.plans).toHaveLength(1);
  expect(watched.plans[0]).not.toMatch(/Seq Scan on (deliveries|money_entries)/);
  expect(watched.plans[0]).toMatch(/Index Scan using money_entries_lead_id_idx/);
});
