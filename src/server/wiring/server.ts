/** Wires the parts together: settings → database → migrations → use cases → delivery → HTTP. */
import type { Logger } from 'pino';
import { contactSurvey } from '../../model/fields/contact-form.ts';
import { watchServices } from '../checks/index.ts';
import { readOpenDeliveries, startDelivery } from '../delivery/index.ts';
import {
  createPublishedLog,
  originOf,
  packsForListeners,
  startEvidence,
} from '../evidence/index.ts';
import { createMetrics } from '../http/operations/metrics.ts';
import { buildMonitoringApp } from '../http/operations/monitoring-app.ts';
import { watchOpenDeliveries } from '../http/operations/open-deliveries.ts';
import type { Site } from '../http/site.ts';
import { countingOptions, startCounting, startPlans } from '../insight/index.ts';
import { type DatabaseTimeouts, openDatabase } from '../platform/database/database.ts';
import { watchDiskSpace } from '../platform/database/disk-space.ts';
import {
  createJobs,
  endAbandonedJobs,
  JOBS_POOL_MAX,
  type JobClock,
  type Jobs,
  jobTimeouts,
  type Turn,
} from '../platform/database/jobs.ts';
import { migrate } from '../platform/database/migrate.ts';
import { openPersonKeys } from '../platform/database/person-keys.ts';
import { waitForDatabase } from '../platform/database/wait-for-database.ts';
import { inTime } from '../platform/in-time.ts';
import { createOutgoingHttp, type OutgoingHttp } from '../platform/outgoing-http.ts';
import { checkDurability } from '../platform/postgres/durability.ts';
import { startEmbeddedPostgres } from '../platform/postgres/embedded-postgres.ts';
import { startPurge } from '../privacy/index.ts';
import type { Settings } from '../settings/settings.ts';
import { buildApp } from './app.ts';
import { startConsole } from './console.ts';
import { listen } from './listen.ts';
import { compose } from './use-cases.ts';

export type RunningServer = Awaited<ReturnType<typeof startServer>>;

/** How often to look for verifications that a dead process left unfinished. */
const CATCH_UP_EVERY_MS = 60_000;
const JOBS_CLOSE_MS = 1_000;
/** For the webhook that gets heads of the log of evidence. */
const HEAD_TIMEOUT_MS = 10_000;
const DELIVERY_POOL_MAX = 4;
/** How long a stop waits for sends in progress. Longer ones are retried after the restart. */
const SENDS_STOP_TIMEOUT_MS = 10_000;

/**
 * Starts the server. When it cannot start, it stops everything that it had started.
 *
 * @param options.site the built pages. Default: only the API is served
 * @param options.signal aborts the start
 * @param options.maxEventLoopDelayMs passed to the app, for tests that do other work in the process
 * @param options.databaseTimeouts how long the database is waited for
 * @param options.jobClock for tests
 * @throws with one clear sentence when the server cannot start.
 */
