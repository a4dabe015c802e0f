/** Wires the parts together: settings → database → migrations → use cases → delivery → HTTP. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { contactSurvey } from '../../domain/contact-form.ts';
import { checkDurability } from '../../postgres/durability.ts';
import { type RunningPostgres, startEmbeddedPostgres } from '../../postgres/embedded-postgres.ts';
import type { Settings } from '../config/settings.ts';
import { readHealth } from '../delivery/destination-health.ts';
import { type RunningDelivery, startDelivery } from '../delivery/index.ts';
import { readOpenDeliveries } from '../delivery/open-deliveries.ts';
import { createMetrics, type Metrics } from '../monitoring/metrics.ts';
import { buildMonitoringApp } from '../monitoring/monitoring-app.ts';
import { watchOpenDeliveries } from '../monitoring/open-deliveries.ts';
import { countingOptions, startCounting } from '../operators/counts/job.ts';
import { filterContext } from '../operators/lead-list/condition.ts';
import { startPlanRunner } from '../operators/plans/runner.ts';
import { startDailyPurge } from '../operators/retention.ts';
import { createOutgoingHttp } from '../providers/outgoing-http.ts';
import { watchServices } from '../providers/service-watch.ts';
import { type DatabaseTimeouts, openDatabase } from '../storage/database.ts';
import { cleanDatabaseError, isConnectionError } from '../storage/database-error.ts';
import { watchDiskSpace } from '../storage/disk-space.ts';
import { migrate } from '../storage/migrate.ts';
import { openPersonKeys } from '../storage/person-keys.ts';
import { buildApp, type PagesPlugin } from './app.ts';
import { type RunningConsole, startConsole } from './console.ts';
import { listen } from './listen.ts';
import { compose } from './use-cases.ts';

export type RunningServer = {
  /** The address that the server listens on, for example `http://localhost:3000`. */
  readonly url: string;
  /** The address of metrics and health; undefined if they are off. */
  readonly operationsUrl: string | undefined;
  /** The operators' console; undefined if it is off. */
  readonly console: Omit<RunningConsole, 'close'> | undefined;
  readonly app: FastifyInstance;
  /** The connection string of the database, for tests. */
  readonly connectionString: string;
  /** Stops accepting requests, finishes requests and sends in progress, then stops the database. Idempotent. */
  close(): Promise<void>;
};

/** How long to wait at the start for the database at `DATABASE_URL`, which may be starting too. */
const DATABASE_WAIT_MS = 60_000;
/** How often to look for verifications that a dead process left unfinished. */
const CATCH_UP_EVERY_MS = 30_000;
/** How long a stop waits for sends in progress. Longer ones are retried after the restart. */
const SENDS_STOP_TIMEOUT_MS = 10_000;

/**
 * Starts the server. When it cannot start, it stops everything that it had started.
 *
 * @param options.pages Default: only the API is served.
 * @param options.signal aborts the start
 * @param options.maxEventLoopDelayMs passed to the app, for tests that do other work in the process
 * @param options.databaseTimeouts how long the database is waited for
 * @throws with one clear sentence when the server cannot start.
 */
