/** Judges the head of a request before any route does: what Node takes and the routes cannot use. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { sendProblem, sendSocketProblem } from './problem.ts';

const PROTOCOLS: readonly string[] = ['http', 'https'];

/** Counts the fields of a name in a head as it came. Node keeps the first `Host` and drops the others. */
function countFields({ rawHeaders }: IncomingMessage, name: string): number {
  return rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === name).length;
}

/** Returns whether a request of HTTP/1.1 expects something other than "100-continue" (RFC 9110, 10.1.1). */
function hasUnknownExpectation({
  headers: { expect = '' },
  httpVersion,
}: IncomingMessage): boolean {
  return httpVersion === '1.1' && expect !== '' && !/\b100-continue\b/i.test(expect);
}

/**
 * Refuses a second `Host` header with 400 (RFC 9112, 3.2): a proxy in front may have gone by the other one. So
 * it does a request of HTTP/1.1 without any, which Node would refuse without saying why.
 * Leaves out an `X-Forwarded-Proto` other than http and https, whoever sent it: the connection's own counts.
 * Answers CONNECT with 405, where Node would close the connection without a word, and an `Expect` that is not
 * "100-continue" with 417.
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
  // A pipelined request has no socket yet, so the answer goes through the app, which waits for its turn.
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    app.server.emit('request', request, response);
  });
  app.server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    sendSocketProblem(socket, 405, { Allow: 'GET, HEAD, POST' });
  });
}
