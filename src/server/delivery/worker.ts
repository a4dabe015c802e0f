/**
 * Sends due deliveries. Commits each attempt before sending, and the result afterwards.
 */
import { hash } from 'node:crypto';
import { inTransaction } from '../platform/database/database.ts';
import { cleanDatabaseError } from '../platform/database/database-error.ts';
import type { Turn } from '../platform/database/jobs.ts';
import type { Logger } from '../platform/postgres/logger.ts';
import { withAdRuling } from './destinations/conversion.ts';
import type {
  ConnectedDestination,
  EvidencePack,
  PreparedSend,
  SendResult,
} from './destinations/destination.ts';
import { type AttemptEnd, createEndWriter, decide, parkLostDeliveries } from './ends.ts';
import { createLeaseKeeper, type HeldLease } from './lease-keeper.ts';
import { beginAttempts, type LeasedDelivery, leaseDue, renewLeases, type Want } from './leases.ts';
import { readPaused } from './pause.ts';
import type { SaleRules } from './release.ts';
import { createDestinationWatch, type WatchOptions } from './watch.ts';

export type WorkerOptions = WatchOptions & {
  /** Maximum number of deliveries that are sent to one destination at the same time. */
  concurrency: number;
  /** The name of this process in `deliveries.lease_owner`. */
  owner: string;
  /** The settings that decide today which leads ad platforms are told about. */
  rules: SaleRules;
  /** Creates a lead's evidence pack for the destination that got the lead. Undefined: no packs. */
  evidence?: ((leadId: string, recipient: string) => Promise<EvidencePack | undefined>) | undefined;
  /** Returns a number in [0, 1), which varies the pauses between attempts. */
  random?: () => number;
  /** Called for each ended attempt. Without `durationMs`, the worker died while sending. */
  ended?: ((end: EndedAttempt) => void) | undefined;
};

export type EndedAttempt = Pick<AttemptEnd, 'state' | 'outcome'> & {
  readonly destination: string;
  readonly durationMs?: number | undefined;
};

export type DeliveryWorker = ReturnType<typeof createDeliveryWorker>;

