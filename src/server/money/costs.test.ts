/** Tests what visits cost: clicks, rates and imported days. */
import { beforeEach, describe, expect, test } from 'vitest';
import { type Summary, seedSummaries } from '../../../tests/support/lead-summaries.ts';
import { blockedBy } from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { planning } from '../../../tests/support/plans.ts';
import { chargeVisits, readRates, saveRate } from './costs.ts';
import { importCosts } from './import-costs.ts';

const { pool, connectionString } = await databaseForTests();
beforeEach(() =>
  pool.query('truncate money_entries, cost_rates, visit_summaries, clicks, audit_log'),
);
const zone = { timeZone: 'America/New_York', clickCostParam: 'cost' };
const now = new Date('2026-11-20T12:00:00Z');
let ids = 0;

/** Writes the summary of a visit, with a click. Returns its id. */
async function seed(given: Partial<Summary>, cost?: string): Promise<string> {
  ids += 1;
  const lead_id = `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`;
  const visit = { began_at: '2026-11-10T15:00:00Z', survey: '/survey/v4nv', source: 'google' };
  await seedSummaries(pool, [{ lead_id, ...visit, ...given } as Summary]);
  await pool.query(`insert into clicks (lead_id, id, params) values ($1, 'c', $2)`, [
    ...[lead_id, { ...(cost !== undefined && { cost }) }],
  ]);
  return lead_id;
}
const accepted = { received_at: '2026-11-10T15:05:00Z', lead_state: 'accepted', revision: 1 };
const entries = async () =>
  (
    await pool.query(
      `select kind, amount::float8 as amount, source, lead_id as id from money_entries
       where kind <> 'sale' order by lead_id, kind, amount`,
    )
  ).rows;
const rate = { dimension: 'affiliate', value: '77', validFrom: '2026-11-01' } as const;
const by = { ...zone, actor: 'dana', now };

describe('a click', () => {
  test.each([
    ['4.25', [-4.25]],
    ['0.123456', [-0.1235]],
    ['999.99', [-999.99]],
    ['1000', []],
    ['-3', []],
    ['{cost}', []],
    [undefined, []],
  ])('that says that it cost %s adds %j', async (cost, amounts) => {
    const id = await seed({}, cost);
    await chargeVisits(pool, [id], zone);
    await chargeVisits(pool, [id], zone);
    expect((await entries()).map(({ amount }) => amount)).toEqual(amounts);
  });

  test('of a test or of an erased lead costs nothing', async () => {
    const visits = [await seed({ is_test: true }, '4'), await seed({ lead_state: 'erased' }, '4')];
    await chargeVisits(pool, visits, zone);
    expect(await entries()).toEqual([]);
  });
});

