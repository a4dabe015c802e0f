import type { IncomingMessage, ServerResponse } from 'node:http';
import rateLimit from '@fastify/rate-limit';
import underPressure from '@fastify/under-pressure';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { withExactNumbers } from '../../model/lead/body.ts';
import { maxBodyBytes } from '../../model/messages/lead.ts';
import { type ConnectionLimits, guardedServer } from '../http/connection-guard.ts';
import { type EvidenceLog, evidenceRoutes } from '../http/evidence.ts';
import { loadLimit, rateLimitStore } from '../http/limits.ts';
import { pageCalls } from '../http/page-calls.ts';
import { pagesPlugin } from '../http/pages.ts';
import { postLeadRoute, saveDataRoute } from '../http/post-lead.ts';
import { handleError, sendClientProblem, sendNotFound, sendProblem } from '../http/problem.ts';
import { checkRequestHead, methodTable, securityHeaders } from '../http/request-head.ts';
import type { Site } from '../http/site.ts';
import type { UseCases } from '../http/use-cases.ts';
import { readVisitorAddress, visitorOf } from '../http/visitor.ts';
import { createRequestCounts, type RequestCounts } from '../platform/database/request-counts.ts';
import type { Settings } from '../settings/settings.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Resolves when every page has been rendered or has failed, so that no visitor waits for a rendering. */
    firstPages: Promise<void>;
  }
}

export type AppOptions = {
  readonly settings: Settings;
  readonly useCases: UseCases;
  readonly log: FastifyBaseLogger;
  /** Counts requests per address. Default: those of this process only. */
  readonly requestCounts?: RequestCounts | undefined;
  /** Called after each answer. `route` is the pattern that matched the request, if any. */
  readonly requestDone?:
    | ((method: string, route: string | undefined, status: number, durationMs: number) => void)
    | undefined;
  /** What differs from the settings' limits of connections. */
  readonly connections?: Pick<ConnectionLimits, 'refused' | 'unreadMs'> | undefined;
  /** How long a client may take to send a request. Default: 30 s. */
  readonly requestTimeoutMs?: number;
  /** How long a stop waits for answers before it closes all connections. Default: 15 s. */
  readonly stopTimeoutMs?: number;
  /** Above this delay of the event loop API requests get 503. Default: `loadLimit`; 0: never. */
  readonly maxEventLoopDelayMs?: number | undefined;
  /** The log of evidence; undefined: it is not published. */
  readonly evidence?: EvidenceLog;
  /** The built pages; undefined: only the API is served. */
  readonly site?: Site;
};

const REQUEST_TIMEOUT_MS = 30_000;
/** The time that the slowest look-up may take (docs/specification.md#buyers). */
const STOP_TIMEOUT_MS = 15_000;
/** Generous, so that plugins and routes also load in time on a busy machine. */
const READY_TIMEOUT_MS = 120_000;

const noRateLimitHeaders = {
  'x-ratelimit-limit': false,
  'x-ratelimit-remaining': false,
  'x-ratelimit-reset': false,
} as const;

