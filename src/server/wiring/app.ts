import rateLimit from '@fastify/rate-limit';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { withExactNumbers } from '../../model/lead/body.ts';
import { maxBodyBytes } from '../../model/messages/lead.ts';
import { type EvidenceLog, evidenceRoutes } from '../http/evidence.ts';
import { loadLimit, rateLimitStore } from '../http/limits.ts';
import { type NewAppOptions, newApp } from '../http/new-app.ts';
import { pageCalls } from '../http/page-calls.ts';
import { pagesPlugin } from '../http/pages.ts';
import { postLeadRoute, saveDataRoute } from '../http/post-lead.ts';
import { handleError, sendNotFound, sendProblem } from '../http/problem.ts';
import type { Site } from '../http/site.ts';
import type { UseCases } from '../http/use-cases.ts';
import { readVisitorAddress, visitorOf } from '../http/visitor.ts';
import { createRequestCounts, type RequestCounts } from '../platform/database/request-counts.ts';
import type { Settings } from '../settings/settings.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Resolves when every page has been rendered or has failed. Visitors then never wait for a rendering. */
    firstPages: Promise<void>;
  }
}

export type AppOptions = Pick<
  NewAppOptions,
  'log' | 'requestDone' | 'connections' | 'requestTimeoutMs'
> & {
  readonly settings: Settings;
  readonly useCases: UseCases;
  /** Counts requests per address. Default: counts this process's requests only. */
  readonly requestCounts?: RequestCounts | undefined;
  /** Maximum wait of a stop for running requests. Then all connections are closed. Default: 15 s. */
  readonly stopTimeoutMs?: number;
  /** API requests get 503 if the event loop's delay exceeds this. Default: `loadLimit`. 0: never. */
  readonly maxEventLoopDelayMs?: number | undefined;
  /** The evidence log. Undefined: the log is not published. */
  readonly evidence?: EvidenceLog;
  /** The built pages. Undefined: only the API is served. */
  readonly site?: Site;
};

/** Maximum duration of the slowest check (docs/specification.md#buyers). */
const STOP_TIMEOUT_MS = 15_000;
/** Plugins and routes may load slowly on a busy machine. */
const READY_TIMEOUT_MS = 120_000;

const noRateLimitHeaders = {
  'x-ratelimit-limit': false,
  'x-ratelimit-remaining': false,
  'x-ratelimit-reset': false,
} as const;

/** Builds the site's HTTP server without listening. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { settings, useCases, site, maxEventLoopDelayMs = loadLimit.maxEventLoopDelay } = options;
  const { stopTimeoutMs = STOP_TIMEOUT_MS } = options;
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
      // During a stop, requests on open connections are still answered.
      return503OnClosing: false,
      routerOptions: { ignoreTrailingSlash: false },
      ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
    },
  });
  app.removeContentTypeParser(['text/plain', 'application/json']);
  // "remove" drops prototype-poisoning keys and accepts the rest of the lead.
  const parseJson = app.getDefaultJsonParser('remove', 'remove');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    parseJson(request, withExactNumbers(String(body)), done),
  );
  if (settings.visitorAddressHeader !== undefined) {
    readVisitorAddress(app, settings.visitorAddressHeader);
  }
  app.decorate('isPublicHttps', isHttps);
  app.decorate('experiments', settings.experiments);
  await app.register(rateLimit, {
    global: false,
    // Some proxies append a port that differs for each connection. `addressKey` omits it.
    keyGenerator: (request) => visitorOf(request).addressKey,
    // A cache could show one visitor's counts to others. Refused visitors still get Retry-After.
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
  // `/healthz`: the process runs. `/readyz`: the pages are rendered and the database accepts leads.
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
  // Only the API refuses requests under load. Pages come from memory and are always served.
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
