/** Runs each background job in the process that has its lease (docs/decisions/0080-jobs.md). */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Alerts } from '../alerts.ts';
import { pauseFor } from '../in-time.ts';
import type { Logger } from '../postgres/logger.ts';
import { type DatabaseTimeouts, inTransaction, type Queryable } from './database.ts';
import { cleanDatabaseError, isPassingError } from './database-error.ts';

/** Another process takes over a job if the job's lease is not renewed for this time. */
const LEASE_MS = 30_000;
export const RENEW_EVERY_MS = 7_500;
const ERROR_PAUSE_MS = 10_000;
const MOST_REST_MS = 60_000;
/** Maximum time for which `stop` waits for running jobs. */
const STOP_MS = 5_000;
const RELEASE_MS = 1_000;

/** Time-outs of the jobs' connections, long enough for transactions that take seconds. */
export const jobTimeouts: DatabaseTimeouts = {
  connection: 10_000,
  statement: 60_000,
  query: 70_000,
  lock: 5_000,
};
export const JOBS_POOL_MAX = 4;

/** One run of a job. */
export type Turn = {
  readonly pool: pg.Pool;
  /** Aborted when the process stops, or when another process has taken over the job. */
  readonly signal: AbortSignal;
  /** Runs one short transaction. @throws LeaseLostError if another process took over the job */
  transaction<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result>;
  /** Processes items in one transaction, or one by one if the transaction fails. */
  doItems<Item, Result>(
    items: readonly Item[],
    nameOf: (item: Item) => string,
    work: (client: pg.PoolClient, items: readonly Item[]) => Promise<Result>,
  ): Promise<{ readonly results: Result[]; readonly poisoned: Item[] }>;
};

export type Job = {
  readonly name: string;
  readonly everyMs: number;
  /** True if every process runs the job. The job then needs no lease. */
  readonly isLocal?: true;
  /** True if the job runs once a day. */
  readonly isDaily?: true;
  /** Additional pause after a run, as a multiple of the run's duration. Default: 0. */
  readonly restFactor?: number;
  /** Returns the alert about an error; undefined for the default alert. */
  readonly alertOf?: (error: unknown) => Parameters<Alerts> | undefined;
  /** Does the job's work. A returned number sets the pause until the next run, in milliseconds. */
  run(turn: Turn): Promise<unknown>;
};

export type Jobs = ReturnType<typeof createJobs>;

