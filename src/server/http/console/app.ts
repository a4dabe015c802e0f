/** Builds the operators' console: an app of its own, apart from the visitors' (docs/decisions/0067-console.md). */
import path from 'node:path';
import rateLimit from '@fastify/rate-limit';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { addAuditEntry } from '../../people/audit.ts';
import { type ConnectionLimits, guardedServer } from '../connection-guard.ts';
import { sendClientProblem, sendProblem } from '../problem.ts';
import { checkRequestHead, methodTable } from '../request-head.ts';
import { securityHeaders } from '../security-headers.ts';
import type { ConsoleContext, ConsoleRoutes } from './context.ts';
import { handleConsoleError } from './errors.ts';
import { isForUs, isFromOwnPage, isJsonOrEmpty, isReading } from './guard.ts';
import { servePages } from './pages.ts';
import { consoleRoutes } from './routes.ts';
import { requireSessions } from './sessions-hook.ts';

/** The output directory of the console's pages. */
const DIST_DIR = path.join(import.meta.dirname, '..', '..', '..', '..', 'dist', 'console');
const REQUEST_TIMEOUT_MS = 30_000;
/** How long a stop waits for answers before it closes all connections. */
const STOP_TIMEOUT_MS = 2_000;

export type ConsoleAppOptions = {
  readonly parts: Omit<ConsoleContext, 'audit'>;
  /** Default: all areas. */
  readonly areas?: readonly ConsoleRoutes[];
  /** Called when a connection or request is refused by its limits. */
  readonly refused?: ConnectionLimits['refused'];
  /** Default: the built pages. */
  readonly distDir?: string;
};

declare module 'fastify' {
  interface FastifyInstance {
    /** The console's routes, for tests that visit them all. */
    consoleRouteTable: readonly ConsoleRoute[];
  }
}

/** A route as it was declared. */
export type ConsoleRoute = {
  readonly method: string;
  readonly url: string;
  readonly role: string;
  /** The keys of its query, and those that it needs. */
  readonly query: { readonly properties?: object; readonly required?: readonly string[] };
};

/** Builds the console's server. It does not listen yet. @throws if a route does not say who may use it */
export async function buildConsoleApp(options: ConsoleAppOptions): Promise<FastifyInstance> {
  const { parts, areas = consoleRoutes, distDir = DIST_DIR } = options;
  const { settings, pool } = parts;
  const publicUrl = settings.console?.url;
  const context: ConsoleContext = {
    ...parts,
    audit: (request, entry) => addAuditEntry(pool, { ...entry, actor: request.operator.email }),
  };
  const app = newApp(parts, options.refused);
  recordRoutes(app);
  methodTable(app);
  checkRequestHead(app);
  securityHeaders(app, {
    isHttps: publicUrl?.startsWith('https:') ?? false,
    holdsSubdomains: false,
  });
  guardRequests(app, publicUrl);
  requireSessions(app, { pool, publicUrl });
  await app.register(rateLimit, { global: false });
  for (const area of areas) await app.register(area, { context });
  await servePages(app, distDir);
  return app;
}

function newApp(
  { settings, log }: ConsoleAppOptions['parts'],
  refused: ConnectionLimits['refused'],
): FastifyInstance {
  const { trustedProxies } = settings;
  const loggerInstance: FastifyBaseLogger = log;
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    serverFactory: guardedServer(REQUEST_TIMEOUT_MS, { ...settings, ...settings.limits, refused }),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    forceCloseConnections: 'idle',
    // An unknown key is refused where the schema says so, never dropped: a filter without it selects other leads.
    ajv: { customOptions: { removeAdditional: false } },
    frameworkErrors: handleConsoleError,
    clientErrorHandler: sendClientProblem,
  });
  app.setErrorHandler(handleConsoleError);
  app.removeContentTypeParser('text/plain');
  const json = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // A request that only says "do it" has no body.
    if (body === '') done(null, undefined);
    else json(request, String(body), done);
  });
  app.addHook('preClose', async () => {
    setTimeout(() => app.server.closeAllConnections(), STOP_TIMEOUT_MS).unref();
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request;
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    const route = routeOptions.url ?? '(none)';
    request.log.info({ method, route, status: reply.statusCode, ms }, 'console request');
  });
  return app;
}

/** Keeps a table of the routes, and refuses one that does not say who may use it. */
function recordRoutes(app: FastifyInstance): void {
  const table: ConsoleRoute[] = [];
  app.decorate('consoleRouteTable', table);
  app.addHook('onRoute', ({ method, url, config, schema }) => {
    const role = config?.role;
    if (role === undefined) throw new Error(`The console's route ${method} ${url} has no role`);
    for (const each of [method].flat()) {
      table.push({ method: each, url, role, query: schema?.querystring ?? {} });
    }
  });
}

/** Refuses requests for other names, from other pages, and in other media types. */
function guardRequests(app: FastifyInstance, publicUrl: string | undefined): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'cross-origin-opener-policy': 'same-origin' });
    if (!isForUs(request, publicUrl)) return sendProblem(reply, 403, 'invalid_request');
    const isOpen = request.is404 || request.routeOptions.config.role === 'none';
    // Other sites may link to a page, and the identity provider sends the browser back.
    const isChecked = !isReading(request) || !isOpen;
    if (isChecked && !isFromOwnPage(request, publicUrl)) {
      return sendProblem(reply, 403, 'foreign_page');
    }
    if (!isReading(request) && !isJsonOrEmpty(request)) {
      return sendProblem(reply, 415, 'unsupported_media_type');
    }
  });
}
