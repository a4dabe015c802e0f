/** Tests that operators read from a read-only copy of the database and write to the primary. */
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { run } from '../../src/cli/leads.ts';
import { openDatabase } from '../../src/server/platform/database/database.ts';
import { collectOutput } from '../support/command.ts';
import { consoleForTests } from '../support/console.ts';
import { randomSummary, seedSummaries } from '../support/lead-summaries.ts';
import { ana, seedLead } from '../support/ledger.ts';
import { databaseForTests } from '../support/own-database.ts';
import { testPersonSecret } from '../support/person-keys.ts';
import { patientTimeouts, type TestDatabase, testLog } from '../support/postgres.ts';
import { seededRandom } from '../support/seeded-random.ts';

const primary = await databaseForTests();
const standby = await databaseForTests();
const copyUrl = `${standby.connectionString}?options=${encodeURIComponent('-c default_transaction_read_only=on')}`;
const copy = openDatabase({
  connectionString: copyUrl,
  poolMax: 4,
  log: testLog,
  timeouts: patientTimeouts,
});
const operators = await consoleForTests(primary, { copy });
afterAll(async () => {
  await operators.app.close();
  await copy.close();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Stores a different lead in each database, so that a result shows which database was read. */
async function seed({ pool }: Pick<TestDatabase, 'pool'>): Promise<string> {
  const id = await seedLead(pool, { deliveries: [{ state: 'waiting' }] });
  const row = randomSummary(seededRandom('one'));
  await seedSummaries(pool, [
    { ...row, lead_id: id, is_test: false, received_at: row.began_at, source: `of-${id}` },
  ]);
  return id;
}
const ofPrimary = await seed(primary);
const ofCopy = await seed(standby);

test('the read-only copy of the database refuses writes', async () => {
  await expect(copy.pool.query('delete from leads')).rejects.toMatchObject({ code: '25006' });
});

test('the console reads lists, numbers and exports from the read-only copy', async () => {
  const { rows } = (await operators.get('/api/leads')).json<{ rows: { id: string }[] }>();
  expect(rows.map(({ id }) => id)).toEqual([ofCopy]);
  const day = { from: '2026-01-01', to: '2026-01-31' };
  const period = new URLSearchParams(day).toString();
  for (const url of [
    '/api/leads/count',
    '/api/leads/newer',
    '/api/lead-values?key=source',
    `/api/overview?${period}`,
    `/api/breakdown?${period}&dimension=source`,
    `/api/funnels?${period}&survey=/survey/v4nv`,
    '/api/system',
  ]) {
    expect([url, (await operators.get(url)).statusCode]).toEqual([url, 200]);
  }
  expect((await operators.get('/api/lead-values?key=source')).body).toContain(`of-${ofCopy}`);
  const asked = { format: 'json', filter: {}, reason: 'for the test' };
  const exported = await operators.post('/api/leads/export', asked);
  expect(exported.json()).toMatchObject([{ lead_id: ofCopy }]);
  const log = await primary.pool.query(`select 1 from audit_log where action = 'leads.exported'`);
  expect(log.rowCount).toBe(1);
});

test('the console uses the primary database for a lead’s page and actions', async () => {
  expect((await operators.get(`/api/leads/${ofCopy}`)).statusCode).toBe(404);
  const act = await operators.post(`/api/leads/${ofPrimary}/suppress`, { reason: 'she asked' });
  expect(act.statusCode).toBe(200);
  expect((await operators.get(`/api/leads/${ofPrimary}`)).body).toContain('suppressed');
});

test('commands use OPERATORS_DATABASE_URL to read and DATABASE_URL to write', async () => {
  vi.stubEnv('DATABASE_URL', primary.connectionString);
  vi.stubEnv('OPERATORS_DATABASE_URL', copyUrl);
  vi.stubEnv('PERSON_KEY_SECRET', testPersonSecret);
  const written = collectOutput();
  const codes: number[] = [];
  for (const argv of [['list'], ['show', ofCopy], ['export', '--format', 'csv']]) {
    written.out = '';
    codes.push(await run(argv));
    expect(written.out).toContain(ofCopy);
    expect(written.out).not.toContain(ofPrimary);
  }
  codes.push(await run(['show', ofPrimary]), await run(['suppress', ana.email]));
  expect(codes).toEqual([0, 0, 0, 3, 0]);
  const listed = await primary.pool.query('select 1 from suppressions');
  expect(listed.rowCount).toBeGreaterThan(0);
  vi.stubEnv('OPERATORS_DATABASE_URL', undefined);
  expect(await run(['show', ofPrimary])).toBe(0);
});
