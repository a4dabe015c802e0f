import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';

/** The headers that helmet gives to an answer: the same for all of them, so asked once. */
function headersOf(isHttps: boolean): OutgoingHttpHeaders {
  const request = new IncomingMessage(new Socket());
  const answer = new ServerResponse(request);
  const give = helmet({
    // A page brings its own policy; what is no page needs nothing and is never framed.
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // No other site gets to know which page the visitor came from.
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    frameguard: { action: 'deny' },
  });
  give(request, answer, (error) => {
    if (error) throw error;
  });
  return answer.getHeaders();
}

/**
 * Sets helmet's headers before any route runs; a route may say otherwise. They are made once and not for every
 * request, where they were 4 % of what a post costs (docs/decisions/0016-one-ledger.md).
 *
 * @param isHttps the site's public address has https: browsers are held to it
 */
export function securityHeaders(app: FastifyInstance, isHttps: boolean): void {
  const headers = headersOf(isHttps);
  app.addHook('onRequest', (_request, reply, next) => {
    reply.headers(headers);
    next();
  });
}
