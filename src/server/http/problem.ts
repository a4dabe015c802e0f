import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Problem, ProblemReason } from '../../model/messages/problem.ts';
import { OverLimitError, StoreUnavailableError } from '../platform/errors.ts';

const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Value of Retry-After in seconds while the server is unavailable or overloaded. */
export const RETRY_AFTER_SECONDS = 2;

/** Answers with problem+json. `detail` explains the reason to people. */
export function sendProblem(
  reply: FastifyReply,
  status: number,
  reason: ProblemReason,
  detail?: string,
): FastifyReply {
  if ((status === 503 || status === 429) && !reply.hasHeader('retry-after')) {
    reply.header('retry-after', RETRY_AFTER_SECONDS);
  }
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type(PROBLEM_TYPE)
    .send(problemText(status, reason, detail));
}

function problemText(status: number, reason: ProblemReason, detail?: string): string {
  const title = STATUS_CODES[status] ?? 'Error';
  const problem: Problem = { type: 'about:blank', title, status, reason, detail };
  return JSON.stringify(problem);
}

/** Answers 503 without Fastify, and closes the connection. */
export function sendUnavailable(response: ServerResponse): void {
  response.writeHead(503, {
    'cache-control': 'no-store',
    connection: 'close',
    'content-type': PROBLEM_TYPE,
    'retry-after': `${RETRY_AFTER_SECONDS}`,
  });
  response.end(problemText(503, 'unavailable'));
}

/** Answers a request that Node could not read because the request is invalid, slow or too large. */
export function sendClientProblem(error: { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const statuses: Readonly<Record<string, number>> = {
    ERR_HTTP_REQUEST_TIMEOUT: 408,
    HPE_HEADER_OVERFLOW: 431,
  };
  sendSocketProblem(socket, statuses[error.code ?? ''] ?? 400);
}

/** Writes an answer to the raw socket and closes the socket. */
export function sendSocketProblem(
  socket: Duplex,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = problemText(status, 'invalid_request');
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.destroy();
}

/** The default reason for each HTTP status, used for errors that name no reason. */
const reasons: Readonly<Record<number, ProblemReason>> = {
  403: 'foreign_page',
  404: 'not_found',
  413: 'too_large',
  415: 'unsupported_media_type',
  429: 'too_many_requests',
  503: 'unavailable',
};

/** Returns the status and reason of an error; 500 for an unexpected error. */
export function refusalOf(error: Partial<FastifyError>): { status: number; reason: ProblemReason } {
  if (error instanceof StoreUnavailableError) return { status: 503, reason: 'unavailable' };
  if (error instanceof OverLimitError) return { status: 429, reason: error.reason };
  if (error.validation !== undefined) return { status: 400, reason: invalidReason(error) };
  const { statusCode: status = 500 } = error;
  const reason = reasons[status];
  if (reason !== undefined) return { status, reason };
  if (status < 400 || status >= 500) return { status: 500, reason: 'internal' };
  const isNotJson =
    status === 400 && (error instanceof SyntaxError || error.code?.includes('JSON') === true);
  return { status, reason: isNotJson ? 'not_json' : 'invalid_request' };
}

function invalidReason(error: Partial<FastifyError>): ProblemReason {
  if (error.validationContext !== 'body') return 'invalid_request';
  const first = error.validation?.[0];
  if (first?.instancePath === '' && first.keyword === 'type') return 'not_an_object';
  const isLeadId =
    first?.instancePath.endsWith('/lead_id') || first?.params.missingProperty === 'lead_id';
  return isLeadId ? 'no_lead_id' : 'invalid_request';
}

/** Logs an error that is the server's fault, sets Retry-After, and returns status and reason. */
export function reportRefusal(error: unknown, reply: FastifyReply) {
  const refusal = refusalOf(error as Partial<FastifyError>);
  const { status } = refusal;
  if (status === 500) reply.log.error({ err: error }, 'A request failed');
  else if (status === 503) reply.log.warn({ err: error }, 'A request must be retried later');
  if (error instanceof OverLimitError) reply.header('retry-after', error.retryAfterSeconds);
  return refusal;
}

/** Answers every error with problem+json. */
export function handleError(
  error: unknown,
  _request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status, reason } = reportRefusal(error, reply);
  return sendProblem(reply, status, reason);
}

/** Returns the URL with its final slash added or removed; undefined if no route has that URL. */
export function otherSlash({ url, method, server }: FastifyRequest): string | undefined {
  const [path = ''] = url.split('?', 1);
  const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
  return server.methodsAt(other).includes(method) ? other + url.slice(path.length) : undefined;
}

/** Answers a request that matches no route (docs/specification.md#rules-of-paths). */
export function sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.split('?', 1)[0] ?? '';
  const canonical = otherSlash(request);
  if (canonical !== undefined) return reply.redirect(canonical, 308);
  const methods = request.server.methodsAt(path);
  if (methods.length > 0 && !methods.includes(request.method)) {
    reply.header('allow', methods.join(', '));
    const detail = `Only ${methods.join(' and ')} can be used at this address.`;
    return sendProblem(reply, 405, 'invalid_request', detail);
  }
  return sendProblem(reply, 404, 'not_found');
}