/**
 * Builds the HTTP server: routes, limits, headers and the request log. It does not listen yet.
 *
 * The log has one line per request: method, route pattern, status, time. It never contains a query, a body, an
 * address, or the requested path, which may hold a visitor's values.
 */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { settings, useCases, log, site, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const { requestDone, maxEventLoopDelayMs = loadLimit.maxEventLoopDelay } = options;
  const { stopTimeoutMs = STOP_TIMEOUT_MS } = options;
  const { requestCounts = createRequestCounts(() => new Date()) } = options;
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: maxBodyBytes,
    serverFactory: guardedServer(requestTimeoutMs, {
      ...settings,
      ...settings.limits,
      ...options.connections,
    }),
    pluginTimeout: READY_TIMEOUT_MS,
    // Only named networks: `true` would let clients forge their address, a number could pick a proxy's.
    trustProxy: settings.trustedProxies.length > 0 ? [...settings.trustedProxies] : false,
    // While stopping, requests on open connections are still answered.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: false },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
    frameworkErrors: handleError,
    clientErrorHandler: sendClientProblem,
  });
  app.removeContentTypeParser(['text/plain', 'application/json']);
  // Removes hostile keys and accepts the rest of the lead.
  const parseJson = app.getDefaultJsonParser('remove', 'remove');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    parseJson(request, withExactNumbers(String(body)), done),
  );
  app.setErrorHandler(handleError);
  methodTable(app);
  // For a pipelined request Node would write "100 Continue" into the middle of the previous answer. A client
  // that pipelines does not wait for it, so it is omitted; the connection closes after the answer.
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (response.socket) response.writeContinue();
    app.server.emit('request', request, response);
  });
  // On a stop Node closes only idle connections. A busy one would stay open for further requests and delay
  // the stop, so keep-alive ends now.
  app.addHook('preClose', async () => {
    Object.assign(app.server, { keepAliveTimeout: 1, keepAliveTimeoutBuffer: 0 });
    // A request that never ends must not prevent the stop.
    setTimeout(() => app.server.closeAllConnections(), stopTimeoutMs).unref();
  });

  app.addHook('onResponse', async (request, reply) => {
    const { method } = request;
    const route = request.routeOptions.url;
    const { statusCode: status, elapsedTime } = reply;
    requestDone?.(method, route, status, elapsedTime);
    request.log.info(
      { method, route: route ?? '(none)', status, ms: Math.round(elapsedTime * 10) / 10 },
      'request',
    );
  });

  checkRequestHead(app);
  if (settings.visitorAddressHeader !== undefined) {
    readVisitorAddress(app, settings.visitorAddressHeader);
  }
  const isHttps = settings.publicUrl?.startsWith('https:') ?? false;
  app.decorate('isPublicHttps', isHttps);
  app.decorate('experiments', settings.experiments);
  securityHeaders(app, { isHttps, holdsSubdomains: settings.hstsSubdomains });
  await app.register(rateLimit, {
    global: false,
    // The normalised address, because some proxies append a port, which differs for each connection.
    keyGenerator: (request) => visitorOf(request).addressKey,
    // Caches could pass on one visitor's counts to others. A refused visitor gets Retry-After.
    addHeaders: noRateLimitHeaders,
    addHeadersOnExceeding: noRateLimitHeaders,
    store: rateLimitStore(requestCounts),
  });
  const firstPages = Promise.withResolvers<void>();
  app.decorate('firstPages', firstPages.promise);
  let hasPages = site === undefined;
  const rendered = () => {
    hasPages = true;
    firstPages.resolve();
  };
  if (!site) rendered();
  // `/healthz`: the process runs. `/readyz`: the pages are rendered and leads can be stored.
  app.get('/healthz', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { status: 'ok' };
  });
  app.get('/readyz', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    if (!hasPages) return sendProblem(reply, 503, 'unavailable', 'The pages are being rendered.');
    if (await useCases.isReady()) return { status: 'ok' };
    return sendProblem(reply, 503, 'unavailable', 'The database does not answer.');
  });
  const { evidence } = options;
  if (evidence) {
    await app.register(evidenceRoutes, { prefix: '/.well-known/evidence', log: evidence });
  }
  // Only the API has load shedding: pages come from memory and are served under any load.
  await app.register(async (api) => {
    await api.register(underPressure, { ...loadLimit, maxEventLoopDelay: maxEventLoopDelayMs });
    await api.register(postLeadRoute, useCases);
    const savesPerMinute = settings.limits.savesPerAddressPerMinute;
    await api.register(saveDataRoute, { ...useCases, savesPerMinute });
    await api.register(pageCalls, { useCases, settings });
  });
  if (site) await app.register(pagesPlugin, { site, settings, useCases, rendered });
  else app.setNotFoundHandler(sendNotFound);
  return app;
}
