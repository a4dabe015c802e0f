/** The job appends, signs, tells and checks by itself, in any number of processes. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { clearLedger, seedLead, seedPending } from '../../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../../tests/support/own-database.ts';
import { testLog } from '../../../../tests/support/postgres.ts';
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

/** Starts the job as two processes would. */
function startTwo(tell: () => Promise<void> = async () => undefined, own = pool) {
  const told: string[] = [];
  const alerts: unknown[] = [];
  const jobs = [1, 2].map(() =>
    startEvidence({
      ...{ pool: own, log: testLog, origin: 'https://claims.example.com', headsFile },
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

const isChecked = async () =>
  (await pool.query(`select 1 from chores where name = 'evidence'`)).rowCount === 1;

test('a log that lacks hashes is alerted as soon as a lead waits, and still checked', async () => {
  await logLead();
  const day = startTwo();
  await expect.poll(isChecked).toBe(true);
  await day.stop();
  await pool.query('delete from evidence_tiles');
  await pool.query('delete from chores');
  await pool.query(`update evidence_heads set at = at - interval '1 hour'`);
  await logLead();
  await pool.query(`update evidence_pending set at = now() - interval '2 hours'`);
  const night = startTwo();
  await expect.poll(isChecked).toBe(true);
  await night.stop();
  const alerts = JSON.stringify(night.alerts);
  expect(alerts).toContain('"first":"Tile 0/0 lacks hashes"');
  expect(alerts).toContain('an hour behind');
  expect(alerts).toContain('"first":"the log has 0 leaves instead of 2"');
});

test('a row without a canonical form is set aside and alerted, holds up no other, and is tried again', async () => {
  const poison = await seedLead(pool);
  const deep = JSON.stringify([{ name: 'Firm', of: JSON.parse('['.repeat(40) + ']'.repeat(40)) }]);
  await pool.query('update consents set buyers = $1 where lead_id = $2', [deep, poison]);
  await seedPending(pool, poison);
  await logLead();
  const first = startTwo();
  await expect.poll(sizeOf).toBe(2);
  await expect.poll(isChecked).toBe(true);
  await first.stop();
  expect(first.alerts).toEqual([
    [expect.stringContaining('A record is set aside'), { ref: poison, number: 1 }],
  ]);
  const { rows } = await pool.query('select ref from evidence_pending');
  expect(rows).toEqual([{ ref: poison }]);
  await pool.query(`update consents set buyers = '[]' where lead_id = $1`, [poison]);
  await pool.query(`update evidence_pending set set_aside_until = now() - interval '1 minute'`);
  const second = startTwo();
  await expect.poll(sizeOf).toBe(4);
  await second.stop();
  expect(second.alerts).toEqual([]);
});

test('a check that did not end is made again', async () => {
  await logLead();
  const day = startTwo();
  await expect.poll(() => day.told.length).toBe(1);
  await day.stop();
  await pool.query(`update evidence_heads set jws = 'garbage'`);
  await pool.query('delete from chores');
  const dying = new Proxy(pool, {
    get(target, name) {
      const own = Reflect.get(target, name);
      if (name !== 'query') return typeof own === 'function' ? own.bind(target) : own;
      return (...given: Parameters<typeof pool.query>) =>
        `${given[0]}`.includes('reltuples')
          ? Promise.reject(new Error('the process was killed'))
          : target.query(...given);
    },
  });
  const killed = startTwo(undefined, dying);
  await expect.poll(() => JSON.stringify(killed.alerts)).toContain('cannot go on');
  await killed.stop();
  // Whoever has claimed the check may be at it for two hours.
  await pool.query(`update chores set last_run_at = now() - interval '3 hours'
    where name = 'evidence-check'`);
  const next = startTwo();
  await expect.poll(() => JSON.stringify(next.alerts)).toContain('cannot be read');
  await next.stop();
});

test('a server whose key has ended signs nothing and says so, while the log grows', async () => {
  await logLead();
  const { kid } = await openSigningKey(pool, { dataDir, evidenceKey: undefined });
  await endKey(pool, kid, { isNow: true });
  const ended = startTwo();
  await expect.poll(sizeOf).toBe(2);
  await expect.poll(() => JSON.stringify(ended.alerts)).toContain(`has ended (${kid})`);
  await ended.stop();
  expect((await pool.query('select from evidence_heads')).rowCount).toBe(0);
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
