/** Builds the operators' console: an app of its own, apart from the visitors' (docs/decisions/0067-console.md). */
import rateLimit from '@fastify/rate-limit';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ProblemReason } from '../../../model/messages/problem.ts';
import { addAuditEntry } from '../../people/index.ts';
import { isDataError, isPassingError } from '../../platform/database/database-error.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import { addRoute } from '../add-route.ts';
import type { ConnectionLimits } from '../connection-guard.ts';
import { newApp } from '../new-app.ts';
import { handleError, sendProblem } from '../problem.ts';
import { guardRequests, requireSessions } from './access.ts';
import { deliveriesArea, plansArea } from './deliveries.ts';
import { leadArea, leadListArea } from './leads.ts';
import { numbersArea } from './numbers.ts';
import { servePages } from './pages.ts';
import { peopleArea } from './people.ts';
import { erasuresArea, optOutsArea, suppressionsArea } from './requests.ts';
import type { Area, ConsoleContext } from './route.ts';
import { signInArea } from './sign-in.ts';
import { surveysArea } from './surveys.ts';
import { systemArea } from './system.ts';

/** All areas of the console. A new area is a function and its line here. */
const everyArea: readonly Area[] = [
  signInArea,
  leadArea,
  numbersArea,
  leadListArea,
  deliveriesArea,
  plansArea,
  surveysArea,
  suppressionsArea,
  optOutsArea,
  erasuresArea,
  peopleArea,
  systemArea,
];
/** How long a stop waits for answers before it closes all connections. */
const STOP_TIMEOUT_MS = 2_000;

export type ConsoleAppOptions = {
  readonly context: ConsoleContext;
  /** Default: all areas. */
  readonly areas?: readonly Area[];
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
  readonly role: string | undefined;
  /** The keys of its query, and those that it needs. */
  readonly query: { readonly properties?: object; readonly required?: readonly string[] };
};

/** Builds the console's server. It does not listen yet. */
export async function buildConsoleApp(options: ConsoleAppOptions): Promise<FastifyInstance> {
  const { context, areas = everyArea, distDir } = options;
  const { pool, settings, log } = context;
  const consoleUrl = settings.console?.url;
  const app = newApp({
    settings,
    log,
    logged: 'console request',
    transport: { isHttps: consoleUrl?.startsWith('https:') ?? false, holdsSubdomains: false },
    handleError: handleConsoleError,
    stopTimeoutMs: STOP_TIMEOUT_MS,
    connections: { refused: options.refused },
    // An unknown key is refused where the schema says so, never dropped: a filter without it selects other leads.
    fastify: { ajv: { customOptions: { removeAdditional: false } } },
  });
  app.removeContentTypeParser('text/plain');
  const json = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // A request that only says "do it" has no body.
    if (body === '') done(null, undefined);
    else json(request, String(body), done);
  });
  const table: ConsoleRoute[] = [];
  app.decorate('consoleRouteTable', table);
  app.addHook('onRoute', ({ method, url, config, schema }) => {
    for (const each of [method].flat()) {
      table.push({ method: each, url, role: config?.role, query: schema?.querystring ?? {} });
    }
  });
  app.decorate('consoleUrl', consoleUrl);
  guardRequests(app);
  requireSessions(app, pool);
  app.decorateRequest('audit', function audit(action, subject, detail = {}, given?) {
    const { reason = '' } = (this.body ?? {}) as { readonly reason?: string };
    const entry = { actor: this.operator.email, action, subject, detail };
    return addAuditEntry(pool, { ...entry, reason: given ?? reason.trim() });
  });
  await app.register(rateLimit, { global: false });
  for (const area of areas) addRoutes(app, area(context));
  await servePages(app, distDir);
  return app;
}

function addRoutes(app: FastifyInstance, routes: ReturnType<Area>): void {
  for (const [address, { role, schema, handler, rateLimit, bodyLimit }] of Object.entries(routes)) {
    const config = { role, ...(rateLimit && { rateLimit }) };
    addRoute(app, address, { schema, handler, config, ...(bodyLimit && { bodyLimit }) });
  }
}

const statuses: Readonly<Record<OperatorError['kind'], readonly [number, ProblemReason]>> = {
  refused: [409, 'refused'],
  not_allowed: [403, 'not_allowed'],
  not_found: [404, 'not_found'],
  usage: [400, 'invalid_request'],
  too_many: [429, 'too_many_requests'],
};

/** Answers every error with problem+json, and with the error's sentence if it was written for people. */
function handleConsoleError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof OperatorError)
    return sendProblem(reply, ...statuses[error.kind], error.message);
  if (isPassingError(error)) {
    request.log.warn({ err: error }, 'The console could not read the database');
    const detail = 'The database does not answer in time. Try again, or choose a shorter period.';
    return sendProblem(reply, 503, 'unavailable', detail);
  }
  if (isDataError(error)) {
    return sendProblem(reply, 400, 'invalid_request', 'A value of the request cannot be used.');
  }
  // The validator's message names the key and the rule, never the value.
  const { validation, validationContext, message } = error as Partial<FastifyError>;
  if (validation !== undefined && validationContext === 'params') {
    const detail = 'There is nothing at this address. Search for the id, or for its beginning.';
    return sendProblem(reply, 404, 'not_found', detail);
  }
  if (validation !== undefined) return sendProblem(reply, 400, 'invalid_request', message);
  return handleError(error, request, reply);
}
