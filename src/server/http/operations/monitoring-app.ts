/**
 * Serves health and metrics to operators and Prometheus. Uses its own port, so that visitors cannot see them
 * (docs/specification.md#health).
 */
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { type OpenDeliveries, troublesOf } from '../../delivery/index.ts';
import { isLoopback, isUnownedName } from '../../platform/host-names.ts';
import { handleError, sendNotFound, sendProblem } from '../problem.ts';
import { methodTable } from '../request-head.ts';
import type { Metrics } from './metrics.ts';

/** A delivery due for longer than this means that nobody sends it, or that its destination is too slow. */
const OVERDUE_SECONDS = 300;

type MonitoringAppOptions = {
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>;
  /** Returns whether the database answers. */
  readonly isReady: () => Promise<boolean>;
  readonly openDeliveries: () => Promise<OpenDeliveries | undefined>;
  readonly log: FastifyBaseLogger;
};

/** Builds the operators' app. Scrapes are not logged. */
export function buildMonitoringApp(options: MonitoringAppOptions): FastifyInstance {
  const { metrics, isReady, openDeliveries, log } = options;
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // A scraper's kept-alive connection must not delay the stop.
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
