/** Tests that the counts equal a full recount of the ledger, even after interruptions. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { clearCounts, countOptions, hourAgo } from '../../../tests/support/counting.ts';
import { purgeOnce, turnFor } from '../../../tests/support/job-clock.ts';
import { ana, keepDays, seedLead } from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { people } from '../../../tests/support/person-keys.ts';
import { seededRandom } from '../../../tests/support/seeded-random.ts';
import { erase } from '../privacy/erase.ts';
import { readNow } from './attention.ts';
import { countPortion, recount } from './counting.ts';

const { pool } = await databaseForTests(clearCounts);
const count = (more = {}, from = pool) =>
  countPortion(turnFor(from, 'counts'), { ...countOptions, ...more });

async function insert(table: string, row: Record<string, unknown>): Promise<void> {
  await pool.query(
    `insert into ${table} (${Object.keys(row)})
     select ${Object.keys(row)} from jsonb_populate_record(null::${table}, $1)`,
    [JSON.stringify(row)],
  );
}

type Step = readonly [kind: string, step: string, more?: Record<string, unknown>];
type Visit = {
  readonly id?: string;
  readonly survey?: string;
  readonly at?: string;
  readonly params?: Record<string, string>;
  readonly agent?: string;
  readonly steps?: readonly Step[];
};

async function begin({ id = randomUUID(), at = hourAgo(2), steps, ...visit }: Visit = {}) {
  const { survey = '/survey/v4nv', params = {}, agent = '' } = visit;
  await insert('visits', { lead_id: id, survey, offers: {}, created_at: at, seen_at: new Date() });
  await insert('clicks', {
    id: 'c',
    lead_id: id,
    params,
    user_agent: agent,
    sec_gpc: false,
    created_at: at,
  });
  await go(id, steps ?? [['viewed', 'StartPath']]);
  return id;
}

async function go(id: string, steps: readonly Step[]): Promise<void> {
  for (const [kind, step, more] of steps) {
    await pool.query(
      `insert into progress (lead_id, seq, survey, step, kind, answers, variants, refused, seconds)
       select $1, 1 + coalesce(max(seq), 0), '', $2, $3, $4, $5, $6, $7 from progress where lead_id = $1
       on conflict do nothing`,
      [
        ...[id, step, kind, more?.answers ?? {}, more?.variants ?? ''],
        ...[more?.refused ?? null, more?.seconds ?? null],
      ],
    );
  }
  await pool.query('update visits set seen_at = clock_timestamp() where lead_id = $1', [id]);
}

const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) Mobile/15E148';
test.each<[Visit, Record<string, unknown>]>([
  [{}, { survey: '/survey/v4nv', source: '', language: 'en', device: '', sub_ids: [] }],
  [{ survey: '/made/up' }, { survey: 'unknown', language: '', affiliate: '' }],
  [
    { params: { utm_source: ' Google ', utm_campaign: 'Spring', sub2: 'x', s1: 'mail.7' } },
    { source: 'google', campaign: 'spring', sub_ids: ['sub1=mail.7', 'sub2=x'] },
  ],
  [{ params: { utm_source: 'ana@mail.example', gclid: 'Cj0KCQ-12345' } }, { source: 'google' }],
  [{ params: { utm_source: '512 555 0123', fbclid: 'IwAR0abcdef' } }, { source: 'facebook' }],
  [{ params: { sub1: '1', affid: '5125550123' } }, { source: '', sub_ids: [] }],
  [{ params: { s1: 'undefined', lp_action: 'Test' } }, { source: '', is_test: true }],
  [{ agent: 'Mozilla/5.0 (Linux; Android 14; SM-X200) Safari' }, { device: 'tablet' }],
  [
    { steps: [['answered', 'AtFault', { answers: { state: 'TX' }, variants: 'a.b~c.d' }]] },
    { has_answered: true, has_completed: false, us_state: 'TX', variants: ['a.b', 'c.d'] },
  ],
  [
    { steps: ['submitted', 'refused', 'failed'].map((kind): Step => [kind, 'NameAndEmail']) },
    { has_answered: false, has_completed: true, has_refusals: true, has_page_errors: true },
  ],
])('counting writes the expected summary of a visit', async (visit, summary) => {
  await begin(visit);
  await count();
  const { rows } = await pool.query('select * from visit_summaries');
  expect(rows).toMatchObject([summary]);
});

test('the summary of a lead has the visitor’s affiliate, the buyers’ decisions and the holds', async () => {
  const routed = { ...ana, affid: '1000350', original_affid: '7', state: 'TX' };
  const id = await seedLead(pool, {
    state: 'held',
    revisions: [ana, routed],
    deliveries: [
      { state: 'rejected' },
      { state: 'delivered', destination: 'exchange' },
      { state: 'waiting', destination: 'webhook' },
    ],
  });
  await pool.query(`update deliveries set answer_code = '1004'`);
  await pool.query(`update lead_revisions set problems =
    '[{"problem":"held","reason":"bot"},{"problem":"held","reason":"bot"},{"problem":"x"}]'`);
  const unauthorized = await seedLead(pool, { claimsId: id });
  await count();
  const { rows } = await pool.query('select * from visit_summaries where lead_id = $1', [id]);
  expect(rows).toMatchObject([
    {
      affiliate: '7',
      us_state: 'TX',
      lead_state: 'held',
      revision: 2,
      holds: ['bot'],
      deliveries: ['exchange:delivered', 'ingest:rejected', 'webhook:waiting'],
      is_delivered: false,
      is_rejected: true,
      code: '1004',
      is_unauthorized: false,
      has_answered: true,
      has_completed: true,
      name_key: 'diazcarrera anastasia',
    },
  ]);
  const { rows: totals } = await pool.query(
    `select sum(visits)::int as visits, sum(accepted)::int as accepted, sum(held)::int as held,
       sum(rejected)::int as rejected from hourly_counts where dimension = 'all' and survey = ''`,
  );
  expect(totals).toEqual([{ visits: 1, accepted: 1, held: 1, rejected: 1 }]);
  const { rows: other } = await pool.query(
    'select is_unauthorized from visit_summaries where lead_id = $1',
    [unauthorized],
  );
  expect(other).toEqual([{ is_unauthorized: true }]);
});

test('a visit is counted only once if the visitor repeats a step', async () => {
  const answered = (step: string, seconds = 3): Step => ['answered', step, { seconds }];
  const viewed = (step: string): Step => ['viewed', step];
  await begin({
    params: { utm_source: 'Mail' },
    agent: iphone,
    steps: [
      ...[viewed('StartPath'), answered('StartPath', 0.4), viewed('AtFault'), answered('AtFault')],
      ...[viewed('Nowhere'), answered('Nowhere'), viewed('AtFault')],
      ...[['back', 'AtFault'] as Step, viewed('StartPath'), answered('StartPath', 0.4)],
      ...[viewed('AtFault'), ['refused', 'AtFault', { refused: 'phone,zip_code' }] as Step],
    ],
  });
  await begin({ steps: [viewed('StartPath'), ['submitted', 'StartPath', { seconds: 4e8 }]] });
  await begin({ params: { lp_action: 'test' } });
  await count();
  const { rows } = await pool.query(
    `select dimension, value, visits from hourly_counts where survey = '' and dimension in ('all', 'source', 'device')
     order by 1, 2`,
  );
  expect(rows.map((row) => Object.values(row).join(' '))).toEqual([
    ...['all  2', 'device  1', 'device phone 1', 'source  1', 'source mail 1'],
  ]);
  const { rows: steps } = await pool.query(
    `select steps from hourly_steps where dimension = 'all' and survey = '/survey/v4nv'`,
  );
  expect(steps).toEqual([
    {
      steps: {
        'seen|StartPath': 2,
        'seen|AtFault': 1,
        'left|AtFault': 1,
        'back|AtFault': 1,
        'answered|StartPath': 2,
        'answered|AtFault': 1,
        'edge|StartPath|submit': 1,
        'edge|StartPath|AtFault': 1,
        'edge|AtFault|AtFault': 1,
        'time|StartPath|0': 1,
        'time|StartPath|40': 1,
        'time|AtFault|4': 1,
        'refused|AtFault|phone': 1,
        'refused|AtFault|zip_code': 1,
      },
    },
  ]);
});

/** Returns a pool whose connections fail after a number of statements. */
function failing(after: number): pg.Pool {
  let statements = 0;
  const connect = async () => {
    const client = await pool.connect();
    return new Proxy(client, {
      get(target, name) {
        const own = Reflect.get(target, name);
        if (name !== 'query') return typeof own === 'function' ? own.bind(target) : own;
        return (...given: Parameters<typeof client.query>) => {
          statements += 1;
          if (statements > after && given[0] !== ('rollback' as never)) {
            return Promise.reject(new Error('the process was killed'));
          }
          return target.query(...given);
        };
      },
    });
  };
  return { connect, query: pool.query.bind(pool) } as unknown as pg.Pool;
}

