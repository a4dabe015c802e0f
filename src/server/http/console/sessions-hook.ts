/** Loads the operator of every request, and refuses those without a session or with too low a role. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Role, roles } from '../../../model/messages/console/people.ts';
import { findSession, isLive } from '../../people/sessions.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { sendProblem } from '../problem.ts';
import { readCookie } from './session-cookie.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set with `operator`. */
    session: { readonly id: string; readonly endsAt: Date };
  }
}

/** How often answers that take long are checked again. */
const RECHECK_MS = 5_000;

/** Returns whether a role includes what another one may do. */
function includes(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}

/** Adds the check to all routes that are added later. */
export function requireSessions(
  app: FastifyInstance,
  { pool, publicUrl }: { readonly pool: Queryable; readonly publicUrl: string | undefined },
): void {
  /** The answers that are still being sent, with their sessions. */
  const open = new Map<FastifyReply, string>();
  app.decorateRequest('operator');
  app.decorateRequest('session');
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) return;
    const { role = 'admin' } = request.routeOptions.config;
    if (role === 'none') return;
    const secret = readCookie('session', request, publicUrl);
    const isAttended = request.headers['x-unattended'] === undefined;
    const live = secret === undefined ? undefined : await findSession(pool, secret, isAttended);
    if (live === undefined) return sendProblem(reply, 401, 'not_signed_in');
    if (!includes(live.operator.role, role)) return sendProblem(reply, 403, 'not_allowed');
    request.operator = live.operator;
    request.session = { id: live.id, endsAt: live.endsAt };
    open.set(reply, live.id);
  });
  app.addHook('onResponse', async (_request, reply) => {
    open.delete(reply);
  });
  const timer = setInterval(() => void endOver(open, pool), RECHECK_MS).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

/** Cuts the answers of sessions that have ended, such as exports. */
async function endOver(open: ReadonlyMap<FastifyReply, string>, pool: Queryable): Promise<void> {
  for (const [sessionId, answers] of Map.groupBy(open, ([, id]) => id)) {
    // While the database does not answer, the next round decides.
    if (await isLive(pool, sessionId).catch(() => true)) continue;
    for (const [reply] of answers) reply.raw.destroy();
  }
}
