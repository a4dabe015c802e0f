/** Answers every error of the console with problem+json. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { ProblemReason } from '../../../model/messages/problem.ts';
import { isDataError, isPassingError } from '../../platform/database/database-error.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import { handleError, sendProblem } from '../problem.ts';

const statuses: Readonly<Record<OperatorError['kind'], readonly [number, ProblemReason]>> = {
  refused: [409, 'refused'],
  not_found: [404, 'not_found'],
  usage: [400, 'invalid_request'],
  too_many: [429, 'too_many_requests'],
};

/** Answers with the error's sentence if it was written for people. */
export function handleConsoleError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof OperatorError)
    return sendProblem(reply, ...statuses[error.kind], error.message);
  if (isPassingError(error)) {
    request.log.warn({ err: error }, 'The console could not read the database');
    const detail = 'The database does not answer in time. Try again, or choose a shorter period.';
    return sendProblem(reply, 503, 'unavailable', detail);
  }
  if (isDataError(error)) {
    return sendProblem(reply, 400, 'invalid_request', 'A value of the request cannot be used.');
  }
  // The validator's message names the key and the rule, never the value.
  const { validation, validationContext, message } = error as Partial<FastifyError>;
  if (validation !== undefined && validationContext === 'params') {
    const detail = 'There is nothing at this address. Search for the id, or for its beginning.';
    return sendProblem(reply, 404, 'not_found', detail);
  }
  if (validation !== undefined) return sendProblem(reply, 400, 'invalid_request', message);
  return handleError(error, request, reply);
}
