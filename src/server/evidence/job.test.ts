import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createJobClock } from '../../../tests/support/job-clock.ts';
import { clearLedger, seedLead, seedPending } from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { testLog } from '../../../tests/support/postgres.ts';
import type { Alerts } from '../platform/alerts.ts';
import { createJobs } from '../platform/database/jobs.ts';
import { startEvidence } from './job.ts';
import { endKey, openSigningKey } from './keys.ts';

const { pool } = await databaseForTests(clearLedger);
const dataDir = await mkdtemp(path.join(tmpdir(), 'evidence-job-'));
afterAll(() => rm(dataDir, { recursive: true }));
const headsFile = path.join(dataDir, 'heads');

const sizeOf = async () => Number((await pool.query('select size from evidence_log')).rows[0].size);

async function logLead(): Promise<void> {
  await seedPending(pool, await seedLead(pool));
}

/** Runs all jobs for two minutes, and returns the sent tree heads and the alerts. */
async function run(postHead: () => Promise<void> = async () => undefined, own = pool) {
  const told: string[] = [];
  const alerts: unknown[] = [];
  const alert: Alerts = (text, facts) => alerts.push([text, facts]);
  const time = createJobClock();
  const jobs = createJobs({ pool: own, log: testLog, alert, clock: time.clock });
  startEvidence(jobs, {
    log: testLog,
    alert,
    origin: 'https://claims.example.com',
    headsFile,
    settings: { dataDir, evidenceKey: undefined },
    postHead: async ({ jws }) => {
      await postHead();
      told.push(jws);
    },
  });
  await time.advance(120_000, 3);
  await jobs.stop();
  return { told, alerts: JSON.stringify(alerts) };
}

test('the job signs at most one tree head in an hour', async () => {
  await logLead();
  const first = await run();
  expect([first.told.length, await sizeOf()]).toEqual([1, 2]);
  await logLead();
  const second = await run();
  expect(await sizeOf()).toBe(4);
  expect(second.told).toEqual([]);
  expect((await readFile(headsFile, 'utf8')).trim().split('\n')).toEqual(first.told);

  await pool.query(`update evidence_heads set at = at - interval '1 hour'`);
  expect((await run()).told).toHaveLength(1);
  expect([first.alerts, second.alerts]).toEqual(['[]', '[]']);
});

test('the job raises an alert if it cannot send a tree head for an hour', async () => {
  await logLead();
  const fail = () => Promise.reject(new Error('HTTP 500'));
  expect((await run(fail)).alerts).toBe('[]');
  await pool.query(`update evidence_heads set at = at - interval '1 hour'`);
  expect((await run(fail)).alerts).toContain('have not arrived for an hour');
});

const tomorrow = () => pool.query(`update jobs set done_at = now() - interval '1 day'`);

test('the nightly check raises one alert if a stored hash of the log was changed', async () => {
  await logLead();
  await run();
  await pool.query(
    'update evidence_tiles set hashes = set_byte(hashes, 0, 255 - get_byte(hashes, 0)) where tile = 0',
  );
  await tomorrow();
  expect((await run()).alerts.match(/has another root than the log/g)).toHaveLength(1);
  expect((await run()).alerts).toBe('[]');
});

test('the job raises one alert for a row that cannot be appended to the log', async () => {
  await logLead();
  const id = await seedLead(pool);
  await seedPending(pool, id);
  const body = (text: string) =>
    pool.query('update lead_revisions set body = $2, merged = null where lead_id = $1', [id, text]);
  await body('null');
  expect((await run()).alerts.match(/set an item aside/g)).toHaveLength(1);
  await pool.query(`update evidence_pending set at = now() - interval '2 hours'`);
  expect([(await run()).alerts, await sizeOf()]).toEqual(['[]', 2]);
  await pool.query('delete from evidence_pending');
  await tomorrow();
  expect((await run()).alerts).toContain(`revision 1 of lead ${id} gives no entry`);
  await seedPending(pool, id);
  await body('{}');
  await pool.query('update set_aside set retry_at = now()');
  await run();
  expect(await sizeOf()).toBe(4);
  expect((await pool.query('select from set_aside')).rowCount).toBe(0);
});

test('the job raises an alert if the signing key has ended', async () => {
  await logLead();
  const { kid } = await openSigningKey(pool, { dataDir, evidenceKey: undefined });
  await endKey(pool, kid, { isNow: true });
  expect((await run()).alerts).toContain(`has ended (${kid})`);
  expect(await sizeOf()).toBe(2);
  expect((await pool.query('select from evidence_heads')).rowCount).toBe(0);
});

test('the job raises an alert if hashes of the log are missing', async () => {
  await logLead();
  await run();
  await pool.query('delete from evidence_tiles');
  await tomorrow();
  await pool.query(`update evidence_heads set at = at - interval '1 hour'`);
  await logLead();
  await pool.query(`update evidence_pending set at = now() - interval '2 hours'`);
  const { alerts } = await run();
  expect(alerts).toContain('"first":"Tile 0/0 lacks hashes"');
  expect(alerts).toContain('an hour behind');
  expect(alerts).toContain('"first":"the log has 0 leaves instead of 2"');
});

test('the job raises an alert if it replaces a lost key file', async () => {
  await logLead();
  expect((await run()).alerts).toBe('[]');
  await rm(path.join(dataDir, 'evidence-key'));
  expect((await run()).alerts).toContain('A key that signs evidence was added');
  const { rows } = await pool.query('select valid_until from evidence_keys');
  expect(rows).toEqual([{ valid_until: null }, { valid_until: null }]);
  await writeFile(path.join(dataDir, 'evidence-key'), 'nonsense');
  expect((await run()).alerts).toContain('cannot be used');
  await rm(path.join(dataDir, 'evidence-key'));
});
