/** Builds the console's app, separate from the visitors' app (docs/decisions/0067-console.md). */
import rateLimit from '@fastify/rate-limit';
import type { FastifyError, FastifyInstance } from 'fastify';
import type { ProblemReason } from '../../../model/messages/problem.ts';
import { addAuditEntry } from '../../people/index.ts';
import { isDataError, isPassingError } from '../../platform/database/database-error.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import { addRoute } from '../add-route.ts';
import type { ConnectionLimits } from '../connection-guard.ts';
import { newApp } from '../new-app.ts';
import { handleError, sendProblem } from '../problem.ts';
import { guardRequests, requireSessions } from './access.ts';
import { buyersArea } from './buyers.ts';
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

/** All areas of the console. */
export const everyArea: readonly Area[] = [
  signInArea,
  leadArea,
  numbersArea,
  leadListArea,
  deliveriesArea,
  plansArea,
  buyersArea,
  surveysArea,
  suppressionsArea,
  optOutsArea,
  erasuresArea,
  peopleArea,
  systemArea,
];
/** When the app stops, it closes unfinished answers after this time. */
const STOP_TIMEOUT_MS = 2_000;

export type ConsoleAppOptions = {
  readonly context: ConsoleContext;
  readonly areas?: readonly Area[];
  /** Called when the connection guard refuses a connection or a request. */
  readonly refused?: ConnectionLimits['refused'];
  /** The directory of the built pages. Default: `dist/console`. */
  readonly distDir?: string;
};

/** Builds the console's app, which does not listen yet. */
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
    // Refuses unknown keys, because ignoring a misspelled filter would select too many leads.
    fastify: { ajv: { customOptions: { removeAdditional: false } } },
  });
  app.decorate('consoleUrl', consoleUrl);
  guardRequests(app);
  requireSessions(app, pool);
  app.decorateRequest('audit', function audit(action, subject, detail = {}, given?) {
    const isChecked = this.routeOptions.schema?.body !== undefined;
    const body = ((isChecked && this.body) || {}) as { readonly reason?: unknown };
    const reason = given ?? (typeof body.reason === 'string' ? body.reason.trim() : '');
    return addAuditEntry(pool, { actor: this.operator.email, action, subject, detail, reason });
  });
  await app.register(rateLimit, { global: false });
  const routes = areas.flatMap((area) => Object.entries(area(context)));
  for (const [address, route] of routes) addRoute(app, address, route);
  await servePages(app, distDir);
  return app;
}

const statuses: Readonly<Record<OperatorError['kind'], readonly [number, ProblemReason]>> = {
  refused: [409, 'refused'],
  not_allowed: [403, 'not_allowed'],
  not_found: [404, 'not_found'],
  usage: [400, 'invalid_request'],
  too_many: [429, 'too_many_requests'],
};

/** Answers every error with problem+json. */
const handleConsoleError: typeof handleError = (error, request, reply) => {
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
  // The validator's message names the invalid key and the rule, but never contains the value.
  const { validation, validationContext, message } = error as Partial<FastifyError>;
  if (validation !== undefined && validationContext === 'params') {
    const detail = 'There is nothing at this address. Search for the id, or for its beginning.';
    return sendProblem(reply, 404, 'not_found', detail);
  }
  if (validation !== undefined) return sendProblem(reply, 400, 'invalid_request', message);
  return handleError(error, request, reply);
};
