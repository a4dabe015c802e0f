import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { handleError, refusalOf } from './errors.ts';
import { contentSecurityPolicy } from './page-document.ts';
import { RETRY_AFTER_SECONDS } from './problem.ts';

/** It needs nothing else: what it would need may be what failed. */
const html = readFileSync(join(import.meta.dirname, '500.html'), 'utf8');
const policy = contentSecurityPolicy(html);

/**
 * The error handler of the pages: who asked for a page and cannot have it gets a page that says so, and
 * everybody else what `handleError` says.
 */
export function handlePageError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status } = refusalOf(error as Partial<FastifyError>);
  const wantsPage = request.method === 'GET' && request.headers.accept?.includes('text/html');
  if (status < 500 || !wantsPage) return handleError(error, request, reply);
  request.log.error({ err: error }, 'A page could not be sent');
  if (status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS);
  return reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-store',
    })
    .send(html);
}
