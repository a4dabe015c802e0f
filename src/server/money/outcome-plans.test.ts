/** Tests that what buyers report is found by indexes: a scan of a million rows would take seconds. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { purgeOnce, turnFor } from '../../../tests/support/job-clock.ts';
import { keepDays } from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { planning } from '../../../tests/support/plans.ts';
import { matchOutcomes, readOutcome, takeOutcomes } from './outcomes.ts';
import { decideReturn, listOutcomes } from './returns.ts';

const database = await databaseForTests();
const LEADS = 20_000;
const leadId = randomUUID();

beforeAll(async () => {
  await database.pool.query(
    `with l as (
       insert into leads (id, survey, flow, language, qualified, lead_is_qualified, do_not_send_to_dq, created_at)
       select case n when 1 then $1 else gen_random_uuid() end, '/survey/v4nv', 'v4', 'en', true, true, 'no',
         now() - n * interval '30 minutes'
       from generate_series(1, ${LEADS}) n returning id, created_at
     ), s as (
       insert into visit_summaries (lead_id, began_at, survey, language, source)
       select id, created_at, '/survey/v4nv', 'en', 'google' from l
     ), d as (
       insert into deliveries (id, lead_id, destination, state, chosen_at, external_id, created_at, finished_at)
       select gen_random_uuid(), id, 'ingest', 'delivered', created_at, 'LP-' || id, created_at, created_at from l
       returning id, lead_id, finished_at
     ), m as (
       insert into money_entries (id, key, kind, amount, currency, at, lead_id, delivery_id, destination, source, actor)
       select gen_random_uuid(), 'sale ' || id, 'sale', 50, 'USD', finished_at, lead_id, id, 'ingest', 'terms', 'delivery'
       from d
     ), o as (
       insert into outcomes (id, destination, reference, lead_id, delivery_id, kind, reason, at, received_at, source,
         decision, decided_at)
       select 'o' || row_number() over (), 'ingest', lead_id, lead_id, id,
         case when hashtext(id::text) % 10 = 0 then 'returned' else 'contacted' end, 'bad_contact', finished_at,
         finished_at, 'webhook', case when hashtext(id::text) % 20 = 0 then 'accepted' end,
         case when hashtext(id::text) % 20 = 0 then finished_at end
       from d
     )
     insert into buyers (destination, terms, changed_by) values ('ingest', $2, 'x')`,
    [
      leadId,
      { name: 'X', timeZone: 'UTC', returns: { days: 1, mostPercent: 1, reasons: [] }, prices: [] },
    ],
  );
  await database.pool.query(
    "insert into lead_revisions (lead_id, revision, body) select id, 1, '{}' from leads",
  );
  await database.pool.query(
    `insert into outcomes (id, destination, reference, kind, at, source)
     select 'u' || n, 'ingest', 'LP-' || n, 'signed', now(), 'webhook' from generate_series(1, 300) n`,
  );
  await database.pool.query('vacuum analyze');
}, 120_000);

test.each<[string, (pool: Parameters<typeof takeOutcomes>[0]) => Promise<unknown>]>([
  [
    'storing a message',
    (pool) => {
      const outcome = readOutcome({ external_id: `LP-${leadId}`, outcome: 'signed' }, new Date());
      const by = { destination: 'ingest', source: 'webhook', actor: 'x', listeners: [] } as const;
      return takeOutcomes(pool, [{ id: 'new', ...outcome }], by);
    },
  ],
  ['matching unknown outcomes', (pool) => matchOutcomes(turnFor(pool), [])],
  ['deleting old outcomes', (pool) => purgeOnce(pool, keepDays, new Date())],
  ['the open returns', (pool) => listOutcomes(pool, 'open', { limit: 30 })],
  ['the decided returns', (pool) => listOutcomes(pool, 'decided', { limit: 30 })],
  ['the unknown outcomes', (pool) => listOutcomes(pool, 'unknown', { limit: 30 })],
  [
    'a decision',
    (pool) => {
      const by = { actor: 'x', reason: 'x', decision: 'refused', listeners: [] } as const;
      return decideReturn(pool, { ...by, id: 'x', leadId }).catch(() => undefined);
    },
  ],
])('%s scans no large table', async (_, work) => {
  const { pool, plans } = planning(database.connectionString);
  await work(pool).finally(() => pool.end());
  expect(plans.length).toBeGreaterThan(0);
  for (const plan of plans) {
    expect(plan).not.toMatch(
      /Seq Scan on (leads|deliveries|money_entries|visit_summaries|outcomes)/,
    );
  }
});