async function counted(): Promise<string[]> {
  const { rows } = await pool.query(
    `select t::text as row from visit_summaries as t
     union all select t::text from hourly_counts as t union all select t::text from hourly_steps as t
     union all select t::text from hourly_attempts as t order by 1`,
  );
  return rows.map(({ row }) => row);
}

const random = seededRandom('counts');
test.each([1, 2, 3])('the counts of random history %i equal a full recount', async () => {
  const one = <Value>(values: readonly Value[]) => values[random.integer(0, values.length)];
  const visits: string[] = [];
  const kinds = ['viewed', 'answered', 'back', 'refused', 'submitted'];
  const happenings: readonly (() => Promise<unknown>)[] = [
    async () =>
      visits.push(
        await begin({
          at: hourAgo(random.integer(0, 6)),
          params: { utm_source: 'google', cost: '2.5' },
        }),
      ),
    () => go(one(visits) ?? '', [[one(kinds) ?? '', one(['AtFault', 'StartPath']) ?? '']]),
    async () => {
      await go(
        await seedLead(pool, { createdAt: hourAgo(3), deliveries: [{ state: 'waiting' }] }),
        [],
      );
    },
    () =>
      pool.query(
        `update deliveries set state = $1, finished_at = now() where id = (
           select id from deliveries where state = 'waiting' order by id limit 1)`,
        [one(['delivered', 'rejected'])],
      ),
    async () => {
      const lead = random.next() < 0.8 ? one(visits) : undefined;
      const buyer = random.next() < 0.5 ? 'ingest' : null;
      const kinds = buyer ? ['sale', 'return', 'adjustment'] : ['cost', 'payout', 'adjustment'];
      const kind = one(kinds) ?? '';
      await pool.query(
        `insert into money_entries (id, key, kind, amount, currency, at, lead_id, destination, about, source, actor)
         values (gen_random_uuid(), gen_random_uuid()::text, $1, $2, 'USD', $3, $4, $5, $6, 'operator', 'x')`,
        [
          ...[kind, random.integer(-999, 999) / 100, hourAgo(random.integer(0, 6)), lead, buyer],
          { source: 'google', sub: 'sub1=abc' },
        ],
      );
    },
    async () => {
      const { rows } = await pool.query<{ id: string }>(
        `select id from leads where state <> 'erased' order by id`,
      );
      const lead = one(rows);
      if (lead) await erase(people(pool), lead.id, 'tester');
    },
  ];
  visits.push(await begin());
  for (let round = 0; round < 15; round += 1) {
    const events = Array.from({ length: 4 }, () => one(happenings)?.());
    const counts = Array.from({ length: 2 }, () =>
      count({}, random.next() < 0.3 ? failing(random.integer(1, 9)) : pool).catch(() => undefined),
    );
    await Promise.all([...events, ...counts]);
  }
  await pool.query('truncate set_aside');
  await count();
  const before = await counted();
  expect(before.length).toBeGreaterThan(50);
  expect(before.filter((row) => /,erased,.*diazcarrera/.test(row))).toEqual([]);
  await pool.query(`delete from visit_summaries where language = 'en'`);
  await pool.query(
    'update hourly_counts set visits = visits + 1, completed = 0, cost = 1, revenue = 2',
  );
  await pool.query('delete from hourly_steps');
  await recount(pool, countOptions);
  const after = await counted();
  expect(after.filter((row) => !before.includes(row))).toEqual([]);
  expect(before.filter((row) => !after.includes(row))).toEqual([]);
});

