/**
 * Brings back what the queue lost. The delivery rows are the truth: every delivery that still has to
 * move must have a live job, whatever happened to the job (deleted by hand, kept too long by the
 * queue, failed for good, its process killed at the wrong moment).
 */
import type pg from 'pg';
import type { Destination } from '../leads/destination.ts';
import type { Alerts } from '../leads/ports.ts';
import { cleanDatabaseError } from '../storage/database-error.ts';
import type { Logger } from '../storage/logger.ts';
import { DELIVERY_DEAD_QUEUE, DELIVERY_QUEUE, type Queue } from '../storage/queue.ts';
import { parkLostDeliveries } from './ledger.ts';

/** Short, because it also ends the wait after a kill; the search is on a small partial index. */
export const RECONCILE_EVERY_MS = 5_000;
/** A delivery is missed when its time was over this long ago; its job normally comes at once. */
export const OVERDUE_MS = 10_000;
const BATCH = 2_000;

// Only jobs that can still run count: a finished or failed one brings nothing back. "not in" and not
// "not exists": PostgreSQL then hashes the jobs once whatever its statistics say; with ten thousand new
// rows that it has not counted yet, an anti join compared each with each.
const MISSING = `
select d.id
from deliveries d
where d.destination = any($1::text[]) and (
    (d.state in ('waiting', 'retrying') and coalesce(d.next_attempt_at, d.created_at)
      < coalesce($3::timestamptz, now()) - $2::int * interval '1 millisecond')
    or (d.state = 'sending' and d.lease_until < coalesce($3::timestamptz, now())))
  and d.id::text not in (
    select coalesce(j.data->>'deliveryId', '') from pgboss.job j
    where j.name = '${DELIVERY_QUEUE}' and j.state in ('created', 'retry', 'active'))
order by d.created_at
limit ${BATCH}`;

export type ReconcilerOptions = {
  pool: pg.Pool;
  queue: Pick<Queue, 'boss'>;
  destinations: readonly Destination[];
  log: Logger;
  alert: Alerts;
  /** A clock of its own, for tests; default: the database's. */
  now?: (() => Date) | undefined;
};

/**
 * One pass: parks what was lost during a send to a destination that does not recognise duplicates,
 * and makes a job for every overdue delivery without one.
 *
 * @returns how many jobs were made. Two processes at once may both make one: the claim lets only one
 * of them send.
 */
export async function reconcile(options: ReconcilerOptions): Promise<number> {
  const { pool, queue, destinations, log, alert } = options;
  const now = options.now?.();
  const notRecognising = destinations
    .filter((one) => !one.recognisesDuplicates)
    .map((one) => one.name);
  for (const lost of await parkLostDeliveries(pool, notRecognising, now)) {
    alert(
      `A lead to ${lost.destination}: the worker stopped during the send, it may have arrived`,
      {
        lead: lost.leadId,
        delivery: lost.deliveryId,
      },
    );
  }
  await reportDeadJobs(queue.boss, alert);
  const names = destinations.map((one) => one.name);
  let made = 0;
  for (;;) {
    const { rows } = await pool.query<{ id: string }>(MISSING, [names, OVERDUE_MS, now ?? null]);
    if (rows.length > 0) {
      const jobs = rows.map(({ id }) => ({ data: { deliveryId: id } }));
      await queue.boss.insert(DELIVERY_QUEUE, jobs);
      made += rows.length;
    }
    if (rows.length < BATCH) break;
  }
  if (made > 0) log.warn({ jobs: made }, 'Deliveries without a job got one again');
  return made;
}

/**
 * Takes the jobs that failed every time out of the dead-letter queue and reports each once. Their
 * deliveries are still open, so they get a new job like every other that lost its own.
 */
async function reportDeadJobs(boss: Queue['boss'], alert: Alerts): Promise<void> {
  for (;;) {
    const jobs = await boss.fetch<{ deliveryId: string }>(DELIVERY_DEAD_QUEUE, {
      batchSize: BATCH,
    });
    for (const { data } of jobs) {
      alert('The job of a delivery failed every time; it gets a new one', {
        delivery: data.deliveryId,
      });
    }
    if (jobs.length > 0) await boss.complete(DELIVERY_DEAD_QUEUE, jobs);
    if (jobs.length < BATCH) return;
  }
}

/** Runs `reconcile` now and again and again; a failure is logged and the next run tries anew. */
export function startReconciler(options: ReconcilerOptions): { stop(): Promise<void> } {
  const { log } = options;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  const pass = async (): Promise<void> => {
    try {
      await reconcile(options);
    } catch (error) {
      log.warn(
        { err: cleanDatabaseError(error) },
        'The search for lost deliveries failed; it goes on',
      );
    }
    if (!stopped) timer = setTimeout(() => (running = pass()), RECONCILE_EVERY_MS).unref();
  };
  running = pass();

  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
