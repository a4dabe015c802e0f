/** The whole life of a delivery; this is what the server starts of it. */
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
 * Polling, not LISTEN/NOTIFY: a NOTIFY makes PostgreSQL hold one lock over the whole commit, so that
 * commits no longer share a disk sync. `wake()` after the commit makes the wait a few milliseconds in
 * the process that took the lead; this is what other processes and planned retries wait at most.
 */
const POLL_MS = 200;
/** Freed slots are collected for this long, so that one claim fills several. */
const REFILL_MS = 2;
/** How often deliveries that nobody may send again are looked for after a worker's death. */
const PARK_EVERY_MS = 2_000;
/** How often destinations are looked at for trouble. */
const WATCH_EVERY_MS = 5_000;
/** While the database is away: how long to wait before the next look, and between two log lines. */
const ERROR_PAUSE_MS = 500;
const ERROR_LOG_EVERY_MS = 10_000;
/** Sends that were ended early get this long to write so. */
const ABORT_MS = 2_000;

export type DeliveryOptions = {
  pool: pg.Pool;
  /** The configured ones. Deliveries to others wait until they are configured. */
  destinations: readonly ConnectedDestination[];
  /** Those whose settings are not given. */
  off?: readonly string[];
  log: Logger;
  /** Called once for each delivery that a person has to look at. */
  alert: Alerts;
  limits?: WorkerOptions['limits'];
  /** A clock of its own, for tests; default: the database's. */
  now?: () => Date;
  /** Sends at once to one destination. */
  concurrency: number;
  /** Told of each attempt that ended, and of each delivery that was parked. */
  ended?: WorkerOptions['ended'];
  /**
   * This process knows to be the only one on the database (it has just started the embedded one), so
   * what is marked as being sent was left by a dead worker, and is taken over at once.
   */
  isOnlyProcess?: boolean;
};

export type RunningDelivery = {
  /** Looks for what is due now: call it after a commit that has brought some. */
  wake(): void;
  /**
   * Claims nothing more and waits for the sends under way. After `timeoutMs` they are ended early and
   * tried again by whoever is there.
   */
  stop(timeoutMs: number): Promise<void>;
};

/** Sends what is due, until it is stopped. Any number of processes may do so on one database. */
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
  /** The last look filled every free slot of a destination: a slot that becomes free is filled at once. */
  let hasBacklog = false;
  let wakeUp: (() => void) | undefined;
  let lastErrorLogMs = Number.NEGATIVE_INFINITY;
  let parkedAtMs = Number.NEGATIVE_INFINITY;
  // What waited while nobody ran is sent first.
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
          log.warn({ err: cleanDatabaseError(error) }, 'Deliveries cannot be read; trying again');
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
          log.warn({ sends: sends.size }, 'Sends that did not end in time are ended early');
          worker.abort();
          await inTime(isDone, ABORT_MS);
        }
        worker.stop();
      })();
      return stopped;
    },
  };
}