/** Thrown if another process has taken over a job. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

/** The clock and the pauses of jobs, which tests replace. */
export type JobClock = {
  /** Returns the milliseconds of a monotonic clock. */
  nowMs(): number;
  /** Resolves after a time, or when the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
};

const processClock: JobClock = { nowMs: () => performance.now(), wait: pauseFor };

const LEASE = `now() + interval '${LEASE_MS} milliseconds'`;
// Uses `skip locked`, because a frozen process may have locked the row.
const TAKE = `
update jobs set owner = $2, leased_until = ${LEASE}
where name = (select name from jobs where name = $1 and (owner = $2 or leased_until <= now())
  and ($3 or done_at < date_trunc('day', now()) or done_at >= date_trunc('day', now()) + interval '1 day')
  for update skip locked)`;
const RENEW = `update jobs set leased_until = ${LEASE} where name = $1 and owner = $2`;
const SET_ASIDE = `
insert into set_aside (job, item, error, retry_at) values ($1, $2, $3, now() + interval '1 hour')
on conflict (job, item) do update set error = excluded.error, retry_at = excluded.retry_at
returning at = now() as "isNew"`;
const DONE = `
update jobs set done_at = now(), leased_until = '-infinity' where name = $1 and owner = $2`;

const WAITS = 'A job waits for the database';

/** Creates the jobs of one process. */
export function createJobs(options: {
  readonly pool: pg.Pool;
  readonly log: Logger;
  readonly alert: Alerts;
  readonly clock?: JobClock | undefined;
}) {
  const { pool, log, alert, clock = processClock } = options;
  const owner = `${process.pid}-${randomUUID()}`;
  const stopping = new AbortController();
  const running = new Map<string, { wake(): void; done: Promise<void> }>();
  function start(job: Job) {
    const { name, everyMs, isLocal = false, isDaily = false, restFactor = 0 } = job;
    const ending = new AbortController();
    const ended = AbortSignal.any([stopping.signal, ending.signal]);
    let heldUntilMs = isLocal ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
    let isStored = isLocal;
    let waking = new AbortController();
    let lastReport: string | undefined;
    /** Ends the pause between two runs. */
    const wake = () => waking.abort();

    async function pause(ms: number): Promise<void> {
      await clock.wait(ms, AbortSignal.any([waking.signal, ended]));
      waking = new AbortController();
    }

    /** Takes or renews the lease. Returns whether this process has the lease. */
    async function lease(client: Queryable, statement: string, more: unknown[] = []) {
      const atMs = clock.nowMs();
      const { rowCount } = await client.query(statement, [name, owner, ...more]);
      heldUntilMs = rowCount === 1 ? atMs + LEASE_MS : Number.NEGATIVE_INFINITY;
      return rowCount === 1;
    }

    async function take(): Promise<boolean> {
      if (isLocal || (clock.nowMs() < heldUntilMs && !isDaily)) return true;
      if (!isStored) {
        await pool.query('insert into jobs (name) values ($1) on conflict do nothing', [name]);
        isStored = true;
      }
      return lease(pool, TAKE, [!isDaily]);
    }

    async function fence(client: Queryable): Promise<void> {
      if (!isLocal && !(await lease(client, RENEW))) throw new LeaseLostError(name);
    }

    /** Renews the lease during a run, and aborts the run if the lease is lost. */
    async function keepLease(run: AbortController): Promise<void> {
      while (!run.signal.aborted) {
        await clock.wait(RENEW_EVERY_MS, run.signal);
        if (run.signal.aborted) return;
        // While the database is unreachable, no other process can take the lease.
        const isOurs = await lease(pool, RENEW).catch(() => true);
        if (!isOurs) run.abort(new LeaseLostError(name));
      }
    }

    /** Runs the job if this process has the lease. Returns the pause in ms until the next run. */
    async function runOnce(): Promise<number> {
      if (!(await take())) return everyMs;
      const run = new AbortController();
      const signal = AbortSignal.any([run.signal, ended]);
      const renewing = isLocal ? undefined : keepLease(run);
      const startedMs = clock.nowMs();
      try {
        const asked = await job.run(createTurn({ pool, name, signal, log, alert, fence }));
        const pauseMs = typeof asked === 'number' ? asked : everyMs;
        if (isDaily && !signal.aborted) await pool.query(DONE, [name, owner]);
        lastReport = undefined;
        const restMs = Math.min(MOST_REST_MS, restFactor * (clock.nowMs() - startedMs));
        return Math.max(restMs, pauseMs);
      } finally {
        run.abort();
        await renewing;
      }
    }

    function report(error: unknown): void {
      if (ended.aborted || error instanceof LeaseLostError) return;
      const err = cleanDatabaseError(error);
      if (isPassingError(error)) {
        // Logs no stack, because a slow database is normal on a busy machine.
        if (lastReport !== WAITS) log.info({ job: name, reason: err.message }, WAITS);
        lastReport = WAITS;
        return;
      }
      log.error({ job: name, err }, 'A job failed; it is tried again');
      const [text, facts] = job.alertOf?.(error) ?? [`The job "${name}" fails: see the server log`];
      if (text !== lastReport) alert(text, facts);
      lastReport = text;
    }

    async function loop(): Promise<void> {
      while (!ended.aborted) {
        let pauseMs = Math.min(everyMs, ERROR_PAUSE_MS);
        try {
          pauseMs = await runOnce();
        } catch (error) {
          report(error);
        }
        await pause(pauseMs);
      }
    }

    const done = loop();
    running.set(name, { wake, done });
    return {
      /** Runs the job now. If the job is running, runs the job again afterwards. */
      wake,
      async stop(): Promise<void> {
        ending.abort();
        await done;
      },
    };
  }

  return {
    pool,
    start,
    /** Runs a job now if this process has the job's lease. */
    wake: (name: string) => running.get(name)?.wake(),
    /** Stops all jobs within 7 s. */
    async stop(): Promise<void> {
      stopping.abort();
      const within = async (ms: number, work: Promise<unknown>) => {
        const over = new AbortController();
        await Promise.race([work.catch(() => undefined), clock.wait(ms, over.signal)]);
        over.abort();
      };
      await within(STOP_MS, Promise.all([...running.values()].map(({ done }) => done)));
      const release = `update jobs set leased_until = '-infinity' where owner = $1`;
      await within(RELEASE_MS, pool.query(release, [owner]));
    },
  };
}

/** Creates one run of a job. */
export function createTurn(options: {
  readonly pool: pg.Pool;
  readonly name: string;
  readonly signal: AbortSignal;
  readonly log?: Logger;
  readonly alert?: Alerts;
  readonly fence?: (client: Queryable) => Promise<void>;
}): Turn {
  const { pool, name, signal, log, alert, fence } = options;
  const transaction: Turn['transaction'] = (work) =>
    inTransaction(pool, async (client) => {
      signal.throwIfAborted();
      await fence?.(client);
      return work(client);
    });

  async function setAside(item: string, error: unknown): Promise<void> {
    const err = cleanDatabaseError(error);
    log?.error({ job: name, item, err }, 'A job has set an item aside');
    const values = [name, item, err.code ?? err.name];
    const { rows } = await pool.query<{ isNew: boolean }>(SET_ASIDE, values);
    if (!rows[0]?.isNew) return;
    alert?.(`The job "${name}" set an item aside: see the server log`, { item });
  }

  const doItems: Turn['doItems'] = async (items, nameOf, work) => {
    const doAll = (some: typeof items) =>
      transaction(async (client) => {
        const result = await work(client, some);
        const done = [name, some.map(nameOf)];
        await client.query('delete from set_aside where job = $1 and item = any($2)', done);
        return result;
      });
    if (items.length > 1) {
      try {
        return { results: [await doAll(items)], poisoned: [] };
      } catch (error) {
        if (signal.aborted || !isOfItems(error)) throw error;
        log?.warn({ job: name, err: cleanDatabaseError(error) }, 'A portion of a job failed');
      }
    }
    const results: Awaited<ReturnType<typeof doAll>>[] = [];
    const poisoned: (typeof items)[number][] = [];
    for (const item of items) {
      try {
        results.push(await doAll([item]));
      } catch (error) {
        if (signal.aborted || !isOfItems(error)) throw error;
        await setAside(nameOf(item), error);
        poisoned.push(item);
      }
    }
    return { results, poisoned };
  };

  return { pool, signal, transaction, doItems };
}

/** Returns whether a single item may have caused the error. */
function isOfItems(error: unknown): boolean {
  if (error instanceof LeaseLostError) return false;
  const isTimeout = (error as { code?: string } | undefined)?.code === '57014';
  return isTimeout || !isPassingError(error);
}
