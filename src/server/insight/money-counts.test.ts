/** Tests that the console's counts have the money of each visit. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { clearCounts, countOptions, hourAgo } from '../../../tests/support/counting.ts';
import { turnFor } from '../../../tests/support/job-clock.ts';
import { seedLead } from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { people } from '../../../tests/support/person-keys.ts';
import { planning } from '../../../tests/support/plans.ts';
import { addEvent } from '../leads/index.ts';
import { emptyVisits } from '../privacy/empty-leads.ts';
import { erase } from '../privacy/erase.ts';
import { countPortion } from './counting.ts';
import { readOverview } from './overview.ts';

const { pool, connectionString } = await databaseForTests(clearCounts);
const count = (from = pool) => countPortion(turnFor(from, 'counts'), countOptions);

async function begin(params: Record<string, string>): Promise<string> {
  const id = randomUUID();
  await pool.query(
    `insert into visits (lead_id, survey, created_at) values ($1, '/survey/v4nv', $2)`,
    [id, hourAgo(2)],
  );
  await pool.query(`insert into clicks (lead_id, id, params) values ($1, 'c', $2)`, [id, params]);
  await pool.query(
    `insert into progress (lead_id, seq, survey, step, kind) values ($1, 1, '', 'StartPath', 'viewed')`,
    [id],
  );
  return id;
}

type Entry = {
  readonly kind: string;
  readonly amount: number;
  readonly lead?: string;
  readonly buyer?: string;
  readonly about?: object;
};
const enter = ({ kind, amount, lead, buyer, about = {} }: Entry) =>
  pool.query(
    `insert into money_entries (id, key, kind, amount, currency, at, lead_id, destination, about, source, actor)
     values (gen_random_uuid(), gen_random_uuid()::text, $1, $2, 'USD', $3, $4, $5, $6, 'operator', 'x')`,
    [kind, amount, hourAgo(1), lead ?? null, buyer ?? null, about],
  );

test('money counts in the hour of its visit, once for each dimension', async () => {
  const lead = await seedLead(pool, {
    createdAt: hourAgo(2),
    deliveries: [{ state: 'delivered' }, { state: 'rejected', destination: 'ingest/smith' }],
  });
  const erased = await seedLead(pool, { createdAt: hourAgo(2) });
  const gone = await begin({ utm_source: 'google', cost: '3' });
  const tested = await begin({ lp_action: 'test', cost: '7' });
  await count();
  await erase(people(pool), erased, 'tester');
  await emptyVisits(pool, [gone]);
  await addEvent(pool, { lead_id: gone, kind: 'erased', actor: 'tester', detail: {} });
  await enter({ kind: 'sale', amount: 200.05, lead, buyer: 'ingest' });
  await enter({ kind: 'return', amount: -50, lead, buyer: 'ingest' });
  await enter({ kind: 'adjustment', amount: -5, lead, buyer: 'ingest' });
  await enter({ kind: 'payout', amount: -20, lead });
  await enter({ kind: 'adjustment', amount: 1, lead });
  await enter({ kind: 'sale', amount: 90, lead: erased, buyer: 'ingest/smith' });
  await enter({ kind: 'sale', amount: 70, lead: tested, buyer: 'ingest' });
  const about = { source: 'bing', survey: '/survey/v4nv', row: 'r' };
  await enter({ kind: 'cost', amount: -12.5, about });
  await count();
  const { rows } = await pool.query(
    `select concat_ws(' ', dimension, value) as of, sum(visits)::int as visits, sum(delivered)::int as delivered,
       sum(rejected)::int as rejected, sum(cost)::float8 as cost, sum(revenue)::float8 as revenue,
       sum(returned)::float8 as returned, count(*)::int as hours
     from hourly_counts where survey = '' and dimension in ('all', 'source', 'buyer') group by 1 order by 1`,
  );
  expect(rows.map((row) => Object.values(row).join(' '))).toEqual([
    'all  1 1 0 34.5 235.05 50 2',
    'buyer  0 0 0 15.5 0 0 2',
    'buyer ingest 1 1 0 19 145.05 50 1',
    'buyer ingest/smith 1 0 1 0 90 0 1',
    'source  0 0 0 3 90 0 1',
    'source abc 1 1 0 19 145.05 50 1',
    'source bing 0 0 0 12.5 0 0 1',
  ]);
});

test('counting and the overview find money by indexes', async () => {
  await pool.query(
    `insert into visit_summaries (lead_id, began_at, survey, source)
     select gen_random_uuid(), now() - n * interval '1 minute', '/survey/v4nv', 'google' from generate_series(1, 40000) n`,
  );
  await pool.query(
    `insert into money_entries (id, key, kind, amount, currency, at, created_at, lead_id, source, actor)
     select gen_random_uuid(), 'click ' || lead_id, 'cost', -1, 'USD', began_at, began_at, lead_id, 'click', 'x'
     from visit_summaries`,
  );
  await begin({ cost: '2' });
  await pool.query('vacuum analyze money_entries, visit_summaries, visits');
  await pool.query('update counting set counted_until = now()');
  const planned = planning(connectionString);
  await count(planned.pool);
  await readOverview(planned.pool, {
    period: { from: '2026-01-01', to: '2026-01-02' },
    timeZone: 'UTC',
  });
  await planned.pool.end();
  expect(planned.plans.length).toBeGreaterThan(8);
  for (const plan of planned.plans) {
    expect(plan).not.toMatch(/Seq Scan on (money_entries|visit_summaries)/);
  }
});
