import { parse } from 'csv-parse/sync';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { sandboxEnvironment } from '../../sandbox/environment.ts';
import { dimensions, type Money, moneyNames } from '../../src/model/messages/console/numbers.ts';
import {
  countingOptions,
  exportLedger,
  readBreakdown,
  readOverview,
  recount,
} from '../../src/server/insight/index.ts';
import { erase } from '../../src/server/privacy/erase.ts';
import { parseSettings } from '../../src/server/settings/settings.ts';
import { databaseForTests } from '../../tests/support/own-database.ts';
import { people, personKey } from '../../tests/support/person-keys.ts';
import { fillHistory } from './fill.ts';

const { pool } = await databaseForTests();
const settings = parseSettings({
  ...sandboxEnvironment('http://127.0.0.1:4010'),
  EXTRA_DESTINATIONS: JSON.stringify({ smith: { like: 'ingest' }, garza: { like: 'ingest' } }),
  CLICK_COST_PARAM: 'cost',
});

test('fillHistory invents a history without contradictions between times and counts', async () => {
  const log = pino({ level: 'silent' });
  const fill = () =>
    fillHistory({ pool, personKey, settings, log, now: new Date(), visitsPerDay: 15 });
  const filled = await fill();
  expect(filled?.visits).toBeGreaterThan(250);
  expect(filled?.leads).toBeGreaterThan(50);
  const { rows } = await pool.query(
    `select
       (select count(*)::int from visits where created_at > now() or created_at < now() - interval '31 days') as visits,
       (select count(*)::int from delivery_attempts where ended_at > now() + interval '2 minutes') as attempts,
       (select count(*)::int from deliveries where is_unrouted and state = 'waiting') as unrouted,
       (select count(*)::int from deliveries d where d.attempts <> (select count(*) from delivery_attempts a
         where a.delivery_id = d.id)) as miscounted,
       (select count(*)::int from deliveries where finished_at < created_at) as backwards,
       (select count(*)::int from leads l join lead_revisions r on r.lead_id = l.id
         where l.created_at <> r.received_at) as moved,
       (select count(*)::int from deliveries where state = 'delivered') > 50 as is_delivered,
       (select count(distinct (kind, source)) from money_entries) > 5 as is_money,
       (select sum(visits)::int from hourly_counts where dimension = 'all' and survey = '') > 200 as is_counted`,
  );
  const none = { visits: 0, unrouted: 0, attempts: 0, miscounted: 0, backwards: 0, moved: 0 };
  expect(rows).toEqual([{ ...none, is_money: true, is_delivered: true, is_counted: true }]);
  expect(await fill()).toBeUndefined();
});

const timeZone = 'America/New_York';
const asked = { period: periodOfDays(), timeZone };

function periodOfDays() {
  const day = (ago: number) =>
    new Date(Date.now() - ago * 86_400_000).toLocaleDateString('sv', { timeZone });
  return { from: day(29), to: day(1) };
}
const moneyOf = (money: Money) => moneyNames.map((name) => money[name].toFixed(2));

test('the ledger recomputes every amount of the console by plain SQL', async () => {
  // The money of an erased lead counts; a lead that is marked as a test afterwards does not.
  const { rows: sold } = await pool.query<{ id: string }>(
    `select lead_id as id from money_entries where kind = 'sale' and at < now() - interval '3 days' order by key limit 2`,
  );
  await erase(people(pool), sold[0]?.id ?? '', 'tester');
  await pool.query('update leads set is_test = true where id = $1', [sold[1]?.id]);
  await recount(pool, await countingOptions({ ...settings, operatorsTimeZone: timeZone }));
  const { rows } = await pool.query<{ day: string | null } & Record<keyof Money, string>>(
    `with entry as (
       select (coalesce(v.created_at, m.at) at time zone $1)::date as day, kind, amount
       from money_entries m left join visits v on v.lead_id = m.lead_id left join leads l on l.id = m.lead_id
       where l.is_test is not true
     )
     select to_char(day, 'YYYY-MM-DD') as day,
       round(coalesce(sum(amount) filter (where kind in ('sale', 'return')), 0), 2)::text as revenue,
       round(coalesce(-sum(amount) filter (where kind in ('cost', 'payout')), 0), 2)::text as cost,
       round(sum(amount), 2)::text as margin,
       round(coalesce(-sum(amount) filter (where kind = 'return'), 0), 2)::text as returned
     from entry where day between $2 and $3 group by grouping sets ((day), ())`,
    [timeZone, asked.period.from, asked.period.to],
  );
  const plain = new Map(rows.map((row) => [row.day, moneyNames.map((name) => row[name])]));
  const { totals, series } = await readOverview(pool, asked);
  expect(totals.revenue).toBeGreaterThan(1_000);
  expect(totals.cost).toBeGreaterThan(1_000);
  expect(totals.returned).toBeGreaterThan(0);
  expect(moneyOf(totals)).toEqual(plain.get(null));
  const nothing = ['0.00', '0.00', '0.00', '0.00'];
  for (const { at, totals: ofDay } of series) {
    expect([at, ...moneyOf(ofDay)]).toEqual([at, ...(plain.get(at) ?? nothing)]);
  }
});

test('the exported ledger recomputes every breakdown, to the cent', async () => {
  let text = '';
  for await (const part of exportLedger(pool, asked)) text += part;
  const lines = parse(text, { columns: true }) as Record<string, string>[];
  expect(lines.length).toBeGreaterThan(300);
  const units = (amount = '') => Math.round(Number(amount) * 10_000);
  const cents = (sum: number) => (Math.sign(sum) * Math.round(Math.abs(sum) / 100)) / 100;
  for (const dimension of dimensions) {
    const sums = new Map<string, { revenue: number; cost: number; returned: number }>();
    for (const { amount, counts_as, kind, ...line } of lines) {
      const isMany = dimension === 'sub' || dimension === 'variant';
      const own = line[dimension] ?? '';
      for (const value of isMany ? own.split(' ').filter(Boolean) : [own]) {
        const sum = sums.get(value) ?? { revenue: 0, cost: 0, returned: 0 };
        if (counts_as === 'revenue') sum.revenue += units(amount);
        else sum.cost -= units(amount);
        if (kind === 'return') sum.returned -= units(amount);
        sums.set(value, sum);
      }
    }
    const { rows } = await readBreakdown(pool, { ...asked, dimension });
    for (const { value, totals } of rows) {
      const { revenue, cost, returned } = sums.get(value) ?? { revenue: 0, cost: 0, returned: 0 };
      const computed = {
        revenue: cents(revenue),
        cost: cents(cost),
        margin: cents(revenue - cost),
        returned: cents(returned),
      };
      expect([dimension, value, ...moneyOf(totals)]).toEqual([
        ...[dimension, value, ...moneyOf(computed)],
      ]);
      sums.delete(value);
    }
    expect([dimension, [...sums.keys()]]).toEqual([dimension, []]);
  }
});
