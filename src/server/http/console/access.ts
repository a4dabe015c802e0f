/** Controls access to the console: refuses requests of other sites, and loads sessions. */
import { stringifySetCookie } from 'cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { roles } from '../../../model/messages/console/people.ts';
import { canHavePasskeys, findSession, isLive, type RelyingParty } from '../../people/index.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { isUnownedName } from '../../platform/host-names.ts';
import { refused } from '../../platform/operator-error.ts';
import { onlyCookie } from '../../platform/site-cookie.ts';
import { hostOf } from '../form-post.ts';
import { sendProblem } from '../problem.ts';

/** A header that pages of other sites cannot send, because the console allows no CORS. */
const OWN_HEADER = 'x-console';

function isReading({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Returns the console's origin in the operator's browser. */
export function ownOrigin(request: FastifyRequest): string {
  const { consoleUrl } = request.server;
  const isPublic = consoleUrl !== undefined && request.host === hostOf(consoleUrl);
  return isPublic ? consoleUrl : `${request.protocol}://${request.host}`;
}

/** Returns whether the `Host` header is the console's host name. Prevents DNS rebinding. */
function isForUs(request: FastifyRequest): boolean {
  return isUnownedName(request.hostname) || request.host === hostOf(request.server.consoleUrl);
}

/** Returns false if a page of another site or of another port sent the request. */
function isFromOwnPage(request: FastifyRequest): boolean {
  const { 'sec-fetch-site': site, origin } = request.headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (isReading(request)) return true;
  if (request.headers[OWN_HEADER] !== '1') return false;
  return origin === undefined || origin === ownOrigin(request);
}

/** Returns whether a request has a JSON body or no body. HTML forms cannot send JSON. */
function isJsonOrEmpty({ headers }: FastifyRequest): boolean {
  const isEmpty =
    headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  return isEmpty || /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
}

/** Refuses requests to other hosts, from pages of other sites, or with bodies other than JSON. */
export function guardRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'cross-origin-opener-policy': 'same-origin' });
    if (!isForUs(request)) return sendProblem(reply, 403, 'invalid_request');
    const isOpen = request.is404 || request.routeOptions.config.role === 'none';
    // Other sites may link to a route that needs no session, so such GET requests are allowed.
    const isChecked = !isReading(request) || !isOpen;
    if (isChecked && !isFromOwnPage(request)) return sendProblem(reply, 403, 'foreign_page');
    if (!isReading(request) && !isJsonOrEmpty(request)) {
      return sendProblem(reply, 415, 'unsupported_media_type');
    }
  });
}

const DAY_SECONDS = 24 * 60 * 60;

/** The console's cookies: one for the session, and one for a sign-in at the identity provider. */
const cookies = {
  session: { sameSite: 'strict', maxAge: 7 * DAY_SECONDS },
  oidc: { sameSite: 'lax', maxAge: 600 },
} as const;

function isSecure({ protocol, server }: FastifyRequest): boolean {
  return protocol === 'https' || (server.consoleUrl?.startsWith('https:') ?? false);
}

function cookieName(kind: keyof typeof cookies, request: FastifyRequest): string {
  return isSecure(request) ? `__Host-console-${kind}` : `console-${kind}-${request.port ?? 80}`;
}

/** Returns a cookie's value; undefined if the request has no such cookie or several. */
export function readCookie(kind: keyof typeof cookies, request: FastifyRequest) {
  return onlyCookie(request, cookieName(kind, request)) || undefined;
}

/** Sets a cookie. Null deletes the cookie. */
export function writeCookie(
  kind: keyof typeof cookies,
  value: string | null,
  reply: FastifyReply,
): void {
  const { sameSite, maxAge } = cookies[kind];
  reply.header(
    'set-cookie',
    stringifySetCookie({
      name: cookieName(kind, reply.request),
      value: value ?? '',
      maxAge: value === null ? 0 : maxAge,
      path: '/',
      httpOnly: true,
      sameSite,
      secure: isSecure(reply.request),
    }),
  );
}

/** Returns the passkeys' relying party. @throws OperatorError if the origin allows no passkeys */
export function partyOf(request: FastifyRequest, companyName: string): RelyingParty {
  const origin = ownOrigin(request);
  if (canHavePasskeys(origin)) return { origin, name: `${companyName} console` };
  throw refused('Passkeys need a name in the address, such as localhost.');
}

/** Interval at which the server checks whether the sessions of unfinished answers have ended. */
const RECHECK_MS = 5_000;

/** Loads each request's operator, and refuses requests without a sufficient role. */
export function requireSessions(app: FastifyInstance, pool: Queryable): void {
  const open = new Map<FastifyReply, string>();
  app.decorateRequest('operator');
  app.decorateRequest('session');
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) return;
    const { role = 'admin' } = request.routeOptions.config;
    if (role === 'none') return;
    const secret = readCookie('session', request);
    const isAttended = request.headers['x-unattended'] === undefined;
    const live = secret === undefined ? undefined : await findSession(pool, secret, isAttended);
    if (live === undefined) return sendProblem(reply, 401, 'not_signed_in', 'Sign in first.');
    const { operator, id, endsAt } = live;
    if (roles.indexOf(operator.role) < roles.indexOf(role)) {
      return sendProblem(reply, 403, 'not_allowed', 'Your role does not allow this.');
    }
    request.operator = operator;
    request.session = { id, endsAt };
    open.set(reply, id);
  });
  app.addHook('onResponse', async (_request, reply) => {
    open.delete(reply);
  });
  const timer = setInterval(() => void cutEnded(open, pool), RECHECK_MS).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

/** Aborts unfinished answers, such as exports, if the session of the request has ended. */
async function cutEnded(open: ReadonlyMap<FastifyReply, string>, pool: Queryable): Promise<void> {
  for (const [sessionId, answers] of Map.groupBy(open, ([, id]) => id)) {
    // If the database does not answer, the session counts as live.
    if (await isLive(pool, sessionId).catch(() => true)) continue;
    for (const [reply] of answers) reply.raw.destroy();
  }
}
