/**
 * Serves health and metrics to operators and Prometheus (docs/specification.md#health). It has its own port, so that
 * visitors cannot reach it.
 */
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { type OpenDeliveries, troublesOf } from '../../delivery/index.ts';
import { isLoopback, isUnownedName } from '../../platform/host-names.ts';
import { inTime } from '../../platform/in-time.ts';
import { methodTable } from '../new-app.ts';
import { handleError, sendNotFound, sendProblem } from '../problem.ts';
import type { Metrics } from './metrics.ts';

/** A warning reports a delivery that is due for longer. Then no worker runs, or the destination is slow. */
const OVERDUE_SECONDS = 300;

type MonitoringAppOptions = {
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>;
  /** Returns whether the database answers. */
  readonly isReady: () => Promise<boolean>;
  readonly openDeliveries: () => Promise<OpenDeliveries | undefined>;
  readonly log: FastifyBaseLogger;
};

/** Builds the monitoring app. It does not log requests. */
export function buildMonitoringApp(options: MonitoringAppOptions): FastifyInstance {
  const { metrics, isReady, openDeliveries, log } = options;
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // A scraper's idle connection must not delay the stop.
    forceCloseConnections: true,
    frameworkErrors: handleError,
  });
  app.setErrorHandler(handleError);
  methodTable(app);
  app.setNotFoundHandler(sendNotFound);
  app.addHook('onRequest', async (request, reply) => {
    if (!isLoopback(request.socket.localAddress) || isUnownedName(request.hostname)) return;
    return sendProblem(reply, 403, 'invalid_request');
  });
  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff');
  });

  app.get('/healthz', async () => ({ status: 'ok' }));

  app.get('/readyz', async (_request, reply) => {
    const [isThere, open] = await Promise.all([isReady(), openDeliveries()]);
    if (!isThere) return sendProblem(reply, 503, 'unavailable', 'The database does not answer.');
    const deliveries = open ?? [];
    const overdue = deliveries
      .filter(({ oldestDueSeconds }) => oldestDueSeconds > OVERDUE_SECONDS)
      .map(
        ({ destination, oldestDueSeconds }) =>
          `A delivery to ${destination} has been due for ${Math.round(oldestDueSeconds)} s.`,
      );
    const warnings = [...deliveries.flatMap(troublesOf), ...overdue];
    return { status: 'ok', deliveries, warnings };
  });

  app.get('/metrics', async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.text()),
  );
  return app;
}

/** A caller waits at most this long for the database. */
const ANSWER_MS = 1_000;
/** The result of a read is reused for this time. */
const REUSE_MS = 5_000;

/**
 * Returns a function that shares the result of `read` between its callers for some seconds. Only one read runs at a
 * time. The function returns undefined if the read fails or takes longer than a second; it never rejects.
 */
export function shareReads(
  read: () => Promise<OpenDeliveries>,
): () => Promise<OpenDeliveries | undefined> {
  let reading: Promise<OpenDeliveries | undefined> | undefined;
  let endedAtMs: number | undefined;
  return () => {
    const isOld = endedAtMs !== undefined && performance.now() - endedAtMs >= REUSE_MS;
    if (!reading || isOld) {
      endedAtMs = undefined;
      reading = read()
        .catch(() => undefined)
        .finally(() => {
          endedAtMs = performance.now();
        });
    }
    return inTime(reading, ANSWER_MS);
  };
}
