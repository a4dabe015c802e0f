/** What happens to every request before a route runs: its head is checked, and answers get their headers. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { sendProblem, sendSocketProblem } from './problem.ts';

const PROTOCOLS: readonly string[] = ['http', 'https'];

/** Counts the header fields of a name. Node's `headers` keeps only the first `Host`. */
function countFields({ rawHeaders }: IncomingMessage, name: string): number {
  return rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === name).length;
}

/** Returns whether an HTTP/1.1 request has an `Expect` other than "100-continue" (RFC 9110, 10.1.1). */
function hasUnknownExpectation({
  headers: { expect = '' },
  httpVersion,
}: IncomingMessage): boolean {
  return httpVersion === '1.1' && expect !== '' && !/\b100-continue\b/i.test(expect);
}

/**
 * Answers requests that the routes cannot handle:
 * - 400 for several `Host` headers (RFC 9112, 3.2), since a proxy may have used another one;
 * - 400 for HTTP/1.1 without a `Host` header, which Node would refuse without a reason;
 * - 405 for CONNECT, where Node would close the connection without an answer;
 * - 417 for an unknown `Expect`.
 * Removes an `X-Forwarded-Proto` other than http and https.
 */
export function checkRequestHead(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }, reply) => {
    const hosts = countFields(raw, 'host');
    const isWithoutHost = hosts === 0 && raw.httpVersion === '1.1';
    if (hosts > 1 || isWithoutHost) return sendProblem(reply, 400, 'invalid_request');
    if (hasUnknownExpectation(raw)) return sendProblem(reply, 417, 'invalid_request');
    const { 'x-forwarded-proto': told } = raw.headers;
    if (told === undefined) return;
    const protocol = String(told).split(',').at(-1)?.trim().toLowerCase() ?? '';
    if (PROTOCOLS.includes(protocol)) raw.headers['x-forwarded-proto'] = protocol;
    else delete raw.headers['x-forwarded-proto'];
  });
  // Answered through the app, because a pipelined request has no socket of its own yet.
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    app.server.emit('request', request, response);
  });
  app.server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    sendSocketProblem(socket, 405, { Allow: 'GET, HEAD, POST' });
  });
}

/**
 * Records the methods of every path, so that a wrong method gets 405 with `Allow`; Fastify would answer 404.
 * Call it before adding routes.
 */
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
    const found = routes.filter(({ pattern }) => pattern.test(path));
    return [...new Set(found.flatMap(({ methods }) => methods))].sort();
  });
}

/** How long browsers must use https only. */
const HSTS_SECONDS = 365 * 24 * 60 * 60;

/**
 * Sets the headers of every answer before any route runs; routes may replace them
 * (docs/specification.md#headers).
 *
 * @param transport whether the public address has https, and whether browsers must use it on all subdomains
 */
export function securityHeaders(
  app: FastifyInstance,
  transport: { readonly isHttps: boolean; readonly holdsSubdomains: boolean },
): void {
  const { isHttps, holdsSubdomains } = transport;
  const hsts = `max-age=${HSTS_SECONDS}${holdsSubdomains ? '; includeSubDomains' : ''}`;
  const headers = {
    // Pages replace this policy; other responses need nothing and must not be framed.
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    // Other sites must not learn which page the visitor came from.
    'referrer-policy': 'same-origin',
    ...(isHttps && { 'strict-transport-security': hsts }),
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
  };
  app.addHook('onRequest', (_request, reply, next) => {
    reply.headers(headers);
    next();
  });
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the methods of a path; empty if it is unknown. */
    methodsAt(path: string): readonly string[];
  }
}
