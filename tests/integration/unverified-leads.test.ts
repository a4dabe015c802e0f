/** The store finds leads that a process left unverified. */
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLeadChecks } from '../../src/server/storage/lead-checks.ts';
import { type TestDatabase, withDatabase } from '../support/postgres.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await withDatabase();
});
afterAll(() => database?.drop());

it('are found page by page, however many there are', async () => {
  const { pool } = database;
  // All have the same time, so the id orders them.
  await pool.query(
    `with left_over as (
       insert into leads (id, survey, flow, language, qualified, lead_is_qualified, do_not_send_to_dq,
         created_at, updated_at)
       select gen_random_uuid(), '/survey/v4nv', 'v4', 'en', true, true, 'no',
         now() - interval '1 minute', now() - interval '1 minute' from generate_series(1, 250)
       returning id
     )
     insert into lead_revisions (lead_id, revision, body) select id, 1, '{}' from left_over`,
  );
  const log = pino({ level: 'silent' });
  const store = createLeadChecks({ pool, log, waiting: [], wake: () => undefined });
  const found = new Set<string>();
  let page = await store.findUnverified(9_000);
  for (; page.length > 0; page = await store.findUnverified(9_000, page.at(-1))) {
    for (const { id } of page) found.add(id);
  }
  expect(found.size).toBe(250);
});