describe('a rate', () => {
  test('is charged once for the click, the accepted lead and the first sale', async () => {
    const visit = { affiliate: '77' };
    const [click, lead, held] = [
      await seed(visit),
      await seed({ ...visit, ...accepted }),
      await seed({ ...visit, ...accepted, lead_state: 'held' }),
    ];
    for (const key of ['sale a', 'sale b']) {
      await pool.query(
        `insert into money_entries (id, key, kind, amount, currency, at, lead_id, delivery_id, destination, source, actor)
         values (gen_random_uuid(), $1, 'sale', 200, 'USD', now(), $2, gen_random_uuid(), 'ingest', 'terms', 'x')`,
        [key, lead],
      );
    }
    for (const [per, amount] of [
      ['click', 0.5],
      ['lead', 20],
      ['sale', 60],
    ] as const) {
      await saveRate(pool, { ...rate, per, amount }, by);
    }
    await chargeVisits(pool, [click, lead, held], zone);
    const clicked = { kind: 'cost', amount: -0.5, source: 'rate' };
    expect(await entries()).toEqual([
      { ...clicked, id: click },
      { ...clicked, id: lead },
      { kind: 'payout', amount: -60, source: 'rate', id: lead },
      { kind: 'payout', amount: -20, source: 'rate', id: lead },
      { ...clicked, id: held },
    ]);
  });

  test('applies from its first day, until a newer one; 0 ends it', async () => {
    const on = async (began_at: string) => seed({ began_at });
    const google = { dimension: 'source', value: 'google', per: 'click' } as const;
    for (const [validFrom, amount] of [
      ['2026-11-05', 1],
      ['2026-11-08', 2],
      ['2026-11-12', 0],
    ] as const) {
      await saveRate(pool, { ...google, validFrom, amount }, by);
    }
    // New York is five hours behind, so the last second of November 4 is still before the rate.
    const visits = [
      await on('2026-11-05T04:59:59Z'),
      await on('2026-11-05T05:00:00Z'),
      await on('2026-11-10T12:00:00Z'),
      await on('2026-11-13T12:00:00Z'),
    ];
    await chargeVisits(pool, visits, zone);
    expect((await entries()).map(({ amount }) => amount)).toEqual([-1, -2]);
    expect(await readRates(pool)).toMatchObject([
      { amount: 0 },
      { amount: 2 },
      { amount: 1, ...google },
    ]);
  });

  test('per click of a source is not added to a click that names its cost', async () => {
    const visits = [await seed({ affiliate: '77' }, '3')];
    for (const payee of [{ dimension: 'source', value: 'google' }, rate] as const) {
      await saveRate(pool, { ...rate, ...payee, per: 'click', amount: 1 }, by);
    }
    await chargeVisits(pool, visits, zone);
    expect((await entries()).map(({ amount, source }) => `${source} ${amount}`)).toEqual([
      'click -3',
      'rate -1',
    ]);
  });

  test('charges the visits since its first day, at most 31 days back', async () => {
    await seed({ affiliate: '77', began_at: '2026-10-31T15:00:00Z' });
    const id = await seed({ affiliate: '77' });
    expect(await saveRate(pool, { ...rate, per: 'click', amount: 1 }, by)).toBe(1);
    expect(await entries()).toMatchObject([{ id }]);
    const early = { ...rate, per: 'lead', amount: 1, validFrom: '2026-10-01' } as const;
    await expect(saveRate(pool, early, by)).rejects.toThrow('begins on 2026-10-20 or later');
    const named = { ...rate, per: 'lead', amount: 1, value: 'smith' } as const;
    await expect(saveRate(pool, named, by)).rejects.toThrow('at most 6 digits');
  });
});

