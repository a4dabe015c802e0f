/**
 * The job queue: pg-boss in the same database, so that a lead and the job that sends it commit
 * together.
 *
 * pg-boss delivers at least once. It decides only about crashes: our delivery code plans its own
 * retries by sending a new job for later. The delivery rows are the truth; a job is the reminder.
 */
import { createHash } from 'node:crypto';
import { CompiledQuery, type Transaction } from 'kysely';
import type pg from 'pg';
import { PgBoss } from 'pg-boss';
import { CONNECTION_TIMEOUT_MS } from './database.ts';
import { cleanDatabaseError } from './database-error.ts';
import { type JobRunner, runJobs } from './job-runner.ts';
import type { Logger } from './logger.ts';
import type { Schema } from './schema.ts';

export const DELIVERY_QUEUE = 'delivery';
/** Jobs that crashed their worker every time end here, kept to be looked at. */
export const DELIVERY_DEAD_QUEUE = 'delivery_dead';

const DAY_SECONDS = 24 * 60 * 60;

/**
 * A worker that dies stops its signs of life; after this its job is taken back. 10 is the least that
 * pg-boss takes. With the supervision below and the first pause, a killed worker's job runs again
 * after 10 to 20 s.
 */
const HEARTBEAT_SECONDS = 10;
/** Three signs of life fit in, so that one that is late does not cost the claim. */
const HEARTBEAT_INTERVAL_MS = 3_000;
const SUPERVISE_INTERVAL_SECONDS = 5;
/** A live worker that hangs: well above any HTTP time-out (30 s) with its bookkeeping. */
const EXPIRE_SECONDS = 120;
/** Tries after a crash: 1, 2, 4, … seconds, never above 6 hours; the 20 of them last about 2 days. */
const CRASH_RETRY_LIMIT = 20;
const CRASH_RETRY_MAX_SECONDS = 6 * 60 * 60;
/**
 * How long a job may wait before pg-boss deletes it undone. Above the longest schedule; the reconciler
 * makes a job again for a delivery that has lost its own.
 */
const RETENTION_SECONDS = 30 * DAY_SECONDS;
/** Done jobs are of no use: the ledger knows more. Few of them keep pg-boss' own counts cheap. */
const KEEP_DONE_SECONDS = 10 * 60;
const CLEAN_UP_INTERVAL_SECONDS = 5 * 60;
/**
 * Polling, not LISTEN/NOTIFY: a NOTIFY makes PostgreSQL hold one lock over the whole commit, so that
 * commits no longer share a disk sync. `wake()` after the commit makes the wait a few milliseconds in
 * the process that took the lead; this is what other processes and planned retries wait at most.
 */
const POLL_INTERVAL_MS = 200;

export type QueueOptions = {
  connectionString: string;
  log: Logger;
  /** Which engine it is (pg-boss' own names). */
  backend?: 'postgres' | 'cockroachdb' | 'yugabytedb' | 'citus';
  /** Connections of pg-boss' own. */
  poolMax?: number;
  /**
   * Takes back jobs of dead workers and cleans up. False for a command line tool that only sends.
   * Default true.
   */
  supervise?: boolean;
};

export type SendOptions = {
  /** Not before; default: at once. */
  startAfter?: Date;
  /** UUID. A second send with the same id does nothing. */
  jobId?: string;
};

/** Something that runs statements inside the caller's transaction. */
export type TransactionClient = Pick<pg.ClientBase, 'query'> | Transaction<Schema>;

export type DeliveryJobHandler = (
  deliveryId: string,
  context: {
    /** Aborts when the claim on the job was lost, or when the process has to end. */
    signal: AbortSignal;
  },
) => Promise<void>;

export type Queue = {
  /** Makes or updates pg-boss' tables and our queues. Any number of processes may do so at once. */
  start(): Promise<void>;
  /**
   * Adds a job to the caller's transaction: a rollback removes it as well.
   *
   * @returns the job's id, or null when there is a job with `jobId` already.
   */
  sendInTransaction(
    client: TransactionClient,
    deliveryId: string,
    options?: SendOptions,
  ): Promise<string | null>;
  /** Looks for jobs now. Call it after the commit; without it they start within 200 ms. */
  wake(): void;
  /**
   * Calls `handler` for every job, at most `concurrency` at once in this process; a slow one holds
   * back none of the others. Returning completes the job, throwing makes pg-boss try it again.
   */
  work(handler: DeliveryJobHandler, options: { concurrency: number }): void;
  /**
   * Gives back the jobs that are marked as being worked on. Only for a process that knows to be the
   * only one on this database (it has just started the embedded one): their worker is dead, so there
   * is no need to wait for its heartbeat.
   *
   * @returns how many.
   */
  reclaimAbandoned(): Promise<number>;
  /**
   * Takes no more jobs, waits up to `timeoutMs` for those that run (not at all when not graceful),
   * gives the rest back, and closes pg-boss' connections.
   */
  stop(options: { graceful: boolean; timeoutMs: number }): Promise<void>;
  readonly boss: PgBoss;
};

