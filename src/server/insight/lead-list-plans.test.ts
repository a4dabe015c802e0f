/** Tests that the lead list uses indexes: a scan of a million leads would take seconds. */
import { beforeAll, expect, test } from 'vitest';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { personKey } from '../../../tests/support/person-keys.ts';
import { planning } from '../../../tests/support/plans.ts';
import { saleRules } from '../../../tests/support/sale-rules.ts';
import type { LeadFilter } from '../../model/messages/console/leads.ts';
import { countLeads, type ListPart, leadIdsOf } from './lead-list.ts';

const database = await databaseForTests();
const VISITS = 45_000;
const NIL = '00000000-0000-0000-0000-000000000000';

beforeAll(async () => {
  await database.pool.query(
    `insert into visit_summaries (lead_id, began_at, survey, language, source, us_state, variants, received_at,
       lead_state, revision, qualified, reason, holds, deliveries, name_key)
     select gen_random_uuid(), at, '/survey/' || n % 9, 'en', 'source' || n % 40, 'TX', array['buttons.plain'],
       case when n % 3 < 2 then at end, case when n % 2000 = 0 then 'held' else 'accepted' end, 1, n % 2 = 0,
       case when n % 2 = 0 then '' else 'atFault|yes' end,
       case when n % 2000 = 0 then array['bot'] else '{}'::text[] end,
       case when n % 5000 = 0 then array['ingest:dead', 'ingest:cap_reached'] else array['ingest:delivered'] end,
       md5(n::text)
     from generate_series(1, ${VISITS}) n
     cross join lateral (select now() - n * interval '1 minute' as at) times`,
  );
  await database.pool.query('vacuum analyze visit_summaries');
}, 120_000);

/** Returns the query plans of a lead list and of its count. */
async function plansOf(filter: LeadFilter, part: Partial<ListPart> = {}) {
  const { pool, plans } = planning(database.connectionString);
  const list = {
    pool,
    personKey,
    timeZone: 'UTC',
    destinationNames: ['ingest', 'webhook'],
    saleRules,
  };
  try {
    await leadIdsOf(list, filter, { limit: 100, ...part });
    await countLeads(list, filter);
    const [page = '', count = ''] = plans;
    return { page, count };
  } finally {
    await pool.end();
  }
}

const onFacets = /visit_summaries_facets_idx/;

test('common filters of the lead list read the newest leads from an index without sorting', async () => {
  for (const filter of [{}, { survey: '/survey/3' }, { qualified: 'no' }] as const) {
    const { page, count } = await plansOf(filter);
    expect(page).toMatch(/Index Scan Backward using visit_summaries_received_at_idx/);
    expect(page).not.toMatch(/Seq Scan|Sort/);
    expect(count).not.toMatch(/Seq Scan on visit_summaries/);
  }
});

test.each<LeadFilter>([
  { lead: 'held' },
  { hold: 'bot' },
  { delivery: 'dead' },
  { leftOut: 'cap_reached', destination: 'ingest' },
  { delivery: 'dead', destination: 'ingest', survey: '/survey/3' },
  { source: 'source7', variant: 'none.such' },
  { tests: 'only' },
])('a filter that matches few leads reads an index instead of the table', async (filter) => {
  for (const plan of Object.values(await plansOf(filter))) {
    expect(plan).toMatch(onFacets);
    expect(plan).not.toMatch(/Seq Scan on visit_summaries/);
  }
});

test.each([
  ['name', 'abc', /visit_summaries_name_key_idx/],
  ['e-mail', 'ana@mail.example', /lead_revisions_email_idx/],
  ['phone', '5125550123', /lead_revisions_phone_idx/],
  ['id', '0190f3a1b2', /visit_summaries_pkey/],
])('the search for leads by %s reads an index instead of the table', async (_, q, index) => {
  for (const plan of Object.values(await plansOf({ q }))) {
    expect(plan).toMatch(index);
    expect(plan).not.toMatch(/Seq Scan on/);
  }
});

test('an export reads leads from an index without sorting', async () => {
  const { page } = await plansOf(
    { from: '2026-01-01' },
    { direction: 'newer', after: { micros: '1', id: NIL } },
  );
  expect(page).toMatch(/Index Scan using visit_summaries_received_at_idx/);
  expect(page).not.toMatch(/Sort|Seq Scan/);
});
