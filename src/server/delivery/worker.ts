/**
 * Sends what is due. The order is what keeps the promise "once": the claim and the attempt's row, with
 * the hash of what will be sent, are committed before anything is sent, and how it ended is committed
 * with the delivery's new state. A worker that dies in between leaves an attempt without an end, and
 * the next one knows that the lead may have arrived.
 */
import { hash } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from '../../postgres/logger.ts';
import type { Alerts } from '../base/alerts.ts';
import type {
  ConnectedDestination,
  PreparedSend,
  SendOutcome,
  SendRequest,
  SendResult,
} from '../destinations/destination.ts';
import { inTransaction } from '../storage/database.ts';
import { cleanDatabaseError } from '../storage/database-error.ts';
import type { DeliveryState } from '../storage/schema.ts';
import { type Decision, decide } from './decide.ts';
import { readGates } from './destination-health.ts';
import { createDestinationWatch, type TroubleLimits } from './destination-watch.ts';
import { createEndWriter } from './end-writer.ts';
import { type AttemptEnd, parkLostDeliveries } from './ends.ts';
import { createLeaseKeeper, type HeldLease, LEASE_MS } from './lease-keeper.ts';
import { dateUndated, renewLeases } from './leases.ts';
import { beginAttempts, type Claim, claimDue, type Want } from './ledger.ts';

/** Of the settings DESTINATION_FAILURES and DESTINATION_WAIT_MINUTES. */
const DEFAULT_LIMITS: TroubleLimits = { failures: 5, waitMinutes: 10 };

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
  /** When the operators are told of a destination's trouble. */
  limits?: TroubleLimits | undefined;
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
  /** Tells the operators of destinations that fail, keep leads waiting, or work again. */
  watch(): Promise<void>;
  /** Ends the sends under way early. */
  abort(): void;
  stop(): void;
};

/** One for a process. */
export function createDeliveryWorker(options: WorkerOptions): DeliveryWorker {
  const { pool, owner, log, alert, concurrency, limits = DEFAULT_LIMITS } = options;
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
  const ignored = new Set(
    options.destinations.flatMap((one) => (one.areErrorsIgnored ? [one.name] : [])),
  );
  const audience = { listeners, ignored };
  const ends = createEndWriter({ pool, owner, audience, log, now });
  const watch = createDestinationWatch({
    ...{ pool, limits, alert, log, now, destinations: options.destinations },
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
      const names = wanted.map(({ destination }) => destination);
      const gates = new Map(
        (await readGates(client, names, now())).map((gate) => [gate.destination, gate]),
      );
      const wants = wanted.flatMap((want) => {
        const gate = gates.get(want.destination);
        if (gate === undefined) return [want];
        return gate.isProbed ? [{ ...want, slots: 1 }] : [];
      });
      if (wants.length === 0) return [];
      const claims = await claimDue(client, { wants, owner, leaseMs: LEASE_MS, now: now() });
      if (claims.length === 0) return [];
      const prepared = claims.map((claim) => {
        const destination = destinations.get(claim.destination) as ConnectedDestination;
        const isProbe = gates.has(claim.destination);
        return { claim, destination, isProbe, ...prepare(destination, claim, log) };
      });
      await beginAttempts(client, prepared, now());
      return prepared;
    });
  }

  async function run(prepared: Prepared, lease: HeldLease): Promise<void> {
    const { claim, destination, toSend, isProbe } = prepared;
    try {
      const result =
        'send' in toSend
          ? await sendOnce(toSend, prepared, { lease, ending: ending.signal, log })
          : toSend;
      // Before the end, so that a lead that waits for our account finds its destination paused.
      if (wasAnswered(prepared, lease, ending.signal)) {
        await watch.ended(claim.destination, result, isProbe);
      }
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
    const { httpStatus } = result;
    log.info({ ...about(claim), outcome, httpStatus, state, durationMs }, 'Attempt to deliver');
    options.ended?.({ destination: claim.destination, state, outcome, durationMs });
    if (decision.alert !== undefined && !ignored.has(claim.destination)) {
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
        parkLostDeliveries(client, notRecognising, audience, now()),
      );
      for (const lost of parked) {
        const { destination, leadId: lead, deliveryId: delivery } = lost;
        options.ended?.({ destination, state: 'uncertain' });
        if (ignored.has(destination)) continue;
        const what = 'the worker stopped during the send, it may have arrived';
        alert(`A lead to ${destination}: ${what}`, { lead, delivery });
      }
    },
    watch: () => watch.look(),
    abort: () => ending.abort(),
    stop: () => leases.stop(),
  };
}

type ToSend = { toSend: PreparedSend | SendResult; sentSha256: string | null };
type Prepared = ToSend & {
  claim: Claim;
  destination: ConnectedDestination;
  /** It is the one delivery that a paused destination gets. */
  isProbe: boolean;
};

/** Whether the end of a send says something about its destination: it was made, and not ended by us. */
function wasAnswered({ toSend }: Prepared, lease: HeldLease, ending: AbortSignal): boolean {
  return 'send' in toSend && lease.isLive() && !ending.aborted;
}

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
