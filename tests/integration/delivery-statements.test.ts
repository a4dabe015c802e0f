/** The statements run for each delivery use indexes, however many deliveries wait. */
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finishAttempts } from '../../src/server/delivery/ends.ts';
import { leaseDue, type Want } from '../../src/server/delivery/leases.ts';
import { destinations } from '../../src/server/destinations/index.ts';
import { createLeadChecks } from '../../src/server/storage/lead-checks.ts';
import { type TestDatabase, testLog, withDatabase } from '../support/postgres.ts';

const LEADS = 20_000;
/** Full scans that no statement of a single delivery may make. */
const WHOLE_TABLE =
  /Seq Scan on (deliveries|leads|lead_revisions|visits|delivery_attempts|lead_checks)\b/g;

let database: TestDatabase;
beforeAll(async () => {
  database = await withDatabase();
  const { pool } = database;
  // Rows have a realistic width: the planner rightly scans a small table in full.
  await pool.query(
    `insert into visits (lead_id, offers)
     select gen_random_uuid(), jsonb_build_object('10001', repeat('x', 500))
     from generate_series(1, $1)`,
    [LEADS],
  );
  await pool.query(`insert into leads (id, survey, flow, language, qualified, lead_is_qualified,
      do_not_send_to_dq)
    select lead_id, '/survey/v2', 'variant-a', 'en', true, true, 'no' from visits`);
  await pool.query(`insert into lead_revisions (lead_id, revision, body, fields, email_key, phone_key)
    select id, 1, '{}', '{"tcpa":"a text"}', id, id from leads`);
  await pool.query(`insert into lead_checks
      (id, lead_id, revision, service, asked_sha256, at, duration_ms, outcome, said)
    select gen_random_uuid(), id, 1, 'verification', '', now(), 1, 'answered', '{}' from leads`);
  await pool.query(
    `insert into deliveries (id, lead_id, destination, state, due_at, attempts)
     select gen_random_uuid(), id, destination, 'waiting', now(), 2
     from leads, unnest($1::text[]) as to_all(destination)`,
    [destinations.map(({ name }) => name)],
  );
  await pool.query(`insert into delivery_attempts (delivery_id, attempt, outcome)
    select id, attempt, 'retry' from deliveries, generate_series(1, 2) as attempts(attempt)`);
  await pool.query('analyze');
}, 120_000);
afterAll(() => database.drop());

type Statement = { readonly text: string; readonly values: unknown[] };

/** Returns the statement that the function would send. */
function statementOf(send: (pool: Pick<pg.Pool, 'query'>) => unknown): Promise<Statement> {
  const { promise, resolve } = Promise.withResolvers<Statement>();
  const query = async (statement: Statement) => {
    resolve(statement);
    return { rows: [], rowCount: 0 };
  };
  void send({ query: query as unknown as pg.Pool['query'] });
  return promise;
}

async function planOf({ text, values }: Statement): Promise<string> {
  const { rows } = await database.pool.query<Record<string, string>>(`explain ${text}`, values);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

const wants: Want[] = destinations.map(({ name: destination, permission }) => ({
  ...permission,
  destination,
  slots: 50,
  recognisesDuplicates: true,
  account: null,
  usesMappedAccounts: false,
  payloadVersion: 1,
  verifiedPayloadVersion: null,
}));
const leasing = { wants, owner: 'a worker', leaseMs: 15_000, now: undefined };

test('leasing deliveries', async () => {
  const plan = await planOf(await statementOf((pool) => leaseDue(pool, leasing)));
  expect(plan).toContain('deliveries_due_idx');
  expect(plan.match(WHOLE_TABLE)).toBeNull();
});

test('ending an attempt', async () => {
  const { rows } = await database.pool.query<{ id: string }>('select id from deliveries limit 50');
  const ends = rows.map(({ id }) => ({
    leased: { deliveryId: id, attempt: 1, destination: 'ingest', revision: 1, event: null },
    ...{ state: 'delivered' as const, outcome: 'delivered' as const, message: '' },
    ...{ httpStatus: 200, response: '', durationMs: 1 },
  }));
  const listeners = [{ name: 'webhook', events: ['delivery.delivered'] }];
  const statement = await statementOf((pool) =>
    finishAttempts(pool, 'a worker', ends, { listeners, ignored: new Set() }, undefined),
  );
  expect((await planOf(statement)).match(WHOLE_TABLE)).toBeNull();
});

test("recording a third party's check of a lead", async () => {
  const lead = await database.db.selectFrom('leads').select('id').executeTakeFirstOrThrow();
  const statement = await statementOf((pool) =>
    createLeadChecks({
      pool: pool as pg.Pool,
      log: testLog,
      waiting: ['ingest'],
      wake: () => undefined,
    }).save({
      ...{ leadId: lead.id, revision: 1, service: 'verification', asked: '', at: new Date() },
      ...{ outcome: 'answered', said: {}, durationMs: 1 },
    }),
  );
  expect((await planOf(statement)).match(WHOLE_TABLE)).toBeNull();
});
