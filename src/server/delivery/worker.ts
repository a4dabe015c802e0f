/**
 * Sends what is due. The order is what keeps the promise "once": the claim and the attempt's row, with
 * the hash of what will be sent, are committed before anything is sent, and how it ended is committed
 * with the delivery's new state. A worker that dies in between leaves an attempt without an end, and
 * the next one knows that the lead may have arrived.
 */
import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../../postgres/logger.ts';
import type {
  ConnectedDestination,
  PreparedSend,
  SendOutcome,
  SendRequest,
  SendResult,
} from '../destinations/destination.ts';
import type { Alerts } from '../leads/ports.ts';
import { createBatcher } from '../storage/batcher.ts';
import { inTransaction } from '../storage/database.ts';
import { cleanDatabaseError, isConnectionError } from '../storage/database-error.ts';
import type { DeliveryState } from '../storage/schema.ts';
import { type Decision, decide } from './decide.ts';
import { createLeaseKeeper, type HeldLease, LEASE_MS } from './lease-keeper.ts';
import {
  type AttemptEnd,
  beginAttempts,
  type Claim,
  claimDue,
  dateUndated,
  finishAttempts,
  parkLostDeliveries,
  renewLeases,
  type Want,
} from './ledger.ts';

/** How long a worker tries to write how an attempt ended while the database is away. */
const WRITE_END_FOR_MS = 120_000;
/** Ends of attempts that are written in one statement at most. */
const MAX_ENDS = 100;

export type WorkerOptions = {
  pool: pg.Pool;
  destinations: readonly ConnectedDestination[];
  /** Sends at once to one destination. */
  concurrency: number;
  /** Unique to this process; shown in `deliveries.lease_owner`. */
  owner: string;
  log: Logger;
  /** Called once for each delivery that a person has to look at. */
  alert: Alerts;
  /** A clock of its own, for tests; default: the database's. */
  now?: (() => Date) | undefined;
  /** In [0, 1), for the jitter. */
  random?: () => number;
  /** Told of each attempt that ended, and, without an outcome, of each delivery that was parked. */
  ended?:
    | ((end: {
        destination: string;
        state: DeliveryState;
        outcome?: SendOutcome;
        durationMs?: number;
      }) => void)
    | undefined;
};

export type DeliveryWorker = {
  /**
   * Claims what is due, up to each destination's free slots, and begins to send it.
   *
   * @returns one promise a send, which resolves when its end is written, and whether more may be due
   * than there were free slots for, at any destination
   * @throws when the database fails; then nothing was sent
   */
  begin(): Promise<{ sends: Promise<void>[]; mayBeMore: boolean }>;
  /**
   * Parks what was lost during a send to destinations that do not recognise duplicates, and gives a
   * time to what was set to waiting by hand without one.
   */
  park(): Promise<void>;
  /** Ends the sends under way early. */
  abort(): void;
  stop(): void;
};

/** One for a process. */
export function createDeliveryWorker(options: WorkerOptions): DeliveryWorker {
  const { pool, owner, log, alert, concurrency } = options;
  const destinations = new Map(options.destinations.map((one) => [one.name, one]));
  const running = new Map(options.destinations.map((one) => [one.name, 0]));
  const notRecognising = options.destinations
    .filter((one) => !one.recognisesDuplicates)
    .map((one) => one.name);
  const listeners = options.destinations.flatMap(({ name, events }) =>
    events === undefined ? [] : [{ name, events }],
  );
  const now = () => options.now?.();
  const ending = new AbortController();
  const leases = createLeaseKeeper({
    renew: (deliveryIds) => renewLeases(pool, owner, deliveryIds, LEASE_MS, now()),
    log,
  });
  const ends = createBatcher<AttemptEnd, boolean>({
    run: (batch) =>
      whileAway(
        () => finishAttempts(pool, owner, batch, listeners, now()),
        (error) => log.warn({ ends: batch.length, err: error }, 'Ends of attempts wait'),
      ),
    key: (end) => end.claim.deliveryId,
    isCommon: isConnectionError,
    maxItems: MAX_ENDS,
    minShared: MAX_ENDS,
    maxConcurrent: 2,
  });

  function wants(): Want[] {
    return [...destinations.values()].flatMap((one) => {
      const slots = concurrency - (running.get(one.name) ?? 0);
      const { name: destination, recognisesDuplicates, usesMappedAccounts } = one;
      const { account, payloadVersion, verifiedPayloadVersion = null, permission } = one;
      const want = {
        ...permission,
        destination,
        recognisesDuplicates,
        usesMappedAccounts,
        account,
        payloadVersion,
        verifiedPayloadVersion,
      };
      return slots > 0 ? [{ ...want, slots }] : [];
    });
  }

  /** Claims, makes what will be sent, and writes the attempts: one transaction. */
  function claimAndPrepare(wanted: readonly Want[]): Promise<Prepared[]> {
    return inTransaction(pool, async (client) => {
      const claims = await claimDue(client, {
        wants: wanted,
        owner,
        leaseMs: LEASE_MS,
        now: now(),
      });
      if (claims.length === 0) return [];
      const prepared = claims.map((claim) => {
        const destination = destinations.get(claim.destination) as ConnectedDestination;
        return { claim, destination, ...prepare(destination, claim, log) };
      });
      await beginAttempts(client, prepared, now());
      return prepared;
    });
  }

  async function run(prepared: Prepared, lease: HeldLease): Promise<void> {
    const { claim, destination, toSend } = prepared;
    try {
      const result =
        'send' in toSend
          ? await sendOnce(toSend, prepared, { lease, ending: ending.signal, log })
          : toSend;
      const decision = decide({
        result,
        attempt: claim.attemptInRound,
        mayHaveArrived: claim.mayHaveArrived,
        recognisesDuplicates: destination.recognisesDuplicates,
        random: (options.random ?? Math.random)(),
      });
      const isOurs = await ends.add(endOf(claim, result, decision));
      report(claim, result, decision, isOurs);
    } catch (error) {
      // Its lease runs out, and whoever takes it over knows that it may have arrived.
      log.error(
        { ...about(claim), err: cleanDatabaseError(error) },
        'The end of an attempt was not written',
      );
    } finally {
      lease.release();
      running.set(claim.destination, (running.get(claim.destination) ?? 1) - 1);
    }
  }

  function report(claim: Claim, result: SendResult, decision: Decision, isOurs: boolean): void {
    const { outcome, durationMs } = result;
    if (!isOurs) {
      log.warn(
        { ...about(claim), outcome },
        'An attempt ended after its lease; nothing was changed',
      );
      return;
    }
    const { state } = decision;
    log.info({ ...about(claim), outcome, state, durationMs }, 'Attempt to deliver');
    options.ended?.({ destination: claim.destination, state, outcome, durationMs });
    if (decision.alert !== undefined) {
      const facts = { lead: claim.leadId, ...about(claim) };
      const what = claim.event === null ? 'A lead' : 'An event';
      alert(`${what} to ${claim.destination}: ${decision.alert}`, facts);
    }
  }

  return {
    async begin() {
      const wanted = wants();
      if (wanted.length === 0) return { sends: [], mayBeMore: destinations.size > 0 };
      const claimedAtMs = performance.now();
      const all = await claimAndPrepare(wanted);
      const sends = all.map((prepared) => {
        const { destination, deliveryId } = prepared.claim;
        running.set(destination, (running.get(destination) ?? 0) + 1);
        return run(prepared, leases.hold(deliveryId, claimedAtMs));
      });
      // Also one that had no slot free before: nobody has looked at what waits for it.
      const mayBeMore = [...running.values()].some((sending) => sending >= concurrency);
      return { sends, mayBeMore };
    },
    async park() {
      await dateUndated(pool, [...destinations.keys()], now());
      const parked = await inTransaction(pool, (client) =>
        parkLostDeliveries(client, notRecognising, listeners, now()),
      );
      for (const lost of parked) {
        const { destination, leadId: lead, deliveryId: delivery } = lost;
        options.ended?.({ destination, state: 'uncertain' });
        const what = 'the worker stopped during the send, it may have arrived';
        alert(`A lead to ${destination}: ${what}`, { lead, delivery });
      }
    },
    abort: () => ending.abort(),
    stop: () => leases.stop(),
  };
}

