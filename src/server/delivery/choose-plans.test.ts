/** Tests that the choice of buyers uses indexes, because it runs after each post. */
import { beforeAll, expect, test } from 'vitest';
import { setBuyer } from '../../../tests/support/buyers.ts';
import { turnFor } from '../../../tests/support/job-clock.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { planning } from '../../../tests/support/plans.ts';
import { choiceJob } from './choose.ts';

const { pool, connectionString } = await databaseForTests();
const LEADS = 30_000;
const UNROUTED = 300;
const CAP = [{ per: 'day', leads: 50 }] as const;

beforeAll(async () => {
  await pool.query(
    `with new_leads as (
       insert into leads (id, survey, flow, language, qualified, lead_is_qualified, do_not_send_to_dq, created_at)
       select gen_random_uuid(), '/survey/v4nv', 'v4', 'en', true, true, 'yes', now() - n * interval '1 minute'
       from generate_series(1, ${LEADS}) n returning id, created_at
     ), new_revisions as (
       insert into lead_revisions (lead_id, revision, body, fields) select id, 1, '{}', '{"state":"TX"}' from new_leads
     )
     insert into deliveries (id, lead_id, destination, state, is_unrouted, due_at, chosen_at, price, finished_at, created_at)
     select gen_random_uuid(), id, destination, case when is_new then 'waiting' when is_one then 'delivered'
         else 'passed_over' end, is_new, case when is_new then created_at end,
       case when is_one and not is_new then created_at end, case when is_one then 100 end,
       case when not is_new then created_at end, created_at
     from new_leads cross join (values ('ingest', true), ('ingest/smith', false)) as buyer(destination, is_one)
     cross join lateral (select created_at > now() - interval '${UNROUTED} minutes' as is_new) as age`,
  );
  await pool.query('analyze leads, lead_revisions, deliveries');
  for (const name of ['ingest', 'ingest/smith']) await setBuyer(pool, name, { caps: CAP });
}, 120_000);

test('the choice of buyers reads only the waiting leads, and the day’s deliveries of each buyer', async () => {
  const { pool: planned, plans } = planning(connectionString);
  try {
    const destinations = ['ingest', 'ingest/smith'];
    await choiceJob({ destinations, chosen: () => undefined }).run(turnFor(planned, 'choice'));
  } finally {
    await planned.end();
  }
  const all = plans.join('\n\n');
  expect(all).not.toMatch(/Seq Scan on (deliveries|leads|lead_revisions)/);
  expect(all).toMatch(/Index Scan using deliveries_unrouted_idx/);
  expect(all).toMatch(/(using|on) deliveries_chosen_idx/);
  const { rows } = await pool.query(
    'select count(*)::int as chosen from deliveries where is_unrouted',
  );
  expect(rows).not.toEqual([{ chosen: 2 * UNROUTED }]);
});
