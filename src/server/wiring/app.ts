import type { IncomingMessage, ServerResponse } from 'node:http';
import rateLimit from '@fastify/rate-limit';
import sensible from '@fastify/sensible';
import underPressure from '@fastify/under-pressure';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPluginAsync,
  LogController,
} from 'fastify';
import { maxBodyBytes } from '../../contract/lead.ts';
import type { Settings } from '../config/settings.ts';
import { checkRoutes } from '../routes/checks.ts';
import { clickRoute } from '../routes/click.ts';
import { handleError } from '../routes/errors.ts';
import { estimateRoute } from '../routes/estimate.ts';
import { healthRoutes } from '../routes/health.ts';
import { methodTable } from '../routes/method-table.ts';
import { oneToOneRoutes } from '../routes/one-to-one.ts';
import { phoneCodeRoute } from '../routes/phone-code.ts';
import { postLeadRoute } from '../routes/post-lead.ts';
import { prefillRoute } from '../routes/prefill.ts';
import { sendClientProblem, sendNotFound } from '../routes/problem.ts';
import { checkRequestHead } from '../routes/request-head.ts';
import { saveDataRoute } from '../routes/save-data.ts';
import { securityHeaders } from '../routes/security-headers.ts';
import { sendSlackMessageRoute } from '../routes/send-slack-message.ts';
import type { UseCases } from '../routes/use-cases.ts';
import { visitorOf } from '../routes/visitor.ts';
import { readVisitorAddress } from '../routes/visitor-address.ts';
import { visitorStateRoute } from '../routes/visitor-state.ts';
import { zipRoute } from '../routes/zip.ts';

/** The pages, with the use cases behind their forms. `rendered` is called once the pages are there. */
export type PagesPlugin = FastifyPluginAsync<{
  readonly useCases: UseCases;
  readonly rendered: () => void;
}>;

declare module 'fastify' {
  interface FastifyInstance {
    /** Until every page is rendered, or has failed to be: the first visitor waits for none. */
    firstPages: Promise<void>;
  }
}

export type AppOptions = {
  readonly settings: Pick<
    Settings,
    'publicUrl' | 'trustedProxies' | 'visitorStateHeader' | 'limits'
  > &
    Partial<Pick<Settings, 'visitorAddressHeader' | 'hstsSubdomains'>>;
  readonly useCases: UseCases;
  readonly log: FastifyBaseLogger;
  /** Told of each answer. `route` is the pattern that took the request; undefined: none did. */
  readonly requestDone?:
    | ((method: string, route: string | undefined, status: number, durationMs: number) => void)
    | undefined;
  /** A request that has not come in whole by then is given up. */
  readonly requestTimeoutMs?: number;
  /** A request that is not answered so long after the stop began is cut. Default: 15 s. */
  readonly stopTimeoutMs?: number;
  /**
   * Above this delay of the event loop new requests are put off with 503 and tried again by the
   * browser queue: they would only wait behind those that wait already. By default 2 s.
   */
  readonly maxEventLoopDelayMs?: number | undefined;
  /**
   * The pages. They may set their own `Content-Security-Policy`, and a not-found handler that falls
   * back on `sendNotFound` of `routes/problem.ts`.
   */
  readonly pages?: PagesPlugin;
};