export async function startServer(
  settings: Settings,
  options: {
    log: Logger;
    pages?: PagesPlugin;
    signal?: AbortSignal;
    maxEventLoopDelayMs?: number;
    databaseTimeouts?: DatabaseTimeouts;
  },
): Promise<RunningServer> {
  const { log, pages, signal, maxEventLoopDelayMs, databaseTimeouts: timeouts } = options;
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
    const embedded = await startDatabase(settings, log);
    if (embedded) stops.push(() => embedded.stop());
    const connectionString = embedded?.connectionString ?? (settings.databaseUrl as string);
    if (!embedded) await waitForDatabase(connectionString, log, signal);
    await migrate({ connectionString, log });

    const database = openDatabase({
      ...{ connectionString, poolMax: settings.databasePoolMax, log, timeouts },
    });
    stops.push(() => database.close());
    if (!embedded) await checkDurability(database.pool, { embedded: false, log });

    const personKey = await openPersonKeys(database.pool, settings);

    const http = createOutgoingHttp({ allowPrivateNetworks: settings.allowsPrivateNetworks });
    stops.push(() => http.close());
    const metrics = settings.operations && metricsOf(settings);
    let delivery: RunningDelivery | undefined;
    const wake = () => delivery?.wake();
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
      batchDone: metrics?.batchDone,
    });
    stops.push(() => parts.stopAlerts());
    const destinations = settings.destinations.flatMap(({ definition, values }) =>
      values ? [definition.connect(values, http)] : [],
    );
    if (settings.deliveryConcurrency > 0) {
      delivery = await startDelivery({
        pool: database.pool,
        destinations,
        off: settings.destinations.flatMap(({ definition, values }) =>
          values ? [] : [definition.name],
        ),
        limits: settings.troubleLimits,
        log,
        alert: parts.alert,
        isOnlyProcess: embedded !== undefined,
        concurrency: settings.deliveryConcurrency,
        ended: metrics?.deliveryEnded,
      });
      const { stop } = delivery;
      stops.push(() => stop(SENDS_STOP_TIMEOUT_MS));
    }
    stops.push(() => parts.drain());
    if (embedded) {
      const disk = watchDiskSpace({ dir: settings.dataDir, alert: parts.alert });
      stops.push(async () => disk.stop());
    }
    const plans = startPlanRunner({
      ...{ pool: database.pool, db: database.db, log, wake },
      ...filterContext(settings, personKey),
    });
    stops.push(() => plans.stop());
    const purge = startDailyPurge({ pool: database.pool, keep: settings.keep, log });
    stops.push(() => purge.stop());

    if (parts.catchUpVerifications) {
      const catchUp = startRepeating(parts.catchUpVerifications, CATCH_UP_EVERY_MS, log);
      stops.push(() => catchUp.stop());
    }

    const app = await buildApp({
      settings,
      useCases: parts.useCases,
      log,
      requestDone: metrics?.requestDone,
      maxEventLoopDelayMs,
      ...(pages ? { pages } : {}),
    });
    stops.push(() => app.close());
    signal?.throwIfAborted();
    let operationsUrl: string | undefined;
    if (metrics && settings.operations) {
      const names = destinationNames(settings);
      const ignored = destinations.filter((one) => one.areErrorsIgnored).map((one) => one.name);
      const watched = names.filter((name) => !ignored.includes(name));
      const openDeliveries = watchOpenDeliveries(() =>
        readOpenDeliveries(database.pool, names, () => readHealth(database.pool, watched)),
      );
      metrics.readFrom({
        pool: database.pool,
        pendingLeads: parts.pendingLeads,
        openDeliveries,
      });
      const { isReady } = parts.useCases;
      const monitoring = buildMonitoringApp({ metrics, isReady, openDeliveries, log });
      // Started last and stopped first, so that it only reports about a running server.
      stops.push(() => monitoring.close());
      await app.ready();
      operationsUrl = await listen(monitoring, settings.operations, 'OPERATIONS_');
    }
    const console = await startConsole({
      ...{ settings, connectionString, personKey, http, log, wake },
      system: { rulesVersion: parts.rulesVersion, services: services.states },
    });
    if (console) {
      const counting = startCounting({
        ...(await countingOptions(settings)),
        ...{ pool: database.pool, log },
      });
      stops.push(
        () => counting.stop(),
        () => console.close(),
      );
    }
    const url = await listen(app, settings, '');
    return { url, operationsUrl, console, app, connectionString, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Runs the work now and at each interval, never twice at once, and logs failures. */
function startRepeating(
  work: (signal: AbortSignal) => Promise<void>,
  everyMs: number,
  log: Logger,
) {
  const stopping = new AbortController();
  const once = () =>
    work(stopping.signal).catch((error: unknown) => {
      log.warn(
        { err: cleanDatabaseError(error) },
        'Verifications of a dead process could not be resumed; they wait for the next try',
      );
    });
  let working = once();
  const timer = setInterval(() => {
    working = working.then(once);
  }, everyMs).unref();
  return {
    stop() {
      clearInterval(timer);
      stopping.abort();
      return working;
    },
  };
}

async function startDatabase(
  settings: Settings,
  log: Logger,
): Promise<RunningPostgres | undefined> {
  if (settings.databaseUrl !== undefined) return undefined;
  const embedded = await startEmbeddedPostgres({ dataDir: settings.dataDir, log });
  // Its supervisor restarts it on the same port, so the pools reconnect by themselves.
  embedded.onLost(() =>
    log.warn('Requests that need the database get HTTP 503 until the database is back'),
  );
  return embedded;
}

/** Waits until the database accepts a connection. */
async function waitForDatabase(
  connectionString: string,
  log: Logger,
  signal: AbortSignal | undefined,
): Promise<void> {
  const deadlineMs = performance.now() + DATABASE_WAIT_MS;
  for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 2, 5_000)) {
    const { pool, close } = openDatabase({ connectionString, poolMax: 1, log });
    try {
      await pool.query('select 1');
      return;
    } catch (error) {
      if (!isConnectionError(error)) throw startError(error);
      if (performance.now() + pauseMs > deadlineMs) throw startError(error);
      log.warn({ pauseMs }, 'The database does not answer yet; retrying');
      await sleep(pauseMs, undefined, { signal });
    } finally {
      await close();
    }
  }
}

function startError(error: unknown): Error {
  const { code, message } = error as { code?: string; message: string };
  return new Error(`The database at DATABASE_URL cannot be used: ${message || code}`, {
    cause: error,
  });
}

function destinationNames({ destinations }: Settings): string[] {
  return destinations.map(({ definition }) => definition.name);
}

function metricsOf(settings: Settings): Metrics {
  return createMetrics({
    surveys: [...settings.surveys.map(({ path }) => path), contactSurvey],
    destinations: destinationNames(settings),
  });
}