test('a change whose transaction commits late is counted', async () => {
  const late = await pool.connect();
  await late.query('begin');
  await late.query(
    `with visit as (insert into visits (lead_id, survey) values (gen_random_uuid(), '/survey/v4nv') returning lead_id)
     insert into progress (lead_id, seq, survey, step, kind) select lead_id, 1, '', 'StartPath', 'viewed' from visit`,
  );
  await count();
  await late.query('commit');
  late.release();
  await count();
  const summaries = async () => (await pool.query('select from visit_summaries')).rowCount;
  expect(await summaries()).toBe(1);
  for (const hours of [9, 8, 8, 8, 7]) {
    await pool.query('update visits set seen_at = $2 where lead_id = $1', [
      ...[await begin(), hourAgo(hours)],
    ]);
  }
  await pool.query('update counting set counted_until = null');
  expect(await count({ limit: 2 })).toMatchObject({ visits: 4, isBehind: true });
  expect(await count({ limit: 2 })).toMatchObject({ visits: 2 });
  expect(await summaries()).toBe(6);
});

test('deleting visits after their retention period does not change the counts', async () => {
  await begin();
  await seedLead(pool, { createdAt: hourAgo(2) });
  await count();
  const hours = async () => (await counted()).filter((row) => !/^\([\da-f]{8}-/.test(row));
  const before = await hours();
  const later = new Date(Date.now() + 120 * 86_400_000);
  await purgeOnce(pool, keepDays, later);
  await pool.query('update visits set seen_at = clock_timestamp()');
  await pool.query(`update leads set state = 'held'`);
  await count({ now: later });
  const { rows } = await pool.query('select lead_state, sub_ids, variants from visit_summaries');
  expect(rows).toEqual([{ lead_state: 'held', sub_ids: ['sub1=abc'], variants: ['buttons.anas'] }]);
  expect(await hours()).toEqual(before);
});

test('if the count of an hour fails, other hours are counted', async () => {
  const [bad, good] = [hourAgo(3), hourAgo(2)];
  await begin({ at: bad });
  await begin({ at: good });
  await pool.query(
    `alter table hourly_counts add constraint poison check (hour <> '${bad}') not valid`,
  );
  await count();
  const hours = async () =>
    (await pool.query(`select hour from hourly_counts where dimension = 'all' and survey = ''`))
      .rows;
  expect(await hours()).toEqual([{ hour: new Date(good) }]);
  const { attention } = await readNow({
    client: pool,
    role: 'admin',
    destinations: [],
    ignored: [],
    timeZone: 'UTC',
    missingBuyer: [],
    countLeads: async () => ({ count: 0, isExact: true }),
  });
  expect(JSON.stringify(attention)).toContain('has set aside 1 item');
  await pool.query('alter table hourly_counts drop constraint poison');
  await pool.query('update set_aside set retry_at = now()');
  await count();
  expect(await hours()).toHaveLength(2);
  expect((await pool.query('select from set_aside')).rowCount).toBe(0);
});
