import rateLimit from '@fastify/rate-limit';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { withExactNumbers } from '../../model/lead/body.ts';
import { maxBodyBytes } from '../../model/messages/lead.ts';
import { type EvidenceLog, evidenceRoutes } from '../http/evidence.ts';
import { loadLimit, rateLimitStore } from '../http/limits.ts';
import { type NewAppOptions, newApp } from '../http/new-app.ts';
import { outcomeRoutes } from '../http/outcomes.ts';
import { pageCalls } from '../http/page-calls.ts';
import { pagesPlugin } from '../http/pages.ts';
import { leadRoutes } from '../http/post-lead.ts';
import { handleError, sendNotFound, sendProblem } from '../http/problem.ts';
import type { Site } from '../http/site.ts';
import { textMessageRoutes } from '../http/text-messages.ts';
import type { UseCases } from '../http/use-cases.ts';
import { visitorOf } from '../http/visitor.ts';
import { createRequestCounts, type RequestCounts } from '../platform/database/request-counts.ts';
import type { Settings } from '../settings/settings.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Resolves when every page is rendered or has failed. */
    firstPages: Promise<void>;
  }
}

export type AppOptions = Pick<
  NewAppOptions,
  'log' | 'requestDone' | 'connections' | 'requestTimeoutMs'
> & {
  readonly settings: Settings;
  readonly useCases: UseCases;
  /** Counts requests per IP address. Default: counts only the requests of this process. */
  readonly requestCounts?: RequestCounts | undefined;
  /** When the server stops, it waits at most this time for running requests. Default: 15 s. */
  readonly stopTimeoutMs?: number;
  /** Above this delay of the event loop in ms, API requests get 503. 0: no limit. */
  readonly maxEventLoopDelayMs?: number | undefined;
  /** Undefined: the evidence log is not published. */
  readonly evidence?: EvidenceLog;
  /** The built pages. Undefined: the server serves only the API. */
  readonly site?: Site;
};

/** Default of `stopTimeoutMs`: the longest time of a check (docs/specification.md#buyers). */
const STOP_TIMEOUT_MS = 15_000;
/** Maximum time for loading plugins and routes, which is slow on a busy machine. */
const READY_TIMEOUT_MS = 120_000;

const noRateLimitHeaders = {
  'x-ratelimit-limit': false,
  'x-ratelimit-remaining': false,
  'x-ratelimit-reset': false,
} as const;

/** Builds the site's HTTP server, which does not listen yet. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { settings, useCases, site, maxEventLoopDelayMs = loadLimit.maxEventLoopDelay } = options;
  const { stopTimeoutMs = STOP_TIMEOUT_MS, evidence } = options;
  const { requestCounts = createRequestCounts(() => new Date()) } = options;
  const isHttps = settings.publicUrl?.startsWith('https:') ?? false;
  const app = newApp({
    ...options,
    stopTimeoutMs,
    logged: 'request',
    transport: { isHttps, holdsSubdomains: settings.hstsSubdomains },
    handleError,
    fastify: {
      bodyLimit: maxBodyBytes,
      pluginTimeout: READY_TIMEOUT_MS,
      // While the server stops, it answers requests on open connections.
      return503OnClosing: false,
      routerOptions: { ignoreTrailingSlash: false },
      ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
    },
  });
  app.removeContentTypeParser(['text/plain', 'application/json']);
  // Removes keys that could change prototypes, such as `__proto__`.
  const parseJson = app.getDefaultJsonParser('remove', 'remove');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    parseJson(request, withExactNumbers(String(body)), done),
  );
  app.decorate('visitorAddressHeader', settings.visitorAddressHeader);
  app.decorate('visitorStateHeader', settings.visitorStateHeader);
  app.decorate('isPublicHttps', isHttps);
  app.decorate('experiments', settings.experiments);
  await app.register(rateLimit, {
    global: false,
    // Uses the IP address without the port, because the port is different for each connection.
    keyGenerator: (request) => visitorOf(request).addressKey,
    // Omits headers with request counts, because a cache could send them to other visitors.
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
  if (evidence) {
    await app.register(evidenceRoutes, { prefix: '/.well-known/evidence', log: evidence });
  }
  // Only the API refuses requests under load, because pages come from memory.
  await app.register(async (api) => {
    await api.register(underPressure, { ...loadLimit, maxEventLoopDelay: maxEventLoopDelayMs });
    await api.register(leadRoutes, { useCases, settings });
    await api.register(pageCalls, { useCases, settings });
    await api.register(textMessageRoutes, { useCases, settings });
    await api.register(outcomeRoutes, { useCases, settings });
  });
  if (site) await app.register(pagesPlugin, { site, settings, useCases, rendered });
  else app.setNotFoundHandler(sendNotFound);
  return app;
}
