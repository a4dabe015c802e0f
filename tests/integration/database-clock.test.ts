/** A process with a wrong clock: everything compared with database times uses the database's clock. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startPurge } from '../../src/server/privacy/retention.ts';
import { createCheckAnswers } from '../../src/server/storage/check-answers.ts';
import { createFormVisitStore } from '../../src/server/storage/form-visits-store.ts';
import { createJobs } from '../../src/server/storage/jobs.ts';
import { createLeadsStore } from '../../src/server/storage/leads-store.ts';
import { controlled, pass } from '../support/delivery.ts';
import { createJobClock } from '../support/job-clock.ts';
import { testAcceptLead, testLead, testVisitor } from '../support/leads.ts';
import { keepDays } from '../support/ledger.ts';
import { databaseForTests } from '../support/own-database.ts';
import { personKey } from '../support/person-keys.ts';
import { withinAnHour } from '../support/server.ts';
import { workersForTests } from '../support/workers.ts';

const DAY_MS = 86_400_000;
const AHEAD_MS = 400 * DAY_MS;
const log = pino({ level: 'silent' });

const { pool } = await databaseForTests();
withinAnHour();
const worker = workersForTests(() => ({ pool }));
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + AHEAD_MS }));
afterEach(() => vi.useRealTimers());

/** Returns whether each time in the rows is within the current minute of the database. */
async function areNow(rows: string): Promise<boolean[]> {
  const result = await pool.query<Record<string, Date>>(rows);
  const { rows: clock } = await pool.query<{ now: Date }>('select now() as now');
  const now = clock[0]?.now.getTime() ?? 0;
  return result.rows.flatMap((row) =>
    Object.values(row).map((time) => Math.abs(now - time.getTime()) < 60_000),
  );
}

it('a lead is due at once, at its first post and at a later one', async () => {
  const { post, lead } = testAcceptLead({ now: () => new Date() });
  const store = createLeadsStore({ pool, wake: () => undefined });
  const id = String(testLead().lead_id);
  await post(testLead({ tcpa: '' }));
  await store.insert(lead(), { addressKey: '203.0.113.7', mostPersons: 9 });
  const times = [
    'select created_at, updated_at from leads',
    'select created_at, seen_at from visits',
    'select created_at from clicks',
    'select created_at from deliveries',
    'select seen_at from address_persons',
  ];
  for (const each of times) expect(new Set(await areNow(each))).toEqual(new Set([true]));
  const at = { consent_shown_at: new Date().toISOString(), submitted_at: new Date().toISOString() };
  await post(testLead(at));
  await store.revise(id, 'other', () => lead());
  expect(lead()).toMatchObject({ revision: 2 });
  const { consent, state } = lead();
  expect([consent === null, state]).toEqual([false, 'accepted']);
  expect(await areNow('select due_at from deliveries')).toEqual([true]);
  expect(await areNow('select created_at from consents')).toEqual([true]);
});

it('an address has one hour in all processes', async () => {
  await pool.query('truncate leads, visits, address_persons cascade');
  const leadStore = createLeadsStore({ pool, wake: () => undefined });
  const { post } = testAcceptLead({ leadStore, perHour: 1, now: () => new Date() });
  await post(testLead());
  vi.useRealTimers();
  await post(testLead({ lead_id: randomUUID(), email: 'other@mail.example' }));
  const { rows } = await pool.query('select state from leads order by created_at');
  expect(rows).toEqual([{ state: 'accepted' }, { state: 'held' }]);
});

it('a delivery is sent at once, and tried again after its pause', async () => {
  vi.setSystemTime(Date.now() - AHEAD_MS + 5 * 60_000);
  await pool.query('truncate leads, visits cascade');
  const leadStore = createLeadsStore({ pool, wake: () => undefined });
  await testAcceptLead({ leadStore, now: () => new Date() }).post(testLead());
  const ingest = controlled('ingest', async () => ({ outcome: 'retry', durationMs: 1 }));
  expect(await pass(worker([ingest]))).toBe(1);
  expect(await areNow('select started_at, ended_at from delivery_attempts')).toEqual([true, true]);
  // The first pause is five seconds.
  const retrying = `select due_at from deliveries where state = 'retrying'`;
  expect(await areNow(retrying)).toEqual([true]);
});

it('a visit is resumed, and no recent row is purged', async () => {
  const owner = { leadId: randomUUID(), secretSha256: testVisitor.secretSha256 };
  await pool.query('insert into visits (lead_id, secret_sha256) values ($1, $2)', [
    owner.leadId,
    owner.secretSha256,
  ]);
  const time = createJobClock();
  const jobs = createJobs({ pool, log, alert: () => undefined, clock: time.clock });
  startPurge(jobs, keepDays, log);
  await time.untilResting(1);
  await jobs.stop();
  const store = createFormVisitStore(pool, personKey);
  expect(await store.load(owner, DAY_MS)).toBeDefined();
  await pool.query(`update visits set seen_at = now() - interval '25 hours'`);
  expect(await store.load(owner, DAY_MS)).toBeUndefined();
});

it('a cached service answer lives as long as it should', async () => {
  const answers = createCheckAnswers({ pool, log, lifetimeMs: DAY_MS });
  answers.keep('zip', 'hash', { city: 'New York' });
  await answers.drain();
  expect(await areNow(`select expires_at - interval '1 day' as at from check_answers`)).toEqual([
    true,
  ]);
  const other = createCheckAnswers({ pool, log, lifetimeMs: DAY_MS });
  expect(await other.recall('zip', 'hash')).toEqual({ city: 'New York' });
});
