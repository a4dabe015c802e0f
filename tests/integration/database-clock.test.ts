/**
 * Tests a server whose clock is wrong. The server must use the database's clock for stored times.
 */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLeadStore } from '../../src/server/leads/lead-store.ts';
import { controlled, pass } from '../support/delivery.ts';
import { testAcceptLead, testLead } from '../support/leads.ts';
import { databaseForTests } from '../support/own-database.ts';
import { withinAnHour } from '../support/server.ts';
import { workersForTests } from '../support/workers.ts';

const DAY_MS = 86_400_000;
const AHEAD_MS = 400 * DAY_MS;

const { pool } = await databaseForTests();
withinAnHour();
const worker = workersForTests(() => ({ pool }));
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + AHEAD_MS }));
afterEach(() => vi.useRealTimers());

/** Returns true for each selected time that is within a minute of the database's time. */
async function areNow(rows: string): Promise<boolean[]> {
  const result = await pool.query<Record<string, Date>>(rows);
  const { rows: clock } = await pool.query<{ now: Date }>('select now() as now');
  const now = clock[0]?.now.getTime() ?? 0;
  return result.rows.flatMap((row) =>
    Object.values(row).map((time) => Math.abs(now - time.getTime()) < 60_000),
  );
}

it('a process whose clock is wrong retries deliveries by the database’s clock', async () => {
  vi.setSystemTime(Date.now() - AHEAD_MS + 5 * 60_000);
  await pool.query('truncate leads, visits cascade');
  const leadStore = createLeadStore({ pool, wake: () => undefined });
  await testAcceptLead({ leadStore, now: () => new Date() }).post(testLead());
  const ingest = controlled('ingest', async () => ({ outcome: 'retry', durationMs: 1 }));
  expect(await pass(worker([ingest]))).toBe(1);
  expect(await areNow('select started_at, ended_at from delivery_attempts')).toEqual([true, true]);
  // The first retry of a delivery is due five seconds after the failure.
  const retrying = `select due_at from deliveries where state = 'retrying'`;
  expect(await areNow(retrying)).toEqual([true]);
});