const MAX_EVENT_LOOP_DELAY_MS = 2_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** As long as the slowest look-up may take (docs/specification.md#buyers). */
const STOP_TIMEOUT_MS = 15_000;
/** How often Node looks for requests beyond that time: one that drips is cut at most so much later. */
const TIMEOUT_CHECKS_MS = 1_000;
/** Plugins and routes are loaded within that time, on a busy machine too. */
const READY_TIMEOUT_MS = 120_000;

const noRateLimitHeaders = {
  'x-ratelimit-limit': false,
  'x-ratelimit-remaining': false,
  'x-ratelimit-reset': false,
} as const;

/**
 * The HTTP server: routes, limits, headers and the request log. Nothing is opened and nothing listens
 * before `listen` or `inject`.
 *
 * The log has one line a request: method, route, status, time. Never a query, a body, a path with a
 * visitor's value in it (the route's pattern stands for it), nor an address.
 */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { settings, useCases, log, pages, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const { requestDone, maxEventLoopDelayMs = MAX_EVENT_LOOP_DELAY_MS } = options;
  const { stopTimeoutMs = STOP_TIMEOUT_MS } = options;
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: maxBodyBytes,
    requestTimeout: requestTimeoutMs,
    http: {
      connectionsCheckingInterval: TIMEOUT_CHECKS_MS,
      // Where the head may take longer than the whole (Node's default does), Node goes by the longer one.
      headersTimeout: requestTimeoutMs,
      requestTimeout: requestTimeoutMs,
      // What has none is refused as everything is: `checkRequestHead`.
      requireHostHeader: false,
    },
    pluginTimeout: READY_TIMEOUT_MS,
    // A list of networks: `true` would let anyone choose an address, a number would take a proxy's.
    trustProxy: settings.trustedProxies.length > 0 ? [...settings.trustedProxies] : false,
    // A request that comes in on an open connection while we stop is still served.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Hostile keys are left out; the rest of the lead is taken.
    onProtoPoisoning: 'remove',
    onConstructorPoisoning: 'remove',
    routerOptions: { ignoreTrailingSlash: false },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
    frameworkErrors: handleError,
    clientErrorHandler: sendClientProblem,
  });
  app.removeContentTypeParser('text/plain');
  app.setErrorHandler(handleError);
  methodTable(app);
  // Of a pipelined request, Node writes "100 Continue" into the answer, between its head and its body. Whoever
  // sends ahead waits for none: it is left out, and the connection closes after the answer.
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (response.socket) response.writeContinue();
    app.server.emit('request', request, response);
  });
  // Node closes what is idle when we stop; a connection with a request in flight would then be kept for
  // the next one, and the stop would wait for it.
  app.addHook('preClose', async () => {
    Object.assign(app.server, { keepAliveTimeout: 1, keepAliveTimeoutBuffer: 0 });
    // A request that never ends must not keep the server from stopping.
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
  await app.register(sensible);
  const isHttps = settings.publicUrl?.startsWith('https:') ?? false;
  app.decorate('isPublicHttps', isHttps);
  securityHeaders(app, { isHttps, holdsSubdomains: settings.hstsSubdomains });
  await app.register(rateLimit, {
    global: false,
    // Not the bare address: a proxy that writes the port would make a new visitor of every connection.
    keyGenerator: (request) => visitorOf(request).addressKey,
    // A cache would tell everyone what one address has left; who is refused gets Retry-After.
    addHeaders: noRateLimitHeaders,
    addHeadersOnExceeding: noRateLimitHeaders,
  });
  const { checksPerAddressPerMinute, savesPerAddressPerMinute } = settings.limits;
  const firstPages = Promise.withResolvers<void>();
  app.decorate('firstPages', firstPages.promise);
  let hasPages = false;
  firstPages.promise.then(() => {
    hasPages = true;
  });
  await app.register(healthRoutes, { isReady: useCases.isReady, hasPages: () => hasPages });
  // Pages come from memory: they are served under any pressure.
  await app.register(async (api) => {
    await api.register(underPressure, { maxEventLoopDelay: maxEventLoopDelayMs });
    await api.register(postLeadRoute, useCases);
    await api.register(saveDataRoute, { ...useCases, savesPerAddressPerMinute });
    await api.register(zipRoute, { ...useCases, checksPerAddressPerMinute });
    await api.register(checkRoutes, { ...useCases, checksPerAddressPerMinute });
    await api.register(phoneCodeRoute, { ...useCases, checksPerAddressPerMinute });
    await api.register(estimateRoute, { ...useCases, checksPerAddressPerMinute });
    await api.register(oneToOneRoutes, { ...useCases, checksPerAddressPerMinute });
    await api.register(prefillRoute, { ...useCases, checksPerAddressPerMinute });
    await api.register(sendSlackMessageRoute, useCases);
    const { trackClick } = useCases;
    if (trackClick) await api.register(clickRoute, { trackClick, checksPerAddressPerMinute });
    const { visitorStateHeader: header } = settings;
    if (header !== undefined) {
      await api.register(visitorStateRoute, { header, checksPerAddressPerMinute });
    }
  });
  if (pages) {
    await app.register(pages, { useCases, rendered: firstPages.resolve });
  } else {
    firstPages.resolve();
    app.setNotFoundHandler(sendNotFound);
  }
  return app;
}
