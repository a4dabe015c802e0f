/**
 * Wires the parts: settings → database → migrations → queue → delivery → use cases → HTTP. With
 * `main.ts`, which runs it as a program, the only place that knows them all.
 */
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import { compose } from './compose.ts';
import type { Settings } from './config/settings.ts';
import { type Destination, startDelivery } from './delivery/index.ts';
import { createIngest } from './providers/ingest.ts';
import { createOutgoingHttp } from './providers/outgoing-http.ts';
import { openDatabase } from './storage/database.ts';
import { isConnectionError } from './storage/database-error.ts';
import { checkDurability } from './storage/durability.ts';
import { type RunningPostgres, startEmbeddedPostgres } from './storage/embedded-postgres.ts';
import { migrate } from './storage/migrate.ts';
import { createQueue } from './storage/queue.ts';

export type RunningServer = {
  /** Where it answers, for example `http://localhost:3000`. */
  readonly url: string;
  readonly app: FastifyInstance;
  /** Of the database that it uses: for tests and the command line tool in the same process. */
  readonly connectionString: string;
  /**
   * Stops in order: no new requests, those in flight finished, jobs under way finished, the database
   * last. Repeated calls wait as well.
   */
  close(): Promise<void>;
};

/** How long somebody's `DATABASE_URL` may take to answer at the start: it may be starting as well. */
const DATABASE_WAIT_MS = 60_000;
/** Jobs under way when we stop get this long; a send that takes longer is taken up after the restart. */
const JOBS_STOP_TIMEOUT_MS = 10_000;

/**
 * Starts everything.
 *
 * @param options.pages the pages; without them only the API is served
 * @param options.signal gives the start up: what had been started is stopped again
 * @throws with one clear sentence when it cannot start; what had been started is stopped again.
 */
export async function startServer(
  settings: Settings,
  options: { log: Logger; pages?: FastifyPluginAsync; signal?: AbortSignal },
): Promise<RunningServer> {
  const { log, pages, signal } = options;
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

    const database = openDatabase({ connectionString, poolMax: settings.databasePoolMax, log });
    stops.push(() => database.close());
    if (!embedded) await checkDurability(database.pool, { embedded: false, log });

    const queue = createQueue({ connectionString, log });
    stops.push(() => queue.stop({ graceful: true, timeoutMs: JOBS_STOP_TIMEOUT_MS }));
    await queue.start();
    if (embedded) await queue.reclaimAbandoned();

    const http = createOutgoingHttp({ allowPrivateNetworks: settings.allowsPrivateNetworks });
    stops.push(() => http.close());
    const parts = await compose({ settings, pool: database.pool, queue, http, log });
    if (settings.deliveryConcurrency > 0) {
      const delivery = await startDelivery({
        pool: database.pool,
        queue,
        destinations: destinationsOf(settings, http),
        log,
        alert: parts.alert,
        isOnlyProcess: embedded !== undefined,
        concurrency: settings.deliveryConcurrency,
      });
      // The queue finishes the sends under way before their bookkeeping ends.
      stops.push(async () => {
        await queue.stop({ graceful: true, timeoutMs: JOBS_STOP_TIMEOUT_MS });
        await delivery.stop();
      });
    }
    stops.push(() => parts.drain());

    const app = await buildApp({
      settings,
      useCases: parts.useCases,
      log,
      ...(pages ? { pages } : {}),
    });
    stops.push(() => app.close());
    signal?.throwIfAborted();
    await app.listen({ port: settings.port, host: settings.host }).catch((error) => {
      throw listenError(error, settings);
    });
    return { url: urlOf(app, settings.host), app, connectionString, close };
  } catch (error) {
    await close();
    throw error;
  }
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

function listenError(error: NodeJS.ErrnoException, { port, host }: Settings): Error {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} is in use by another program: stop it first, or set PORT to another one`,
    EACCES: `Port ${port} may not be used by this user: set PORT to another one, 1024 or above`,
    EADDRNOTAVAIL: `${host} is no address of this machine: set HOST to one that is`,
    ENOTFOUND: `${host} is no address of this machine: set HOST to one that is`,
  };
  const reason = reasons[error.code ?? ''];
  return reason === undefined ? error : new Error(reason, { cause: error });
}

function destinationsOf(
  { ingest }: Settings,
  http: ReturnType<typeof createOutgoingHttp>,
): Destination[] {
  if (!ingest) return [];
  const { url, campaignId, supplierId, key, timeoutMs } = ingest;
  return [
    createIngest({
      http,
      baseUrl: url,
      credentials: { campaignId, supplierId, key },
      timeoutMs,
    }),
  ];
}

function urlOf(app: FastifyInstance, host: string): string {
  const { port } = app.server.address() as AddressInfo;
  const isAnywhere = host === '0.0.0.0' || host === '::';
  const name = isAnywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
