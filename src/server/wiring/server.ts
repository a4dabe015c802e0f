/** Starts the parts of the server in order, and stops them in reverse order. */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { contactSurvey } from '../../model/fields/contact-form.ts';
import { watchServices } from '../checks/index.ts';
import { listenersOf, startDelivery } from '../delivery/index.ts';
import {
  createPublishedLog,
  originOf,
  packsForListeners,
  startEvidence,
} from '../evidence/index.ts';
import { createMetrics } from '../http/operations/metrics.ts';
import { buildMonitoringApp } from '../http/operations/monitoring.ts';
import type { Site } from '../http/site.ts';
import { countingOptions, startCounting, startPlans } from '../insight/index.ts';
import { startOutcomes } from '../money/index.ts';
import { type DatabaseTimeouts, openDatabase } from '../platform/database/database.ts';
import { watchDiskSpace } from '../platform/database/disk-space.ts';
import {
  createJobs,
  JOBS_POOL_MAX,
  type JobClock,
  type Jobs,
  jobTimeouts,
} from '../platform/database/jobs.ts';
import { migrate } from '../platform/database/migrate.ts';
import { openPersonKeys } from '../platform/database/person-keys.ts';
import { waitForDatabase } from '../platform/database/wait-for-database.ts';
import { inTime } from '../platform/in-time.ts';
import { createOutgoingHttp, type OutgoingHttp } from '../platform/outgoing-http.ts';
import { startEmbeddedPostgres } from '../platform/postgres/embedded-postgres.ts';
import { startPurge } from '../privacy/index.ts';
import type { Settings } from '../settings/settings.ts';
import { buildApp } from './app.ts';
import { connectDestinations, startConsole } from './console.ts';
import { listen } from './listen.ts';
import { compose } from './use-cases.ts';

export type RunningServer = Awaited<ReturnType<typeof startServer>>;

const JOBS_CLOSE_MS = 1_000;
/** Time-out of a call to the webhook that gets the evidence log's signed tree heads. */
const HEAD_TIMEOUT_MS = 10_000;
const DELIVERY_POOL_MAX = 4;
/** When the server stops, it waits at most this time for deliveries that are being sent. */
const SENDS_STOP_TIMEOUT_MS = 10_000;

type StartOptions = {
  readonly log: Logger;
  /** The built pages. Default: the server serves only the API. */
  readonly site?: Site;
  readonly signal?: AbortSignal;
  /** Maximum delay of the event loop in ms. */
  readonly maxEventLoopDelayMs?: number;
  readonly databaseTimeouts?: DatabaseTimeouts;
  readonly jobClock?: JobClock;
};

type Start = StartOptions & {
  readonly settings: Settings;
  /** The started parts of the server. The part that was added last stops first. */
  readonly stops: AsyncDisposableStack;
};