describe('an import of days', () => {
  const run = (csv: string, isDryRun = false) =>
    importCosts(pool, csv, { ...by, isDryRun, surveys: ['/survey/v4nv'] });

  test('warns of visits whose clicks named a cost or had a rate', async () => {
    const visits = [await seed({}, '4'), await seed({})];
    await chargeVisits(pool, visits, zone);
    const charged = async () =>
      (await run('day,source,cost\n2026-11-10,google,100', true)).rows.map((row) => row.charged);
    expect(await charged()).toEqual([1]);
    const google = { dimension: 'source', value: 'google', validFrom: '2026-11-01' } as const;
    await saveRate(pool, { ...google, per: 'click', amount: 1 }, by);
    expect(await charged()).toEqual([2]);
  });

  test('spreads a cost over the visits of the day, to the cent', async () => {
    for (let n = 0; n < 3; n += 1) await seed({});
    await seed({ source: 'meta' });
    await seed({ began_at: '2026-11-11T15:00:00Z' });
    const csv = 'Day,Source,Cost\n2026-11-10,Google,$100.00\n2026-11-10,bing,7';
    const dry = await run(csv, true);
    expect(dry).toMatchObject({
      added: 107,
      refused: [],
      rows: [
        { line: 2, day: '2026-11-10', of: ['source=google'], cost: 100, before: 0, visits: 3 },
        { line: 3, of: ['source=bing'], cost: 7, visits: 0, charged: 0 },
      ],
    });
    expect(await entries()).toEqual([]);
    expect(await run(csv)).toEqual(dry);
    const amounts = (await entries()).map(({ amount }) => amount);
    expect(amounts.toSorted()).toEqual([-33.3333, -33.3333, -33.3334, -7]);
    const { rows } = await pool.query('select at, about from money_entries where lead_id is null');
    expect(rows).toMatchObject([
      { at: new Date('2026-11-10T17:00:00Z'), about: { source: 'bing', row: expect.any(String) } },
    ]);
  });

  test('adds nothing for the same row, and the difference for a changed one', async () => {
    await seed({ campaign: 'spring', sub_ids: ['sub1=abc'] });
    await seed({});
    const row = (cost: string) =>
      `cost;source;day;campaign;sub\n${cost};google;2026-11-10;Spring;abc`;
    const total = async () =>
      (await entries()).reduce((sum, { amount }) => sum + Math.round(10_000 * amount), 0) / 10_000;
    for (const [cost, added] of [
      ['50', 50],
      ['50.00', 0],
      ['61.01', 11.01],
      ['20', -41.01],
      ['50', 30],
      ['61.01', 11.01],
    ] as const) {
      expect(await run(row(cost))).toMatchObject({ added });
      expect(await total()).toBe(-Number(cost));
    }
  });

  test('two imports of a file at the same time add it once', async () => {
    for (let n = 0; n < 5; n += 1) await seed({});
    const csv = 'day,source,cost\n11/10/2026,google,12.34\n2026-11-09,google,5';
    await Promise.all([run(csv), run(csv), run(csv)]);
    const { rows } = await pool.query('select sum(amount)::text as sum from money_entries');
    expect(rows).toEqual([{ sum: '-17.3400' }]);
  });

  test('imports nothing if a row is wrong, and says which', async () => {
    const { refused } = await run(
      [
        'day,source,cost,survey',
        '2026-11-10,google,1,',
        '10.11.2026,google,1,',
        '2026-11-21,google,1,',
        '2026-11-10,google,one,',
        '2026-11-10,,1,',
        '2026-11-10,a@b.example,1,',
        '2026-11-10,google,1,/survey/none',
        '2026-11-10,GOOGLE,2,',
        '2026-11-10,12345678901,2,',
      ].join('\n'),
    );
    expect(refused.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
      '3 The day must be a date, such as 2026-01-31.',
      '4 The day has not come yet.',
      '5 The cost must be in dollars, such as 123.45.',
      '6 The source is missing. Write "direct" for visits without one.',
      expect.stringContaining('7 No visit can have this source'),
      '8 There is no survey with this path.',
      '9 Line 2 has the same day and names.',
      expect.stringContaining('10 No visit can have this source'),
    ]);
    expect(await entries()).toEqual([]);
    await expect(run('date,spend\n2026-11-10,1')).rejects.toThrow('day, source and cost');
  });
});

test('an import that waits for a count is newer than the count, so that the next one counts it', async () => {
  const file = 'day,source,cost\n2026-11-10,google,1';
  const work = () => importCosts(pool, file, { ...by, isDryRun: false, surveys: [] });
  await blockedBy(
    pool,
    work,
    [['select from counting for update']],
    [['update counting set counted_until = clock_timestamp()']],
  );
  const { rows } = await pool.query(
    'select created_at > counted_until as "isNewer" from money_entries, counting',
  );
  expect(rows).toEqual([{ isNewer: true }]);
});

test('costs are found by indexes in a large ledger', async () => {
  await pool.query(
    `insert into money_entries (id, key, kind, amount, currency, at, lead_id, about, source, actor)
     select gen_random_uuid(), 'import ' || n, 'cost', -1, 'USD', now() - n * interval '1 minute', gen_random_uuid(),
       jsonb_build_object('row', 'r' || n / 50), 'import', 'x' from generate_series(1, 40000) n`,
  );
  await pool.query(
    `insert into visit_summaries (lead_id, began_at, survey, source)
     select lead_id, at, '/survey/v4nv', 'google' from money_entries where about->>'row' <> 'r1'`,
  );
  await pool.query('vacuum analyze money_entries, visit_summaries');
  const { pool: planned, plans } = planning(connectionString);
  const { rows } = await pool.query<{ id: string }>(
    'select lead_id as id from visit_summaries limit 100',
  );
  await chargeVisits(
    planned,
    rows.map(({ id }) => id),
    zone,
  );
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  await importCosts(planned, `day,source,cost\n${day},google,1`, {
    ...by,
    now: new Date(),
    isDryRun: false,
    surveys: [],
  });
  await planned.end();
  expect(plans.length).toBeGreaterThan(3);
  for (const plan of plans) expect(plan).not.toMatch(/Seq Scan on (money_entries|visit_summaries)/);
}, 60_000);
