/** Serves health and metrics to operators on a separate port (docs/specification.md#health). */
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type pg from 'pg';
import { readHealth, troublesOf } from '../../delivery/index.ts';
import { isLoopback, isUnownedName } from '../../platform/host-names.ts';
import { inTime } from '../../platform/in-time.ts';
import { methodTable } from '../new-app.ts';
import { handleError, sendNotFound, sendProblem } from '../problem.ts';
import type { Metrics } from './metrics.ts';

/** Age in seconds at which a due delivery causes a warning. */
const OVERDUE_SECONDS = 300;
/** Maximum time that a request waits for the database. */
const ANSWER_MS = 1_000;

type MonitoringAppOptions = {
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>;
  readonly pool: pg.Pool;
  readonly destinations: readonly string[];
  readonly isReady: () => Promise<boolean>;
  readonly log: FastifyBaseLogger;
};

/** Builds the monitoring app, which does not log requests. */
export function buildMonitoringApp(options: MonitoringAppOptions): FastifyInstance {
  const { metrics, pool, destinations, isReady, log } = options;
  /** Reads the health of the destinations. Undefined if the database does not answer in time. */
  const healthInTime = () => inTime(readHealth(pool, destinations), ANSWER_MS);
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // An idle connection of Prometheus must not delay the stop of the server.
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
    const [isThere, deliveries = []] = await Promise.all([isReady(), healthInTime()]);
    if (!isThere) return sendProblem(reply, 503, 'unavailable', 'The database does not answer.');
    const overdue = deliveries
      .filter(({ oldestDueSeconds }) => oldestDueSeconds > OVERDUE_SECONDS)
      .map(
        ({ destination, oldestDueSeconds }) =>
          `A delivery to ${destination} has been due for ${Math.round(oldestDueSeconds)} s.`,
      );
    return { status: 'ok', deliveries, warnings: [...deliveries.flatMap(troublesOf), ...overdue] };
  });

  app.get('/metrics', async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.text(pool, await healthInTime())),
  );
  return app;
}