type DeliveryJob = { deliveryId: string };

/** Prepares the queue; nothing happens before `start()`. */
export function createQueue(options: QueueOptions): Queue {
  const { connectionString, log, backend = 'postgres', poolMax = 4, supervise = true } = options;
  const boss = new PgBoss({
    connectionString,
    schema: 'pgboss',
    backend,
    max: poolMax,
    application_name: 'funnel-queue',
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    // Passed on to pg: without them a connection that went silent would never be given up.
    ...{ keepAlive: true, query_timeout: 30_000 },
    supervise,
    superviseIntervalSeconds: SUPERVISE_INTERVAL_SECONDS,
    monitorIntervalSeconds: SUPERVISE_INTERVAL_SECONDS,
    maintenanceIntervalSeconds: CLEAN_UP_INTERVAL_SECONDS,
    schedule: false,
    useListenNotify: false,
  });
  // pg-boss repeats itself at every turn, for as long as a state lasts.
  const mayReportError = onceIn(10_000);
  const mayReportWarning = onceIn(60_000);
  boss.on('error', (error) => {
    if (mayReportError()) log.warn({ err: cleanDatabaseError(error) }, 'Queue error; it goes on');
  });
  boss.on('warning', ({ message }) => {
    if (mayReportWarning()) log.warn({ warning: message }, 'Queue warning');
  });
  let runner: JobRunner | undefined;
  let stopped: Promise<void> | undefined;

  async function start(): Promise<void> {
    await boss.start();
    const common = {
      retentionSeconds: RETENTION_SECONDS,
      deleteAfterSeconds: KEEP_DONE_SECONDS,
    };
    await ensureQueue(DELIVERY_DEAD_QUEUE, { ...common, retentionSeconds: 365 * DAY_SECONDS });
    await ensureQueue(DELIVERY_QUEUE, {
      ...common,
      retryLimit: CRASH_RETRY_LIMIT,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: CRASH_RETRY_MAX_SECONDS,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      expireInSeconds: EXPIRE_SECONDS,
      deadLetter: DELIVERY_DEAD_QUEUE,
    });
  }

  async function ensureQueue(
    name: string,
    settings: Parameters<PgBoss['updateQueue']>[1] & Parameters<PgBoss['createQueue']>[1],
  ): Promise<void> {
    await boss.createQueue(name, settings); // Does nothing when it is there …
    await boss.updateQueue(name, settings); // … so settings of an earlier version are replaced here.
  }

  return {
    boss,
    start,
    sendInTransaction(client, deliveryId, { startAfter, jobId } = {}) {
      const data: DeliveryJob = { deliveryId };
      return boss.send(DELIVERY_QUEUE, data, {
        ...(jobId === undefined ? {} : { id: jobId }),
        ...(startAfter === undefined ? {} : { startAfter }),
        db: { executeSql: (text, values) => runPrepared(client, text, values) },
      });
    },
    wake() {
      runner?.wake();
    },
    work(handler, { concurrency }) {
      if (runner !== undefined) throw new Error('This queue is being worked on already');
      runner = runJobs<DeliveryJob>({
        boss,
        queueName: DELIVERY_QUEUE,
        log,
        concurrency,
        pollIntervalMs: POLL_INTERVAL_MS,
        heartbeatIntervalMs: HEARTBEAT_INTERVAL_MS,
        handler: ({ deliveryId }, context) => handler(deliveryId, context),
      });
    },
    async reclaimAbandoned() {
      const { rows } = await boss
        .getDb()
        .executeSql(`select id from pgboss.job where name = $1 and state = 'active'`, [
          DELIVERY_QUEUE,
        ]);
      const ids = rows.map((row: { id: string }) => row.id);
      if (ids.length === 0) return 0;
      await boss.fail(DELIVERY_QUEUE, ids, { name: 'WorkerDied' });
      log.info({ jobs: ids.length }, 'Took back the jobs of a worker that had died');
      return ids.length;
    },
    stop({ graceful, timeoutMs }) {
      stopped ??= (async () => {
        await runner?.stop(graceful ? timeoutMs : 0);
        await boss.stop({ graceful: false, close: true });
      })();
      return stopped;
    },
  };
}

/** Answers true at most once in so many milliseconds. */
function onceIn(intervalMs: number): () => boolean {
  let lastMs = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - lastMs < intervalMs) return false;
    lastMs = performance.now();
    return true;
  };
}

const statementNames = new Map<string, string>();

/** Parsing pg-boss' insert takes longer than running it: named, so that it is parsed once a connection. */
async function runPrepared(
  client: TransactionClient,
  text: string,
  values: unknown[] = [],
): Promise<{ rows: unknown[] }> {
  if ('executeQuery' in client) return client.executeQuery(CompiledQuery.raw(text, [...values]));
  let name = statementNames.get(text);
  if (name === undefined) {
    name = `boss_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
    statementNames.set(text, name);
  }
  return client.query({ name, text, values });
}
