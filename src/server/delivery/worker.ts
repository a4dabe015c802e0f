/**
 * Makes one attempt to send one delivery.
 *
 * The order is what keeps the promise "once": the claim and the attempt's row are committed before
 * anything is sent, and how it ended is committed with the delivery's new state and, when it is to be
 * tried again, with the next job, in one transaction. A worker that dies in between leaves an attempt
 * without an end, and the next one knows that the lead may have arrived.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Destination, SendResult } from '../leads/destination.ts';
import type { Alerts } from '../leads/ports.ts';
import { inTransaction } from '../storage/database.ts';
import { cleanDatabaseError, isConnectionError } from '../storage/database-error.ts';
import type { Logger } from '../storage/logger.ts';
import type { Queue } from '../storage/queue.ts';
import { decide } from './decide.ts';
import { createLeaseKeeper, type HeldLease, LEASE_MS, type LeaseKeeper } from './lease-keeper.ts';
import {
  type AttemptEnd,
  type Claim,
  claimDelivery,
  finishAttempt,
  renewLeases,
} from './ledger.ts';

/** How long a worker tries to write how an attempt ended while the database is away. */
const WRITE_END_FOR_MS = 120_000;

export type WorkerOptions = {
  pool: pg.Pool;
  queue: Pick<Queue, 'sendInTransaction'>;
  destinations: readonly Destination[];
  /** Unique to this process; shown in `deliveries.lease_owner`. */
  owner: string;
  log: Logger;
  /** Called once for each delivery that a person has to look at. */
  alert: Alerts;
  /** A clock of its own, for tests; default: the database's. */
  now?: (() => Date) | undefined;
  /** In [0, 1), for the jitter. */
  random?: () => number;
};

export type DeliveryWorker = {
  /**
   * Makes the next attempt, if it is due and nobody else is at it; else does nothing.
   * @param signal ends the send: the process has to end.
   * @throws when the database fails before the send; the job is then repeated by the queue.
   */
  deliver(deliveryId: string, signal?: AbortSignal): Promise<void>;
  stop(): void;
};

/** One for a process. */
export function createDeliveryWorker(options: WorkerOptions): DeliveryWorker {
  const { pool, owner, log } = options;
  const destinations = new Map(options.destinations.map((one) => [one.name, one]));
  const names = [...destinations.keys()];
  const recognising = options.destinations
    .filter((one) => one.recognisesDuplicates)
    .map((one) => one.name);
  const now = () => options.now?.();
  const leases: LeaseKeeper = createLeaseKeeper({
    renew: () => renewLeases(pool, owner, LEASE_MS, now()),
    log,
  });

  return {
    async deliver(deliveryId, signal) {
      const claimedAtMs = performance.now();
      const claim = await claimDelivery(pool, {
        deliveryId,
        owner,
        leaseMs: LEASE_MS,
        destinations: names,
        recognising,
        now: now(),
      });
      if (claim === undefined) return;
      const destination = destinations.get(claim.destination);
      if (destination === undefined)
        throw new Error('A delivery to no known destination was claimed');
      const lease = leases.hold(claimedAtMs);
      try {
        const result = await sendOnce(destination, claim, { lease, ending: signal, log });
        await writeEnd(options, destination, claim, result);
      } finally {
        lease.release();
      }
    },
    stop: () => leases.stop(),
  };
}

async function sendOnce(
  destination: Destination,
  claim: Claim,
  context: { lease: HeldLease; ending: AbortSignal | undefined; log: Logger },
): Promise<SendResult> {
  const { lease, ending, log } = context;
  if (!lease.isLive()) {
    return { outcome: 'retry', error: 'The lease ran out before the send began', durationMs: 0 };
  }
  const startedAtMs = performance.now();
  try {
    return await destination.send({
      leadId: claim.leadId,
      isTest: claim.isTest,
      fields: claim.fields,
      payloadVersion: claim.payloadVersion,
      account: claim.account,
      signal: ending === undefined ? lease.signal : AbortSignal.any([lease.signal, ending]),
    });
  } catch (error) {
    // A destination does not throw for what the network does: this is a fault of ours. Its message
    // could hold anything, so only its name is kept.
    const name = error instanceof Error ? error.name : 'unknown';
    log.error(
      { delivery: claim.deliveryId, attempt: claim.attempt, error: name },
      'A send failed unexpectedly',
    );
    const durationMs = Math.round(performance.now() - startedAtMs);
    return { outcome: 'unknown', error: `Unexpected error (${name})`, durationMs };
  }
}

async function writeEnd(
  options: WorkerOptions,
  destination: Destination,
  claim: Claim,
  result: SendResult,
): Promise<void> {
  const { pool, queue, log, alert, random = Math.random } = options;
  const decision = decide({
    result,
    attempt: claim.attemptInRound,
    mayHaveArrived: claim.mayHaveArrived,
    recognisesDuplicates: destination.recognisesDuplicates,
    random: random(),
  });
  const end: AttemptEnd = {
    state: decision.state,
    outcome: result.outcome,
    pauseMs: decision.pauseMs,
    message: decision.message,
    externalId: result.externalId,
    httpStatus: result.httpStatus,
    response: result.response,
    error: result.error,
    durationMs: result.durationMs,
  };
  const about = {
    delivery: claim.deliveryId,
    destination: claim.destination,
    attempt: claim.attempt,
  };

  const write = async (): Promise<boolean> => {
    const { pauseMs } = end;
    if (pauseMs === undefined) return finishAttempt(pool, claim, end, options.now?.());
    return inTransaction(pool, async (client) => {
      const isOurs = await finishAttempt(client, claim, end, options.now?.());
      if (isOurs) {
        const startAfter = new Date(Date.now() + pauseMs);
        await queue.sendInTransaction(client, claim.deliveryId, { startAfter });
      }
      return isOurs;
    });
  };

  const isOurs = await persistently(write, (error) => {
    log.warn(
      { ...about, err: cleanDatabaseError(error) },
      'The end of an attempt could not be written yet',
    );
  });
  if (!isOurs) {
    log.warn(
      { ...about, outcome: end.outcome },
      'An attempt ended after its lease; nothing was changed',
    );
    return;
  }
  log.info(
    { ...about, outcome: end.outcome, state: end.state, durationMs: end.durationMs },
    'Attempt to deliver',
  );
  if (decision.alert !== undefined) {
    alert(`A lead to ${claim.destination}: ${decision.alert}`, { lead: claim.leadId, ...about });
  }
}

/**
 * Repeats a write while the database is away. Safe: it is fenced, so a second time changes nothing
 * (a lost commit answer is then reported as an attempt that is not ours, which only costs a log line).
 */
async function persistently<T>(
  write: () => Promise<T>,
  onFailure: (error: unknown) => void,
): Promise<T> {
  const startedAtMs = performance.now();
  for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 2, 5_000)) {
    try {
      return await write();
    } catch (error) {
      if (!isConnectionError(error) || performance.now() - startedAtMs > WRITE_END_FOR_MS)
        throw error;
      onFailure(error);
      await sleep(pauseMs);
    }
  }
}