export function createDeliveryWorker(options: WorkerOptions) {
  const { pool, owner, log, alert, concurrency } = options;
  const destinations = new Map(options.destinations.map((one) => [one.name, one]));
  const running = new Map(options.destinations.map((one) => [one.name, 0]));
  const ending = new AbortController();
  const leases = createLeaseKeeper({
    renew: (deliveryIds) => renewLeases(pool, owner, deliveryIds),
    log,
  });
  const ends = createEndWriter(pool, options.destinations);
  const watch = createDestinationWatch(options);

  /** In one transaction, leases deliveries, prepares the requests and stores the attempts. */
  function leaseAndPrepare(wanted: readonly Want[]): Promise<Prepared[]> {
    return inTransaction(pool, async (client) => {
      const names = wanted.map(({ destination }) => destination);
      const paused = await readPaused(client, names);
      const wants = wanted.flatMap((want) => {
        const isTrialDue = paused.get(want.destination);
        if (isTrialDue === undefined) return [want];
        return isTrialDue ? [{ ...want, slots: 1 }] : [];
      });
      if (wants.length === 0) return [];
      const due = await leaseDue(client, { wants, owner });
      if (due.length === 0) return [];
      const prepared = due.map((leased) => {
        const destination = destinations.get(leased.destination) as ConnectedDestination;
        const isTrial = paused.has(leased.destination);
        return { leased, destination, isTrial, toSend: prepare(destination, leased, options) };
      });
      const attempts = prepared.map(({ leased, toSend }) => ({
        leased,
        sentSha256: 'send' in toSend ? hash('sha256', toSend.body, 'hex') : null,
      }));
      await beginAttempts(client, attempts);
      return prepared;
    });
  }

  async function run(prepared: Prepared, lease: HeldLease): Promise<void> {
    const { leased, destination, toSend, isTrial } = prepared;
    try {
      const result =
        'send' in toSend
          ? await sendOnce(toSend, prepared, { lease, ending: ending.signal, log })
          : toSend;
      // An attempt that was aborted says nothing about the destination's health.
      const wasAnswered = 'send' in toSend && lease.isLive() && !ending.signal.aborted;
      if (wasAnswered) await watch.ended(leased.destination, result, isTrial);
      const decision = decide({
        result,
        attempt: leased.attemptInRound,
        mayHaveArrived: leased.mayHaveArrived,
        recognisesDuplicates: destination.recognisesDuplicates,
        random: (options.random ?? Math.random)(),
      });
      const end = { ...result, ...decision, owner, leased };
      if (await ends.add(end)) report(end);
      else log.warn(factsOf(end), 'An attempt ended after its lease ran out; nothing was changed');
    } catch (error) {
      log.error(
        { ...about(leased), err: cleanDatabaseError(error) },
        'Could not store the result of an attempt',
      );
    } finally {
      lease.release();
      running.set(leased.destination, (running.get(leased.destination) ?? 1) - 1);
    }
  }

  /** Logs and counts the end of an attempt, and alerts operators if they must act. */
  function report(end: AttemptEnd): void {
    const { leased, state, outcome, durationMs } = end;
    log.info(factsOf(end), 'Attempt to deliver');
    options.ended?.({ destination: leased.destination, state, outcome, durationMs });
    const isIgnored = destinations.get(leased.destination)?.areErrorsIgnored;
    if (end.alert === undefined || isIgnored) return;
    const what = leased.event === null ? 'A lead' : 'An event';
    const facts = { lead: leased.leadId, ...about(leased) };
    alert(`${what} to ${leased.destination}: ${end.alert}`, facts);
  }

  return {
    /** Starts to send due deliveries. @throws if the database fails, before anything is sent */
    async begin(): Promise<{ sends: Promise<void>[]; mayBeMore: boolean }> {
      const wanted = options.destinations
        .map((one) => ({
          ...one,
          ...one.permission,
          destination: one.name,
          slots: concurrency - (running.get(one.name) ?? 0),
        }))
        .filter(({ slots }) => slots > 0);
      if (wanted.length === 0) return { sends: [], mayBeMore: destinations.size > 0 };
      const leasedAtMs = performance.now();
      const sends = (await leaseAndPrepare(wanted)).map((prepared) => {
        const { destination, deliveryId } = prepared.leased;
        running.set(destination, (running.get(destination) ?? 0) + 1);
        return run(prepared, leases.hold(deliveryId, leasedAtMs));
      });
      // If a destination has no free slot, more of its deliveries may be due.
      const mayBeMore = [...running.values()].some((sending) => sending >= concurrency);
      return { sends, mayBeMore };
    },
    /** Marks unfinished deliveries of dead workers as `uncertain` if a resend is not allowed. */
    async park(
      transaction: Turn['transaction'] = (work) => inTransaction(pool, work),
    ): Promise<void> {
      const parked = await transaction((client) =>
        parkLostDeliveries(client, options.destinations),
      );
      for (const end of parked) report(end);
    },
    /** Alerts operators to changes in the health of destinations. */
    watch: watch.look,
    abort: () => ending.abort(),
    stop: leases.stop,
  };
}

type Prepared = {
  leased: LeasedDelivery;
  destination: ConnectedDestination;
  /** True if the delivery tests the account of a paused destination. */
  isTrial: boolean;
  /** The request to send, or the result if there is nothing to send. */
  toSend: PreparedSend | SendResult;
};

function about({ deliveryId, destination, attempt }: AttemptEnd['leased']) {
  return { delivery: deliveryId, destination, attempt };
}

function factsOf({ leased, outcome, httpStatus, state, durationMs }: AttemptEnd) {
  return { ...about(leased), outcome, httpStatus, state, durationMs };
}

/** Logs an unexpected error, and returns the error's name. */
function faultOf(error: unknown, leased: LeasedDelivery, log: Logger): string {
  const name = error instanceof Error ? error.name : 'unknown';
  log.error({ ...about(leased), error: name }, 'A send failed unexpectedly');
  return `Unexpected error (${name})`;
}

function prepare(
  destination: ConnectedDestination,
  leased: LeasedDelivery,
  { evidence: makePack, log, rules }: WorkerOptions,
): PreparedSend | SendResult {
  const { event, leadId } = leased;
  const evidence =
    makePack && event?.type === 'delivery.delivered'
      ? () => makePack(leadId, event.destination)
      : undefined;
  try {
    return destination.prepare(withAdRuling({ ...leased, evidence }, rules));
  } catch (error) {
    return { outcome: 'failed', error: faultOf(error, leased, log), durationMs: 0 };
  }
}

async function sendOnce(
  toSend: PreparedSend,
  { leased }: Prepared,
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
    return { outcome: 'unknown', error: faultOf(error, leased, log), durationMs };
  }
}
