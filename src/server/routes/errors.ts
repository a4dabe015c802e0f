import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { ProblemReason } from '../../contract/problem.ts';
import { OverLimitError, StoreUnavailableError } from '../base/errors.ts';
import { sendProblem } from './problem.ts';

/** Returns the status and reason of an error; 500 for an unexpected one. */
export function refusalOf(error: Partial<FastifyError>): { status: number; reason: ProblemReason } {
  if (error instanceof StoreUnavailableError) return { status: 503, reason: 'unavailable' };
  if (error instanceof OverLimitError) return { status: 429, reason: error.reason };
  if (error.code === 'FST_UNDER_PRESSURE') return { status: 503, reason: 'unavailable' };
  if (error.validation !== undefined) return { status: 400, reason: invalidReason(error) };
  switch (error.statusCode) {
    case 400:
      return {
        status: 400,
        reason:
          error instanceof SyntaxError || error.code?.includes('JSON')
            ? 'not_json'
            : 'invalid_request',
      };
    case 403:
      return { status: 403, reason: 'foreign_page' };
    case 404:
      return { status: 404, reason: 'not_found' };
    case 413:
      return { status: 413, reason: 'too_large' };
    case 415:
      return { status: 415, reason: 'unsupported_media_type' };
    case 429:
      return { status: 429, reason: 'too_many_requests' };
    case 503:
      return { status: 503, reason: 'unavailable' };
    default: {
      const status = error.statusCode ?? 500;
      return status >= 400 && status < 500
        ? { status, reason: 'invalid_request' }
        : { status: 500, reason: 'internal' };
    }
  }
}

function invalidReason(error: Partial<FastifyError>): ProblemReason {
  if (error.validationContext !== 'body') return 'invalid_request';
  const first = error.validation?.[0];
  if (first?.instancePath === '' && first.keyword === 'type') return 'not_an_object';
  const isLeadId =
    first?.instancePath.endsWith('/lead_id') || first?.params.missingProperty === 'lead_id';
  return isLeadId ? 'no_lead_id' : 'invalid_request';
}

/** Returns the status and reason of an error. Logs our own faults; sets Retry-After for exceeded limits. */
export function toldRefusal(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): { status: number; reason: ProblemReason } {
  const { status, reason } = refusalOf(error as Partial<FastifyError>);
  if (status === 500) request.log.error({ err: error }, 'A request failed');
  else if (status === 503) request.log.warn({ err: error }, 'A request must be retried later');
  if (error instanceof OverLimitError) reply.header('retry-after', error.retryAfterSeconds);
  return { status, reason };
}

/** The error handler: answers every error with problem+json. */
export function handleError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status, reason } = toldRefusal(error, request, reply);
  return sendProblem(reply, status, reason);
}
