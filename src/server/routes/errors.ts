import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { ProblemReason } from '../../contract/problem.ts';
import { OverLimitError, StoreUnavailableError } from '../base/errors.ts';
import { sendProblem } from './problem.ts';

/** The reasons of errors that have only a status. */
const reasons: Readonly<Record<number, ProblemReason>> = {
  403: 'foreign_page',
  404: 'not_found',
  413: 'too_large',
  415: 'unsupported_media_type',
  429: 'too_many_requests',
  503: 'unavailable',
};

/** Returns the status and reason of an error; 500 for an unexpected one. */
export function refusalOf(error: Partial<FastifyError>): { status: number; reason: ProblemReason } {
  if (error instanceof StoreUnavailableError) return { status: 503, reason: 'unavailable' };
  if (error instanceof OverLimitError) return { status: 429, reason: error.reason };
  if (error.validation !== undefined) return { status: 400, reason: invalidReason(error) };
  const { statusCode: status = 500 } = error;
  const known = reasons[status];
  if (known !== undefined) return { status, reason: known };
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

/** Answers every error with problem+json. */
export function handleError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status, reason } = toldRefusal(error, request, reply);
  return sendProblem(reply, status, reason);
}
