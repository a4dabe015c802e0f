/** Builds the Fastify apps of the site and the console. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import type { Settings } from '../settings/settings.ts';
import { type ConnectionLimits, guardedServer } from './connection-guard.ts';
import { type handleError, sendClientProblem, sendProblem, sendSocketProblem } from './problem.ts';

const REQUEST_TIMEOUT_MS = 30_000;

export type NewAppOptions = {
  readonly settings: Settings;
  readonly log: FastifyBaseLogger;
  /** The message of each line of the request log. */
  readonly logged: 'request' | 'console request';
  /** `holdsSubdomains` is true if browsers must use https for all subdomains too. */
  readonly transport: { readonly isHttps: boolean; readonly holdsSubdomains: boolean };
  readonly handleError: typeof handleError;
  /** When the app stops, it closes unfinished answers after this time. */
  readonly stopTimeoutMs: number;
  readonly requestTimeoutMs?: number | undefined;
  /** Options of the connection guard that are not settings. */
  readonly connections?: Pick<ConnectionLimits, 'refused' | 'unreadMs'> | undefined;
  /** Called after each answer. `route` is the pattern that matched the request, if any. */
  readonly requestDone?:
    | ((method: string, route: string | undefined, status: number, durationMs: number) => void)
    | undefined;
  readonly fastify: FastifyServerOptions;
};

/**
 * Builds an app without routes. The log never contains paths, queries, bodies or IP addresses.
 */
export function newApp(options: NewAppOptions): FastifyInstance {
  const { log, logged, handleError, requestDone, stopTimeoutMs } = options;
  const { trustedProxies, limits } = options.settings;
  const { requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const connections = { trustedProxies, ...limits, ...options.connections };
  const app = Fastify({
    ...options.fastify,
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    serverFactory: guardedServer(requestTimeoutMs, connections),
    // Trusts only configured networks. With `true`, clients could forge their IP address.
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    forceCloseConnections: 'idle',
    frameworkErrors: handleError,
    clientErrorHandler: sendClientProblem,
  });
  app.setErrorHandler(handleError);
  methodTable(app);
  // Without this, Node would accept further requests on open connections during a stop.
  app.addHook('preClose', async () => {
    Object.assign(app.server, { keepAliveTimeout: 1, keepAliveTimeoutBuffer: 0 });
    setTimeout(() => app.server.closeAllConnections(), stopTimeoutMs).unref();
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method } = request;
    const route = request.routeOptions.url;
    const { statusCode: status, elapsedTime } = reply;
    requestDone?.(method, route, status, elapsedTime);
    const ms = Math.round(elapsedTime * 10) / 10;
    request.log.info({ method, route: route ?? '(none)', status, ms }, logged);
  });
  checkRequestHead(app);
  const headers = securityHeaders(options.transport);
  app.addHook('onRequest', async (_request, reply) => void reply.headers(headers));
  return app;
}

/** Refuses requests that the routes cannot handle, such as one with several `Host` headers. */
function checkRequestHead(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }, reply) => {
    const hosts = raw.rawHeaders.filter((text, at) => at % 2 === 0 && /^host$/i.test(text)).length;
    const isNew = raw.httpVersion === '1.1';
    if (hosts > 1 || (hosts === 0 && isNew)) return sendProblem(reply, 400, 'invalid_request');
    const { expect } = raw.headers;
    if (isNew && expect && !/\b100-continue\b/i.test(expect)) {
      return sendProblem(reply, 417, 'invalid_request');
    }
  });
  // Sends 417 here, because Node's own 417 answer fails for a pipelined request.
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    app.server.emit('request', request, response);
  });
  app.server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    sendSocketProblem(socket, 405, { Allow: 'GET, HEAD, POST' });
  });
}

/** Records which methods each path has. Must be called before adding routes. */
export function methodTable(app: FastifyInstance): void {
  const routes: { pattern: RegExp; methods: string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return;
    const source = url
      .split('/')
      .map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
      .join('/');
    routes.push({ pattern: new RegExp(`^${source}$`), methods: [method].flat() });
  });
  app.decorate('methodsAt', (path: string) => {
    const matching = routes.filter(({ pattern }) => pattern.test(path));
    return [...new Set(matching.flatMap(({ methods }) => methods))].sort();
  });
}

/** Seconds during which browsers use only https after an answer. */
const HSTS_SECONDS = 365 * 24 * 60 * 60;

/** Returns the default headers of every answer (docs/specification.md#headers). */
function securityHeaders({ isHttps, holdsSubdomains }: NewAppOptions['transport']) {
  const hsts = `max-age=${HSTS_SECONDS}${holdsSubdomains ? '; includeSubDomains' : ''}`;
  return {
    // Forbids loading and framing by default. Each page replaces this policy.
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'referrer-policy': 'same-origin',
    ...(isHttps && { 'strict-transport-security': hsts }),
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-frame-options': 'DENY',
  };
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the methods of a path; empty if the path is unknown. */
    methodsAt(path: string): readonly string[];
  }
}
