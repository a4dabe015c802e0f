import type pg from 'pg';
import { expect, vi } from 'vitest';
import {
  createJobs,
  createTurn,
  type JobClock,
  type Jobs,
  RENEW_EVERY_MS,
  type Turn,
} from '../../src/server/platform/database/jobs.ts';
import { purge } from '../../src/server/privacy/retention.ts';
import { testLog } from './postgres.ts';

type Wait = { readonly untilMs: number; readonly ms: number; end(): void };

export function createJobClock() {
  let nowMs = 0;
  const waits = new Set<Wait>();
  const clock: JobClock = {
    nowMs: () => nowMs,
    wait: (ms, signal) =>
      new Promise((resolve) => {
        const wait = { ms, untilMs: nowMs + ms, end };
        function end() {
          waits.delete(wait);
          signal.removeEventListener('abort', end);
          resolve();
        }
        if (signal.aborted) return resolve();
        signal.addEventListener('abort', end);
        waits.add(wait);
      }),
  };
  /** Returns the waits of idle jobs, without the waits of running jobs for their lease renewal. */
  const rests = () => [...waits].filter(({ ms }) => ms !== RENEW_EVERY_MS);
  /** Resolves when at least this number of jobs is idle. */
  const untilResting = (jobs: number) =>
    vi.waitFor(() => expect(rests().length).toBeGreaterThanOrEqual(jobs), { interval: 5 });
  return {
    clock,
    untilResting,
    /** Returns how long the idle jobs wait, in milliseconds. */
    pauses: () => rests().map(({ ms }) => ms),
    /** Advances the clock wait by wait. After each step, `jobs` waits must be pending again. */
    async advance(ms: number, jobs: number): Promise<void> {
      const untilMs = nowMs + ms;
      for (;;) {
        await untilResting(jobs);
        const [next] = rests().sort((a, b) => a.untilMs - b.untilMs);
        if (next === undefined || next.untilMs > untilMs) break;
        nowMs = Math.max(nowMs, next.untilMs);
        next.end();
      }
      nowMs = untilMs;
    },
  };
}

/** Returns the context of a job's run, which no other process takes over. */
export function turnFor(pool: pg.Pool, name = 'test'): Turn {
  return createTurn({ pool, name, signal: new AbortController().signal, log: testLog });
}

/** Creates a runner for bulk plans. */
export function runnerFor(pool: pg.Pool) {
  return { ...turnFor(pool), log: testLog };
}

/** Creates the jobs of another process, with the process's clock. */
export function jobsFor(pool: pg.Pool): Jobs {
  return createJobs({ pool, log: testLog, alert: () => undefined });
}

/** Purges rows past their retention period, as the daily job does. */
export function purgeOnce(
  pool: pg.Pool,
  ...given: Parameters<typeof purge> extends [Turn, ...infer Rest] ? Rest : never
): ReturnType<typeof purge> {
  return purge(turnFor(pool), ...given);
}
