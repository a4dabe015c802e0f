/** Delivery of leads: what `main.ts` starts. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Destination } from '../leads/destination.ts';
import type { Alerts } from '../leads/ports.ts';
import type { Logger } from '../storage/logger.ts';
import type { Queue } from '../storage/queue.ts';
import { endAbandonedLeases } from './ledger.ts';
import { startReconciler } from './reconciler.ts';
import { createDeliveryWorker } from './worker.ts';

export type { Destination, SendOutcome, SendRequest, SendResult } from '../leads/destination.ts';

/** Sends at once in one process: a service that takes a second each still gets 50 leads a second. */
export const DEFAULT_CONCURRENCY = 50;

export type DeliveryOptions = {
  pool: pg.Pool;
  /** The queue, started. */
  queue: Pick<Queue, 'sendInTransaction' | 'work' | 'boss'>;
  /** The configured ones. Deliveries to others wait until they are configured. */
  destinations: readonly Destination[];
  log: Logger;
  /** Called once for each delivery that a person has to look at. */
  alert: Alerts;
  /** A clock of its own, for tests; default: the database's. */
  now?: () => Date;
  concurrency?: number;
  /**
   * This process knows to be the only one on the database (it has just started the embedded one), so
   * what is marked as being sent was left by a dead worker, and is taken over at once.
   */
  isOnlyProcess?: boolean;
};

export type RunningDelivery = {
  /**
   * Ends the search for lost deliveries. Sends under way end with the queue: stop that first, so that
   * their leases are kept until they are written.
   */
  stop(): Promise<void>;
};

/**
 * Works off the queue. Any number of processes may do so on one database.
 */
export async function startDelivery(options: DeliveryOptions): Promise<RunningDelivery> {
  const { pool, queue, destinations, log, alert, now } = options;
  const { concurrency = DEFAULT_CONCURRENCY, isOnlyProcess = false } = options;
  if (isOnlyProcess) await endAbandonedLeases(pool);
  const owner = `${process.pid}-${randomUUID()}`;
  const worker = createDeliveryWorker({ pool, queue, destinations, owner, log, alert, now });
  queue.work((deliveryId, { signal }) => worker.deliver(deliveryId, signal), { concurrency });
  const reconciler = startReconciler({ pool, queue, destinations, log, alert, now });
  return {
    async stop() {
      await reconciler.stop();
      worker.stop();
    },
  };
}