export async function startServer(
  settings: Settings,
  options: {
    log: Logger;
    site?: Site;
    signal?: AbortSignal;
    maxEventLoopDelayMs?: number;
    databaseTimeouts?: DatabaseTimeouts;
    jobClock?: JobClock;
  },
) {
  const { log, site, signal, maxEventLoopDelayMs, databaseTimeouts: timeouts, jobClock } = options;
  // What to stop, in the order of starting; stopped in reverse.
  const stops: (() => Promise<unknown>)[] = [];
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      for (const stop of stops.reverse()) {
        await stop().catch((error: unknown) => log.error({ err: error }, 'A part did not stop'));
      }
    })();
    return closing;
  };

  try {
    const embedded =
      settings.databaseUrl === undefined
        ? await startEmbeddedPostgres({ dataDir: settings.dataDir, log })
        : undefined;
    if (embedded) stops.push(() => embedded.stop());
    const connectionString = embedded?.connectionString ?? (settings.databaseUrl as string);
    if (!embedded) await waitForDatabase({ connectionString, log, signal });
    await migrate({ connectionString, log });

    const open = (applicationName: string, poolMax: number, limits = timeouts) =>
      openDatabase({ connectionString, log, applicationName, poolMax, timeouts: limits });
    const database = open('funnel', settings.databasePoolMax);
    stops.push(() => database.close());
    if (!embedded) await checkDurability(database.pool, { embedded: false, log });

    const personKey = await openPersonKeys(database.pool, settings);

    const http = createOutgoingHttp({ allowPrivateNetworks: settings.allowsPrivateNetworks });
    stops.push(() => http.close());
    const names = settings.destinations.map(({ definition }) => definition.name);
    const surveys = [...settings.surveys.map(({ path }) => path), contactSurvey];
    const metrics = settings.operations && createMetrics({ surveys, destinations: names });
    let jobs: Jobs | undefined;
    const wake = () => jobs?.wake('delivery');
    const services = watchServices(metrics?.services);
    const parts = await compose({
      settings,
      pool: database.pool,
      personKey,
      wake,
      http,
      log,
      observer: services.observer,
      leadObserver: metrics?.leads,
    });
    stops.push(() => parts.stopAlerts());
    const jobsDatabase = open('funnel-jobs', JOBS_POOL_MAX, jobTimeouts);
    // A transaction that waits for a lock is not waited for.
    stops.push(() => inTime(jobsDatabase.close(), JOBS_CLOSE_MS));
    if (embedded) await endAbandonedJobs(jobsDatabase.pool);
    jobs = createJobs({
      pool: jobsDatabase.pool,
      log,
      alert: parts.alert,
      connectionString,
      ...(jobClock && { clock: jobClock }),
    });
    const { stop: stopJobs } = jobs;
    stops.push(() => stopJobs());
    const destinations = settings.destinations.flatMap(({ definition, values }) =>
      values ? [definition.connect(values, http)] : [],
    );
    if (settings.deliveryConcurrency > 0) {
      const sending = open('funnel-delivery', DELIVERY_POOL_MAX);
      stops.push(() => inTime(sending.close(), JOBS_CLOSE_MS));
      const { stop } = await startDelivery({
        jobs,
        pool: sending.pool,
        destinations,
        off: settings.destinations.flatMap(({ definition, values }) =>
          values ? [] : [definition.name],
        ),
        limits: settings.troubleLimits,
        log,
        alert: parts.alert,
        isOnlyProcess: embedded !== undefined,
        concurrency: settings.deliveryConcurrency,
        evidence: packsForListeners({ ...database, settings }),
        ended: metrics?.deliveryEnded,
      });
      stops.push(() => stop(SENDS_STOP_TIMEOUT_MS));
    }
    stops.push(() => parts.drain());
    if (embedded) watchDiskSpace(jobs, { dir: settings.dataDir, alert: parts.alert });
    startPlans(jobs, { log, wake });
    startPurge(jobs, settings.keep, log);
    startEvidence(jobs, {
      settings,
      log,
      alert: parts.alert,
      origin: originOf(settings),
      tell: tellHead(http, settings.evidenceHeads.url),
      headsFile: settings.evidenceHeads.file,
    });
    const { catchUpVerifications } = parts;
    if (catchUpVerifications) {
      const run = ({ signal }: Turn) => catchUpVerifications(signal);
      jobs.start({ name: 'verification', everyMs: CATCH_UP_EVERY_MS, run });
    }

    const app = await buildApp({
      settings,
      useCases: parts.useCases,
      requestCounts: parts.requestCounts,
      log,
      requestDone: metrics?.requestDone,
      maxEventLoopDelayMs,
      connections: { refused: metrics?.connectionRefused },
      evidence: createPublishedLog(database.pool),
      ...(site && { site }),
    });
    stops.push(() => app.close());
    signal?.throwIfAborted();
    let operationsUrl: string | undefined;
    if (metrics && settings.operations) {
      const ignored = destinations.filter((one) => one.areErrorsIgnored).map((one) => one.name);
      const openDeliveries = watchOpenDeliveries(() =>
        readOpenDeliveries(database.pool, names, ignored),
      );
      const { pendingLeads } = parts;
      metrics.readFrom({ pool: database.pool, pendingLeads, openDeliveries });
      const { isReady } = parts.useCases;
      const monitoring = buildMonitoringApp({ metrics, isReady, openDeliveries, log });
      // Started last and stopped first, so that it only reports about a running server.
      stops.push(() => monitoring.close());
      await app.ready();
      operationsUrl = await listen(monitoring, settings.operations, 'OPERATIONS_');
    }
    const console = await startConsole({
      settings,
      connectionString,
      personKey,
      http,
      log,
      wake,
      refused: metrics?.connectionRefused,
      rulesVersion: parts.rulesVersion,
      services: services.states,
    });
    if (console) {
      stops.push(() => console.close());
      startCounting(jobs, await countingOptions(settings));
    }
    const url = await listen(app, settings, '');
    return {
      /** The address that the server listens on, for example `http://localhost:3000`. */
      url,
      /** The address of metrics and health; undefined if they are off. */
      operationsUrl,
      console,
      app,
      /** For tests. */
      connectionString,
      /** Stops accepting requests, finishes requests and sends in progress, then stops the database. Idempotent. */
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns what sends a signed head of the log of evidence to a webhook; undefined if there is none. */
function tellHead(http: OutgoingHttp, url: string | undefined) {
  if (url === undefined) return undefined;
  return async ({ jws }: { readonly jws: string }, signal: AbortSignal): Promise<void> => {
    const { status } = await http.request({
      method: 'POST',
      url,
      timeoutMs: HEAD_TIMEOUT_MS,
      signal,
      headers: { 'content-type': 'application/jose' },
      body: jws,
    });
    if (status < 200 || status > 299) throw new Error(`HTTP ${status}`);
  };
}
