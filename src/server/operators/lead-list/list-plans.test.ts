/** Every look at the list uses an index, and ends: with a million leads a scan would take seconds. */
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { databaseForTests } from '../../../../tests/support/own-database.ts';
import { personKey } from '../../../../tests/support/person-keys.ts';
import { planning } from '../../../../tests/support/plans.ts';
import type { LeadFilter } from '../../../contract/console/leads.ts';
import type { Schema } from '../../storage/schema.ts';
import { selectLeads } from '../selection.ts';
import { countLeads, type LeadListContext, listLeads } from './list.ts';
import { readPlace } from './places.ts';

const database = await databaseForTests();
const VISITS = 45_000;

beforeAll(async () => {
  await database.pool.query(
    `insert into visit_summaries (lead_id, began_at, survey, language, source, us_state, variants, received_at,
       lead_state, revision, qualified, reason, holds, deliveries, name_key)
     select gen_random_uuid(), at, '/survey/' || case when n > 35000 then 'old' else (n % 9)::text end, 'en', 'source' || n % 40, 'TX', array['buttons.plain'],
       case when n % 3 < 2 then at end, case when n % 2000 = 0 then 'held' else 'accepted' end, 1, n % 2 = 0,
       case when n % 2 = 0 then '' else 'atFault|yes' end,
       case when n % 2000 = 0 then array['bot'] else '{}'::text[] end,
       case when n % 5000 = 0 then array['ingest:dead'] else array['ingest:delivered'] end,
       md5(n::text)
     from generate_series(1, ${VISITS}) n
     cross join lateral (select now() - n * interval '1 minute' as at) times`,
  );
  await database.pool.query('vacuum analyze visit_summaries');
}, 120_000);

function listOf(pool: pg.Pool): LeadListContext {
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return { db, personKey, timeZone: 'UTC', destinationNames: ['ingest', 'webhook'] };
}

/** Returns the plans of a page and of the count of a filter. */
async function plansOf(filter: LeadFilter) {
  const { pool, plans } = planning(database.connectionString);
  const list = listOf(pool);
  try {
    await listLeads(list, filter, { limit: 100 });
    const page = plans.splice(0);
    await countLeads(list, filter);
    return { page, count: plans };
  } finally {
    await list.db.destroy();
  }
}

/** Opens the database so that nothing beyond the walk ever ends. */
function slowList(): LeadListContext {
  const pool = new pg.Pool({ connectionString: database.connectionString, max: 1 });
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    client.query = ((text: unknown, ...more: unknown[]) =>
      /materialized|declare/.test(String(text))
        ? query('select pg_sleep(600)')
        : query(text, ...more)) as typeof client.query;
  });
  return listOf(pool);
}

const onFacets = /visit_summaries_facets_idx/;

test('common filters walk the newest leads, without sorting', async () => {
  for (const filter of [{}, { survey: '/survey/3' }, { qualified: 'no' }] as const) {
    const { page, count } = await plansOf(filter);
    const walk = page.filter((plan) => plan.includes('limit'));
    expect(walk.join('\n')).toMatch(/Index Scan Backward using visit_summaries_received_at_idx/);
    expect(walk.join('\n')).not.toMatch(/Seq Scan on visit_summaries|Sort/);
    expect(count.join('\n')).not.toMatch(/Seq Scan on visit_summaries/);
  }
});

test.each<LeadFilter>([
  { lead: 'held' },
  { hold: 'bot' },
  { delivery: 'dead' },
  { delivery: 'dead', destination: 'ingest', survey: '/survey/3' },
  { source: 'source7', variant: 'none.such' },
  { tests: 'only' },
])('the rare filter %j uses the index of facets', async (filter) => {
  const { page, count } = await plansOf(filter);
  for (const plan of [page.find((one) => one.includes('materialized')), count.join('\n')]) {
    expect(plan).toMatch(onFacets);
    expect(plan).not.toMatch(/Seq Scan on visit_summaries/);
  }
});

test('many leads that are far away are found day by day', async () => {
  const { page } = await plansOf({ survey: '/survey/old' });
  const byDay = page.find((plan) => plan.includes('generate_series'));
  expect(byDay).toMatch(onFacets);
  expect(byDay).not.toMatch(/Seq Scan on visit_summaries/);
});

test.each([
  ['name', 'abc', /visit_summaries_name_key_idx/],
  ['e-mail', 'ana@mail.example', /lead_revisions_email_idx/],
  ['phone', '5125550123', /lead_revisions_phone_idx/],
  ['id', '0190f3a1b2', /visit_summaries_pkey/],
])('the search by %s uses its index', async (_, q, index) => {
  const { page, count } = await plansOf({ q });
  for (const plan of [page.find((one) => one.includes('materialized')), count.join('\n')]) {
    expect(plan).toMatch(index);
    expect(plan).not.toMatch(/Seq Scan on/);
  }
});

test('an export of leads that share their times of arrival sorts none of them', async () => {
  await database.pool.query(
    `with made as (
       insert into leads (id, survey, flow, language, qualified, lead_is_qualified, do_not_send_to_dq, click_id,
         created_at)
       select gen_random_uuid(), '/survey/v4', 'v4', 'en', true, true, 'no', n::text,
         timestamptz '2026-07-01T12:00:00Z' + n / 3000 * interval '1 day'
       from generate_series(0, 8999) n returning id, click_id
     ), clicked as (
       insert into clicks (lead_id, id) select id, click_id from made
     )
     insert into lead_revisions (lead_id, revision, body) select id, 1, '{}' from made`,
  );
  await database.pool.query('vacuum analyze leads, lead_revisions, clicks');
  const { pool, plans } = planning(database.connectionString);
  const { db } = listOf(pool);
  try {
    const page = { limit: 50, order: 'asc' } as const;
    const after = (await selectLeads(db, {}, page)).at(-1);
    plans.length = 0;
    await selectLeads(db, {}, { ...page, after });
  } finally {
    await db.destroy();
  }
  expect(plans[0]).toMatch(/Index Scan using leads_created_at_idx/);
  expect(plans[0]).not.toMatch(/Sort|Seq Scan/);
});

test('what takes too long ends: a short page whose next one goes on, and a count of the newest leads', async () => {
  const list = slowList();
  try {
    const found: string[] = [];
    let after: string | null = null;
    let pages = 0;
    do {
      const page: Awaited<ReturnType<typeof listLeads>> = await listLeads(
        list,
        { lead: 'held' },
        { limit: 100, after: after === null ? undefined : readPlace(after) },
      );
      found.push(...page.rows.map(({ id }) => id));
      after = page.next;
      pages += 1;
    } while (after !== null);
    const { rows } = await database.pool.query<{ id: string }>(
      `select lead_id as id from visit_summaries where lead_state = 'held' and received_at is not null
       order by received_at desc, lead_id desc`,
    );
    expect(found).toEqual(rows.map(({ id }) => id));
    expect(pages).toBeGreaterThan(2);
    expect(await countLeads(list, { lead: 'held' })).toEqual({ count: 6, isExact: false });
  } finally {
    await list.db.destroy();
  }
});
