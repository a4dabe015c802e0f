/** The job appends, signs, tells and checks by itself, in any number of processes. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { clearLedger, seedLead, seedPending } from '../../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../../tests/support/own-database.ts';
import { testLog } from '../../../../tests/support/postgres.ts';
import { startEvidence } from './job.ts';

const { pool } = await databaseForTests(clearLedger);
const dataDir = await mkdtemp(path.join(tmpdir(), 'evidence-job-'));
afterAll(() => rm(dataDir, { recursive: true }));
const headsFile = path.join(dataDir, 'heads');

const sizeOf = async () => Number((await pool.query('select size from evidence_log')).rows[0].size);

async function logLead(): Promise<void> {
  await seedPending(pool, await seedLead(pool));
}

/** Starts the job as two processes would. */
function startTwo(tell: () => Promise<void> = async () => undefined) {
  const told: string[] = [];
  const alerts: unknown[] = [];
  const jobs = [1, 2].map(() =>
    startEvidence({
      ...{ pool, log: testLog, origin: 'https://claims.example.com', headsFile },
      settings: { dataDir, evidenceKey: undefined },
      alert: (text, facts) => alerts.push([text, facts]),
      tell: async ({ jws }) => {
        await tell();
        told.push(jws);
      },
    }),
  );
  return { told, alerts, stop: () => Promise.all(jobs.map((job) => job.stop())) };
}

test('a head is signed and told once, and the next one after an hour', async () => {
  await logLead();
  const first = startTwo();
  await expect.poll(() => first.told.length).toBe(1);
  await first.stop();
  expect(await sizeOf()).toBe(2);
  await logLead();
  const second = startTwo();
  await expect.poll(sizeOf).toBe(4);
  await second.stop();
  expect(second.told).toEqual([]);
  expect((await readFile(headsFile, 'utf8')).trim().split('\n')).toEqual(first.told);

  await pool.query(`update evidence_heads set at = at - interval '1 hour'`);
  const failing = startTwo(() => Promise.reject(new Error('HTTP 500')));
  await expect.poll(async () => (await pool.query('select from evidence_heads')).rowCount).toBe(2);
  await failing.stop();
  const last = startTwo();
  await expect.poll(() => last.told.length).toBe(1);
  await last.stop();
  expect([...first.alerts, ...second.alerts, ...last.alerts]).toEqual([]);
});

test('heads that did not arrive for an hour are alerted', async () => {
  await logLead();
  const fail = () => Promise.reject(new Error('HTTP 500'));
  const failing = startTwo(fail);
  await expect.poll(async () => (await pool.query('select from evidence_heads')).rowCount).toBe(1);
  await failing.stop();
  expect(failing.alerts).toEqual([]);
  await pool.query(`update evidence_heads set at = at - interval '1 hour'`);
  const later = startTwo(fail);
  await expect.poll(() => JSON.stringify(later.alerts)).toContain('have not arrived for an hour');
  await later.stop();
});

test('a rewritten log is alerted in the night, once', async () => {
  await logLead();
  const day = startTwo();
  await expect.poll(() => day.told.length).toBe(1);
  await day.stop();
  await pool.query(
    `update evidence_tiles set hashes = overlay(hashes placing '\\x00' from 1) where tile = 0`,
  );
  await pool.query(`update chores set last_run_at = now() - interval '1 day'`);
  const night = startTwo();
  await expect.poll(() => night.alerts.length).toBe(1);
  await night.stop();
  expect(JSON.stringify(night.alerts)).toContain('has another root than the log');
  expect(night.alerts).toHaveLength(1);
});

test('a log that is an hour behind is alerted', async () => {
  await pool.query(`insert into evidence_pending (at, ref, number, is_delivery)
    select now() - interval '2 hours', gen_random_uuid(), 1, false from generate_series(1, 5000)`);
  const late = startTwo();
  await expect.poll(() => JSON.stringify(late.alerts)).toContain('an hour behind');
  await late.stop();
});

test('a lost key is replaced, and alerted as every added one; an unusable one is alerted', async () => {
  await logLead();
  const before = startTwo();
  await expect.poll(() => before.told.length).toBe(1);
  await before.stop();
  expect(before.alerts).toEqual([]);
  await rm(path.join(dataDir, 'evidence-key'));
  const after = startTwo();
  await expect
    .poll(() => JSON.stringify(after.alerts))
    .toContain('A key that signs evidence was added');
  await after.stop();
  const { rows } = await pool.query('select valid_until from evidence_keys');
  expect(rows).toEqual([{ valid_until: null }, { valid_until: null }]);
  await writeFile(path.join(dataDir, 'evidence-key'), 'nonsense');
  const broken = startTwo();
  await expect.poll(() => JSON.stringify(broken.alerts)).toContain('cannot be used');
  await broken.stop();
  await rm(path.join(dataDir, 'evidence-key'));
});
