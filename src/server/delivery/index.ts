/** Starts and stops the delivery loop: the only part of this folder that the server uses. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../../postgres/logger.ts';
import type { Alerts } from '../base/alerts.ts';
import { inTime } from '../base/in-time.ts';
import type { ConnectedDestination } from '../destinations/destination.ts';
import { cleanDatabaseError } from '../storage/database-error.ts';
import { noteSettings } from './destination-health.ts';
import { endAbandonedLeases } from './leases.ts';
import { createDeliveryWorker, type WorkerOptions } from './worker.ts';

/**
 * How often to poll: the maximum wait of planned retries and of leads that another process took. The process
 * that took a lead calls `wake()` instead. NOTIFY would make PostgreSQL hold a lock during commits, so that they
 * could not share a disk sync.
 */
const POLL_MS = 200;
/** Freed slots are collected for this long, so that one lease fills several of them. */
const REFILL_MS = 2;
/** How often to look for deliveries of dead workers that must not be sent again. */
const PARK_EVERY_MS = 2_000;
/** How often to check the health of destinations. */
const WATCH_EVERY_MS = 5_000;
/** While the database is unavailable: the pause between two tries, and between two log lines. */
const ERROR_PAUSE_MS = 500;
const ERROR_LOG_EVERY_MS = 10_000;
/** How long aborted sends may take to store their results. */
const ABORT_MS = 2_000;

type DeliveryOptions = {
  pool: pg.Pool;
  /** The configured destinations. Deliveries to others wait until they are configured. */
  destinations: readonly ConnectedDestination[];
  /** Names of the destinations without settings. */
  off?: readonly string[];
  log: Logger;
  /** Called once for each delivery that an operator must look at. */
  alert: Alerts;
  limits?: WorkerOptions['limits'];
  /** A clock for tests. Default: the database's. */
  now?: () => Date;
  /** Maximum number of concurrent sends to one destination. */
  concurrency: number;
  evidence?: WorkerOptions['evidence'];
  /** Called for each attempt that ended, and for each delivery marked as uncertain. */
  ended?: WorkerOptions['ended'];
  /**
   * Whether no other process uses the database, because this one has just started it. Deliveries marked as
   * being sent then belong to dead workers, and are taken over at once.
   */
  isOnlyProcess?: boolean;
};

export type RunningDelivery = {
  /** Looks for due deliveries now. Call it after a commit that added some. */
  wake(): void;
  /** Leases nothing more and waits for running sends. Aborts them after `timeoutMs`; they are retried later. */
  stop(timeoutMs: number): Promise<void>;
};

/** Sends due deliveries until it is stopped. Any number of processes may share one database. */
export async function startDelivery(options: DeliveryOptions): Promise<RunningDelivery> {
  const { pool, log, isOnlyProcess = false } = options;
  if (isOnlyProcess) await endAbandonedLeases(pool);
  await noteSettings(pool, {
    on: options.destinations.map(({ name }) => name),
    off: options.off ?? [],
  });
  const worker = createDeliveryWorker({ ...options, owner: `${process.pid}-${randomUUID()}` });
  const sends = new Set<Promise<void>>();
  let stopping = false;
  let isWoken = false;
  /** Whether a destination had no free slot at the last look, so that each freed slot is filled at once. */
  let hasBacklog = false;
  let wakeUp: (() => void) | undefined;
  let lastErrorLogMs = Number.NEGATIVE_INFINITY;
  let parkedAtMs = Number.NEGATIVE_INFINITY;
  // After a start, send the backlog before judging the destinations.
  let watchedAtMs = performance.now();

  function wake(): void {
    isWoken = true;
    wakeUp?.();
  }

  async function pause(): Promise<void> {
    if (!isWoken) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        wakeUp = resolve;
        timer = setTimeout(resolve, POLL_MS);
      });
      clearTimeout(timer);
      wakeUp = undefined;
    }
    isWoken = false;
  }

  async function look(): Promise<void> {
    if (performance.now() - parkedAtMs >= PARK_EVERY_MS) {
      await worker.park();
      parkedAtMs = performance.now();
    }
    if (performance.now() - watchedAtMs >= WATCH_EVERY_MS) {
      await worker.watch();
      watchedAtMs = performance.now();
    }
    const { sends: begun, mayBeMore } = await worker.begin();
    hasBacklog = mayBeMore;
    for (const send of begun) {
      sends.add(send);
      void send.finally(() => {
        sends.delete(send);
        if (hasBacklog) wake();
      });
    }
    await pause();
    if (hasBacklog && !stopping) await sleep(REFILL_MS);
  }

  async function loop(): Promise<void> {
    while (!stopping) {
      try {
        await look();
      } catch (error) {
        if (performance.now() - lastErrorLogMs >= ERROR_LOG_EVERY_MS) {
          lastErrorLogMs = performance.now();
          log.warn({ err: cleanDatabaseError(error) }, 'Cannot read deliveries; trying again');
        }
        await sleep(ERROR_PAUSE_MS);
      }
    }
  }

  const looping = loop();
  let stopped: Promise<void> | undefined;
  return {
    wake,
    stop(timeoutMs) {
      stopped ??= (async () => {
        stopping = true;
        wake();
        await looping;
        const isDone = Promise.allSettled([...sends]).then(() => true);
        if (!(await inTime(isDone, timeoutMs))) {
          log.warn({ sends: sends.size }, 'Aborting sends that did not end in time');
          worker.abort();
          await inTime(isDone, ABORT_MS);
        }
        worker.stop();
      })();
      return stopped;
    },
  };
}
