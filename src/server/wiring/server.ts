/**
 * Wires the parts: settings → database → migrations → use cases → delivery → HTTP. With
 * `main.ts`, which runs it as a program, the only place that knows them all.
 */
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { contactSurvey } from '../../domain/contact-form.ts';
import { checkDurability } from '../../postgres/durability.ts';
import { type RunningPostgres, startEmbeddedPostgres } from '../../postgres/embedded-postgres.ts';
import type { Settings } from '../config/settings.ts';
import { readHealth } from '../delivery/destination-health.ts';
import { type RunningDelivery, startDelivery } from '../delivery/index.ts';
import { createMetrics, type Metrics } from '../monitoring/metrics.ts';
import { buildMonitoringApp } from '../monitoring/monitoring-app.ts';
import { readOpenDeliveries, watchOpenDeliveries } from '../monitoring/open-deliveries.ts';
import { startDailyPurge } from '../operators/retention.ts';
import { createOutgoingHttp } from '../providers/outgoing-http.ts';
import { openDatabase } from '../storage/database.ts';
import { cleanDatabaseError, isConnectionError } from '../storage/database-error.ts';
import { watchDiskSpace } from '../storage/disk-space.ts';
import { migrate } from '../storage/migrate.ts';
import { openPersonKeys } from '../storage/person-keys.ts';
import { buildApp, type PagesPlugin } from './app.ts';
import { compose } from './use-cases.ts';

export type RunningServer = {
  /** Where it answers, for example `http://localhost:3000`. */
  readonly url: string;
  /** Where operators read metrics and health; undefined: they are off. */
  readonly operationsUrl: string | undefined;
  readonly app: FastifyInstance;
  /** Of the database that it uses: for tests and the command line tool in the same process. */
  readonly connectionString: string;
  /**
   * Stops in order: no new requests, those in flight finished, sends under way finished, the database
   * last. Repeated calls wait as well.
   */
  close(): Promise<void>;
};

/** How long somebody's `DATABASE_URL` may take to answer at the start: it may be starting as well. */
const DATABASE_WAIT_MS = 60_000;
/** How often verifications are looked for that a process which died has left. */
const CATCH_UP_EVERY_MS = 30_000;
/** Sends under way when we stop get this long; one that takes longer is taken up after the restart. */
const SENDS_STOP_TIMEOUT_MS = 10_000;

/**
 * Starts everything.
 *
 * @param options.pages the pages; without them only the API is served
 * @param options.signal gives the start up: what had been started is stopped again
 * @param options.maxEventLoopDelayMs of the app; other work in the same process is not its own
 * @param options.connectionTimeoutMs how long a query waits for a connection; default: 3 s
 * @throws with one clear sentence when it cannot start; what had been started is stopped again.
 */
export async function startServer(
  settings: Settings,
  options: {
    log: Logger;
    pages?: PagesPlugin;
    signal?: AbortSignal;
    maxEventLoopDelayMs?: number;
    connectionTimeoutMs?: number;
  },
): Promise<RunningServer> {
  const { log, pages, signal, maxEventLoopDelayMs, connectionTimeoutMs } = options;
  // What to stop, in the order of starting; stopped in the opposite one.
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
      ...{ connectionString, poolMax: settings.databasePoolMax, log, connectionTimeoutMs },
    });
    stops.push(() => database.close());
    if (!embedded) await checkDurability(database.pool, { embedded: false, log });

    const personKey = await openPersonKeys(database.pool, settings);

    const http = createOutgoingHttp({ allowPrivateNetworks: settings.allowsPrivateNetworks });
    stops.push(() => http.close());
    const metrics = settings.operations && metricsOf(settings);
    let delivery: RunningDelivery | undefined;
    const wake = () => delivery?.wake();
    const parts = await compose({
      settings,
      pool: database.pool,
      personKey,
      wake,
      http,
      log,
      observer: metrics?.services,
      leadObserver: metrics?.leads,
      ...(metrics && { batchDone: metrics.batchDone }),
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
      // The last to be there and the first to go: what it says is said of a server that runs.
      stops.push(() => monitoring.close());
      await app.ready();
      operationsUrl = await listen(monitoring, settings.operations, 'OPERATIONS_');
    }
    const url = await listen(app, settings, '');
    return { url, operationsUrl, app, connectionString, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Does something now and again and again, one after another; a failure is logged. */
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
        'Verifications left by a process that died wait',
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
  // Its supervisor starts it again on the same port, and the pools connect anew by themselves.
  embedded.onLost(() => log.warn('Requests that need the database are put off until it is back'));
  return embedded;
}

/** Waits until the database takes a connection. */
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
      log.warn({ pauseMs }, 'The database does not answer yet; trying again');
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

/**
 * @param prefix of the settings that say where: `PORT` and `HOST`, or `OPERATIONS_PORT` and …
 * @returns the address
 * @throws with one clear sentence
 */
async function listen(
  app: FastifyInstance,
  { port, host }: { readonly port: number; readonly host: string },
  prefix: '' | 'OPERATIONS_',
): Promise<string> {
  await app.listen({ port, host }).catch((error: NodeJS.ErrnoException) => {
    const orOff = prefix === '' ? '' : ', or to "off"';
    const reasons: Readonly<Record<string, string>> = {
      EADDRINUSE: `Port ${port} is in use by another program: stop it first, or set ${prefix}PORT to another one${orOff}`,
      EACCES: `Port ${port} may not be used by this user: set ${prefix}PORT to another one, 1024 or above`,
      EADDRNOTAVAIL: `${host} is no address of this machine: set ${prefix}HOST to one that is`,
      ENOTFOUND: `${host} is no address of this machine: set ${prefix}HOST to one that is`,
    };
    const reason = reasons[error.code ?? ''];
    throw reason === undefined ? error : new Error(reason, { cause: error });
  });
  return urlOf(app, host);
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

function urlOf(app: FastifyInstance, host: string): string {
  const { port } = app.server.address() as AddressInfo;
  const isAnywhere = host === '0.0.0.0' || host === '::';
  const name = isAnywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
