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
  const rests = () => [...waits].filter(({ ms }) => ms !== RENEW_EVERY_MS);
  const untilResting = (jobs: number) =>
    vi.waitFor(() => expect(rests().length).toBeGreaterThanOrEqual(jobs), { interval: 5 });
  return {
    clock,
    untilResting,
    /** Returns for each waiting job how long the job waits, in milliseconds. */
    pauses: () => rests().map(({ ms }) => ms),
    /** Advances the clock by `ms`. Before each job runs, expects that `jobs` jobs are waiting. */
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

/** Returns the context of a job's run. */
export function turnFor(pool: pg.Pool, name = 'test'): Turn {
  return createTurn({ pool, name, signal: new AbortController().signal, log: testLog });
}

/** Creates the background jobs of another server process. */
export function jobsFor(pool: pg.Pool): Jobs {
  return createJobs({ pool, log: testLog, alert: () => undefined });
}

/** Deletes expired rows, as the daily job does. */
export function purgeOnce(
  pool: pg.Pool,
  ...given: Parameters<typeof purge> extends [Turn, ...infer Rest] ? Rest : never
): ReturnType<typeof purge> {
  return purge(turnFor(pool), ...given);
}