type ToSend = { toSend: PreparedSend | SendResult; sentSha256: string | null };
type Prepared = ToSend & { claim: Claim; destination: ConnectedDestination };

function about({ deliveryId, destination, attempt }: Claim) {
  return { delivery: deliveryId, destination, attempt };
}

/** A fault of ours: its message could hold anything, so only its name is kept. */
function faultOf(error: unknown, claim: Claim, log: Logger): string {
  const name = error instanceof Error ? error.name : 'unknown';
  log.error({ ...about(claim), error: name }, 'A send failed unexpectedly');
  return `Unexpected error (${name})`;
}

/** Without what differs from one attempt to the next. */
function requestOf(claim: Claim): SendRequest {
  const { deliveryId, leadId, isTest, fields, payloadVersion, account, mappedAccount } = claim;
  const { event, verification } = claim;
  return {
    deliveryId,
    leadId,
    isTest,
    fields,
    payloadVersion,
    account,
    mappedAccount,
    event,
    verification,
  };
}

function prepare(destination: ConnectedDestination, claim: Claim, log: Logger): ToSend {
  try {
    const toSend = destination.prepare(requestOf(claim));
    if (!('send' in toSend)) return { toSend, sentSha256: null };
    return { toSend, sentSha256: hash('sha256', toSend.body, 'hex') };
  } catch (error) {
    const result: SendResult = {
      outcome: 'failed',
      error: faultOf(error, claim, log),
      durationMs: 0,
    };
    return { toSend: result, sentSha256: null };
  }
}

async function sendOnce(
  toSend: PreparedSend,
  { claim }: Prepared,
  { lease, ending, log }: { lease: HeldLease; ending: AbortSignal; log: Logger },
): Promise<SendResult> {
  if (!lease.isLive()) {
    return { outcome: 'retry', error: 'The lease ran out before the send began', durationMs: 0 };
  }
  const startedAtMs = performance.now();
  try {
    return await toSend.send(AbortSignal.any([lease.signal, ending]));
  } catch (error) {
    const durationMs = Math.round(performance.now() - startedAtMs);
    return { outcome: 'unknown', error: faultOf(error, claim, log), durationMs };
  }
}

function endOf(claim: Claim, result: SendResult, decision: Decision): AttemptEnd {
  const { state, pauseMs, message } = decision;
  const { outcome, externalId, httpStatus, response, error, durationMs } = result;
  const said = { outcome, externalId, httpStatus, response, error, durationMs };
  return { claim, state, pauseMs, message, ...said };
}

/**
 * Repeats a write while the database is away. Safe: it is fenced, so a second time changes nothing
 * (a lost commit answer is then reported as an attempt that is not ours, which only costs a log line).
 */
async function whileAway<T>(
  write: () => Promise<T>,
  onFailure: (error: Error) => void,
): Promise<T> {
  const startedAtMs = performance.now();
  for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 2, 5_000)) {
    try {
      return await write();
    } catch (error) {
      if (!isConnectionError(error) || performance.now() - startedAtMs > WRITE_END_FOR_MS)
        throw error;
      onFailure(cleanDatabaseError(error));
      await sleep(pauseMs);
    }
  }
}
