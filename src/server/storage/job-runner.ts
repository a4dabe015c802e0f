/**
 * Takes jobs from a pg-boss queue and runs them, each one by itself.
 *
 * pg-boss' own workers take a batch and wait for its slowest job, or take one job per poll: neither
 * drains a backlog while one destination hangs. So this asks for as many jobs as there are free slots,
 * through pg-boss' public calls only: `fetch`, `touch`, `complete`, `fail`. Every settling call is
 * given the job as it was fetched, so pg-boss ignores one that comes from a worker whose claim has
 * lapsed (frozen past its expiry, then thawed).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, PgBoss } from 'pg-boss';
import { cleanDatabaseError, isConnectionError } from './database-error.ts';
import type { Logger } from './logger.ts';

export type JobRunnerOptions<T extends object> = {
  boss: PgBoss;
  queueName: string;
  log: Logger;
  /** Most jobs at once in this process. */
  concurrency: number;
  /** Pause between looks into the queue when nothing wakes us, in milliseconds. */
  pollIntervalMs: number;
  /** Pause between signs of life for the jobs that run, in milliseconds. */
  heartbeatIntervalMs: number;
  /**
   * Does one job. Returning completes it; throwing makes pg-boss try it again.
   * `signal` aborts when the claim on the job is lost or the process has to end.
   */
  handler(data: T, context: { signal: AbortSignal }): Promise<void>;
};

export type JobRunner = {
  /** Looks into the queue now: call it after the commit of a new job. */
  wake(): void;
  /** Jobs that run now. */
  readonly active: number;
  /**
   * Takes no more jobs and waits for those that run. After `timeoutMs` their signals abort, and they
   * are given back to be tried again.
   */
  stop(timeoutMs: number): Promise<void>;
};

type Running<T> = { job: Job<T>; abort: AbortController; done: Promise<void> };

/** While the database is away: how long to wait before the next look, and between two log lines. */
const ERROR_PAUSE_MS = 500;
const ERROR_LOG_INTERVAL_MS = 10_000;
/** With a backlog, freed slots are collected for this long, so that one fetch fills several. */
const REFILL_PAUSE_MS = 2;

/** Starts to take jobs. */
export function runJobs<T extends object>(options: JobRunnerOptions<T>): JobRunner {
  const { boss, queueName, log, concurrency, handler } = options;
  // A set, not a map by id: a job whose claim was lost may be fetched again while its first run is
  // still on its way out.
  const running = new Set<Running<T>>();
  const finished: Job<T>[] = [];
  let flushing: Promise<void> | undefined;
  let stopping = false;
  let ended = false;
  let lastErrorLogMs = Number.NEGATIVE_INFINITY;
  let wakeUp: (() => void) | undefined;
  let woken = false;
  // The last look filled every slot, so it may have left jobs behind.
  let moreWaiting = false;

  function wake(): void {
    woken = true;
    wakeUp?.();
  }

  /** Until `wake`, or `timeoutMs` have passed. */
  async function pause(timeoutMs: number): Promise<void> {
    if (!woken) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        wakeUp = resolve;
        timer = setTimeout(resolve, timeoutMs);
      });
      clearTimeout(timer);
      wakeUp = undefined;
    }
    woken = false;
  }

  function logError(error: unknown, message: string): void {
    if (performance.now() - lastErrorLogMs < ERROR_LOG_INTERVAL_MS) return;
    lastErrorLogMs = performance.now();
    log.warn({ err: cleanDatabaseError(error), queue: queueName }, message);
  }

  async function takeJobs(): Promise<void> {
    while (!stopping) {
      const free = concurrency - running.size;
      if (free > 0) {
        woken = false;
        try {
          const jobs = await boss.fetch<T>(queueName, { batchSize: free });
          moreWaiting = jobs.length === free;
          for (const job of jobs) start(job);
        } catch (error) {
          logError(error, 'The queue cannot be read; trying again');
          await sleep(ERROR_PAUSE_MS);
          continue;
        }
      }
      await pause(options.pollIntervalMs);
      if (moreWaiting && !stopping) await sleep(REFILL_PAUSE_MS);
    }
  }

  function start(job: Job<T>): void {
    for (const earlier of running) {
      if (earlier.job.id === job.id)
        earlier.abort.abort(new Error('The claim on this job was lost'));
    }
    const abort = new AbortController();
    const entry: Running<T> = { job, abort, done: Promise.resolve() };
    running.add(entry);
    entry.done = run(entry);
  }

  async function run(entry: Running<T>): Promise<void> {
    const { job, abort } = entry;
    try {
      await handler(job.data, { signal: abort.signal });
      finished.push(job);
      await flush();
    } catch (error) {
      await giveBack(job, error);
    } finally {
      running.delete(entry);
      if (moreWaiting) wake();
    }
  }

  /** Completes what has finished; while one call is under way, the next ones are collected. */
  function flush(): Promise<void> {
    flushing ??= (async () => {
      try {
        while (finished.length > 0) {
          const jobs = finished.splice(0);
          try {
            await boss.complete(queueName, jobs);
          } catch (error) {
            logError(error, 'Finished jobs could not be marked as such');
            // The database is away: their signs of life go on, so the claim is held, or, once it has
            // lapsed, the late call changes nothing. Any other failure: the job comes back, and the
            // handler finds its work done.
            if (isConnectionError(error) && !ended) {
              finished.unshift(...jobs);
              await sleep(ERROR_PAUSE_MS);
            }
          }
        }
      } finally {
        flushing = undefined;
      }
    })();
    return flushing;
  }

  async function giveBack(job: Job<T>, error: unknown): Promise<void> {
    const clean = cleanDatabaseError(error);
    log.error(
      { err: clean, queue: queueName, job: job.id },
      'A job failed; it will be tried again',
    );
    try {
      await boss.fail(queueName, job, { name: clean.name, code: clean.code ?? null });
    } catch (failError) {
      logError(failError, 'A failed job could not be given back; it will come back by itself');
    }
  }

  async function heartbeat(): Promise<void> {
    const entries = [...running].filter(({ abort }) => !abort.signal.aborted);
    if (entries.length === 0) return;
    try {
      const jobs = entries.map(({ job }) => job);
      const answer = (await boss.touch(queueName, jobs)) as { settled?: string[] };
      if (answer.settled === undefined) return;
      const held = new Set(answer.settled);
      for (const { job, abort } of entries) {
        if (!held.has(job.id)) abort.abort(new Error('The claim on this job was lost'));
      }
    } catch (error) {
      logError(error, 'Signs of life could not be written; trying again');
    }
  }

  const heart = setInterval(() => void heartbeat(), options.heartbeatIntervalMs);
  const loop = takeJobs();

  async function stop(timeoutMs: number): Promise<void> {
    stopping = true;
    wake();
    await loop;
    const all = Promise.allSettled([...running].map(({ done }) => done));
    const timer = new AbortController();
    const inTime = await Promise.race([
      all.then(() => true),
      sleep(timeoutMs, false, { signal: timer.signal }).catch(() => false),
    ]);
    timer.abort();
    clearInterval(heart);
    ended = true;
    if (inTime) return;
    const left = [...running];
    log.warn({ jobs: left.length }, 'Jobs that did not end in time are given back');
    for (const { abort } of left) abort.abort(new Error('The process is ending'));
    await Promise.all(left.map(({ job }) => giveBack(job, new Error('The process ended'))));
  }

  let stopped: Promise<void> | undefined;
  return {
    wake,
    get active() {
      return running.size;
    },
    stop(timeoutMs) {
      stopped ??= stop(timeoutMs);
      return stopped;
    },
  };
}
