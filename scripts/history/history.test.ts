import { pino } from 'pino';
import { expect, test } from 'vitest';
import { defaultCredentials } from '../../sandbox/credentials.ts';
import { sandboxEnvironment } from '../../sandbox/environment.ts';
import { parseSettings } from '../../src/server/config/settings.ts';
import { clearLedger } from '../../tests/support/ledger.ts';
import { databaseForTests } from '../../tests/support/own-database.ts';
import { personKey } from '../../tests/support/person-keys.ts';
import { fillHistory } from './fill.ts';

const { pool } = await databaseForTests(clearLedger);
const { settings } = parseSettings(sandboxEnvironment('http://127.0.0.1:4010', defaultCredentials));
const now = new Date();
const fill = (seed: number, visitsPerDay = 12) =>
  fillHistory({
    ...{ pool, personKey, settings, now, seed, visitsPerDay },
    log: pino({ level: 'silent' }),
  });
const one = async <Row extends object>(query: string) => (await pool.query<Row>(query)).rows[0];

test('the history is told by the ledger as if it had happened', async () => {
  const filled = await fill(7);
  expect(filled?.visits).toBeGreaterThan(200);
  expect(filled?.leads).toBeGreaterThan(50);
  // Nothing lies in the future or before the 30 days, and every delivery has as many attempts as it says.
  expect(
    await one(
      `select
      (select count(*)::int from visits where created_at > $1 or created_at < $1 - interval '31 days') as visits,
      (select count(*)::int from delivery_attempts where ended_at > $1 + interval '2 minutes') as attempts,
      (select count(*)::int from deliveries d where d.attempts <> (select count(*) from delivery_attempts a
        where a.delivery_id = d.id)) as miscounted,
      (select count(*)::int from deliveries where finished_at < created_at) as backwards,
      (select count(*)::int from leads l join lead_revisions r on r.lead_id = l.id
        where l.created_at <> r.received_at) as moved`.replaceAll(
        '$1',
        `'${now.toISOString()}'::timestamptz`,
      ),
    ),
  ).toEqual({ visits: 0, attempts: 0, miscounted: 0, backwards: 0, moved: 0 });
  const states = await pool.query<{ state: string }>('select distinct state from deliveries');
  expect(states.rows.map(({ state }) => state)).toEqual(
    expect.arrayContaining(['delivered', 'rejected']),
  );
  // The rules held none for its consent but those without one.
  const holds = await pool.query<{ reason: string }>(
    `select distinct problem->>'reason' as reason from leads, lead_revisions r, json_array_elements(r.problems) as problem
     where r.lead_id = leads.id and problem->>'problem' = 'held'`,
  );
  for (const { reason } of holds.rows) expect(['no_consent', 'no_usable_phone']).toContain(reason);
  expect(await fill(7)).toBeUndefined();
});

test('the same seed invents the same visits', async () => {
  const shape = async () =>
    (
      await pool.query(`select survey, created_at, (select string_agg(step || kind, ',' order by seq)
        from progress p where p.lead_id = v.lead_id) as steps from visits v order by created_at, survey`)
    ).rows;
  await fill(3, 2);
  const first = await shape();
  await clearLedger(pool);
  await fill(3, 2);
  expect(await shape()).toEqual(first);
});

test('a database with visits of its own is left alone', async () => {
  await pool.query(`insert into visits (lead_id) values (gen_random_uuid())`);
  await expect(fill(1)).rejects.toThrow('--history fills only an empty one');
});