/** Starts the server. @throws if the start fails, after stopping every started part */
export async function startServer(settings: Settings, options: StartOptions) {
  const { log, site, signal } = options;
  const stops = new AsyncDisposableStack();
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= stops.disposeAsync().catch((error: unknown) => {
      log.error({ err: error }, 'A part did not stop');
    });
    return closing;
  };
  try {
    const parts = await startParts({ ...options, settings, stops });
    const { metrics, jobs, composed, connectionString, wake } = parts;
    if (settings.deliveryConcurrency > 0) await startSending(parts);
    stops.defer(() => composed.drain());
    startBackgroundJobs(parts);
    const app = await buildApp({
      settings,
      useCases: composed.useCases,
      requestCounts: composed.requestCounts,
      log,
      requestDone: metrics?.requestDone,
      maxEventLoopDelayMs: options.maxEventLoopDelayMs,
      connections: { refused: metrics?.connectionRefused },
      evidence: createPublishedLog(parts.pool),
      ...(site && { site }),
    });
    stops.defer(() => app.close());
    signal?.throwIfAborted();
    const operationsUrl = await startMonitoring(parts, app);
    const console = await startConsole({
      ...parts,
      wake() {
        wake();
        jobs.wake('plans');
      },
      refused: metrics?.connectionRefused,
      services: parts.services.states,
    });
    if (console) {
      stops.defer(() => console.close());
      startCounting(jobs, await countingOptions(settings));
    }
    const url = await listen(app, settings, '');
    return {
      /** The URL of the site, for example `http://localhost:3000`. */
      url,
      /** The URL of metrics and health. Undefined: they are off. */
      operationsUrl,
      console,
      app,
      /** The database's address, for tests. */
      connectionString,
      /** Stops the server after running requests and deliveries have ended. */
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

type Parts = Awaited<ReturnType<typeof startParts>>;

/** Starts the parts that others use: database, HTTP client, metrics, use cases and jobs. */
async function startParts(start: Start) {
  const { settings, log, stops, jobClock } = start;
  const database = await startDatabase(start);
  const { pool, personKey } = database;
  const http = createOutgoingHttp({ allowPrivateNetworks: settings.allowsPrivateNetworks });
  stops.defer(() => http.close());
  const metrics =
    settings.operations &&
    createMetrics({
      surveys: [...settings.surveys.map(({ path }) => path), contactSurvey],
      destinations: settings.destinations.map(({ definition }) => definition.name),
    });
  const services = watchServices(metrics?.services);
  let jobs: Jobs | undefined;
  const wake = () => {
    jobs?.wake('choice');
    jobs?.wake('delivery');
  };
  const { observer } = services;
  const leadObserver = metrics?.leads;
  const given = { settings, pool, personKey, wake, http, log, observer, leadObserver };
  const composed = await compose(given);
  stops.defer(() => composed.stopAlerts());
  const forJobs = database.open('funnel-jobs', JOBS_POOL_MAX, jobTimeouts);
  // Limits the wait, because a transaction may wait for a lock for a long time.
  stops.defer(() => inTime(forJobs.close(), JOBS_CLOSE_MS));
  const { alert } = composed;
  const started = createJobs({ pool: forJobs.pool, log, alert, clock: jobClock });
  stops.defer(() => started.stop());
  jobs = started;
  return { ...start, ...database, http, metrics, services, wake, composed, alert, jobs };
}

/** Starts the embedded database or waits for DATABASE_URL. Then runs the migrations. */
async function startDatabase({ settings, log, signal, stops, databaseTimeouts }: Start) {
  const { databaseUrl, dataDir } = settings;
  const embedded =
    databaseUrl === undefined ? await startEmbeddedPostgres({ dataDir, log }) : undefined;
  if (embedded) stops.defer(() => embedded.stop());
  const connectionString = embedded?.connectionString ?? String(databaseUrl);
  if (!embedded) await waitForDatabase({ connectionString, log, signal });
  await migrate({ connectionString, log });
  const open = (applicationName: string, poolMax: number, timeouts = databaseTimeouts) =>
    openDatabase({ connectionString, log, applicationName, poolMax, timeouts });
  const { pool, close } = open('funnel', settings.databasePoolMax);
  stops.defer(close);
  const personKey = await openPersonKeys(pool, settings);
  return { pool, connectionString, isEmbedded: embedded !== undefined, open, personKey };
}

async function startSending(parts: Parts): Promise<void> {
  const { settings, stops, http, metrics } = parts;
  const sending = parts.open('funnel-delivery', DELIVERY_POOL_MAX);
  stops.defer(() => inTime(sending.close(), JOBS_CLOSE_MS));
  const off = settings.destinations.filter(({ values }) => values === undefined);
  const { stop } = await startDelivery({
    ...parts,
    pool: sending.pool,
    destinations: connectDestinations(settings, http),
    off: off.map(({ definition }) => definition.name),
    limits: settings.troubleLimits,
    rules: settings,
    concurrency: settings.deliveryConcurrency,
    evidence: packsForListeners(parts),
    ended: metrics?.deliveryEnded,
  });
  stops.defer(() => stop(SENDS_STOP_TIMEOUT_MS));
}

function startBackgroundJobs(parts: Parts): void {
  const { settings, log, jobs, alert, http, wake } = parts;
  if (parts.isEmbedded) watchDiskSpace(jobs, settings.dataDir, alert);
  startPlans(jobs, settings, wake);
  startPurge(jobs, settings.keep, log);
  startOutcomes(jobs, listenersOf(settings.destinations), wake);
  startEvidence(jobs, {
    settings,
    log,
    alert,
    origin: originOf(settings),
    postHead: headSender(http, settings.evidenceHeads.url),
    headsFile: settings.evidenceHeads.file,
  });
}

/** Returns a function that posts signed tree heads to a webhook; undefined without a webhook. */
function headSender(http: OutgoingHttp, url: string | undefined) {
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

/** Starts the server for health and metrics. Returns the URL; undefined if there is no port. */
async function startMonitoring(parts: Parts, app: FastifyInstance): Promise<string | undefined> {
  const { settings, log, stops, pool, metrics, composed } = parts;
  if (!settings.operations || !metrics) return undefined;
  const destinations = settings.destinations.map(({ definition }) => definition.name);
  const { isReady } = composed.useCases;
  const monitoring = buildMonitoringApp({ metrics, pool, destinations, isReady, log });
  stops.defer(() => monitoring.close());
  await app.ready();
  return listen(monitoring, settings.operations, 'OPERATIONS_');
}
