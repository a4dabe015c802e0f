/** Checks the head of a request before any route runs, and which methods its path has. */
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

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the methods of a path; empty if it is unknown. */
    methodsAt(path: string): readonly string[];
  }
}
