import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { postLeadPath } from '../../contract/lead.ts';
import { OverLimitError } from '../base/errors.ts';
import { handleError, refusalOf } from './errors.ts';
import { problemResponses, sendProblem } from './problem.ts';
import { leadIdSchema } from './schemas.ts';
import type { UseCases } from './use-cases.ts';
import { visitorOf } from './visitor.ts';

/** Bodies that are no lead, of one address in one minute; more get 429. A lead never does. */
const NON_LEADS_PER_MINUTE = 60;

const schema = {
  body: {
    type: 'object',
    required: ['lead_id'],
    properties: { lead_id: leadIdSchema },
    additionalProperties: true,
  },
  response: {
    200: {
      type: 'object',
      required: ['lead_id', 'revision', 'qualified', 'dq_reason'],
      properties: {
        lead_id: { type: 'string' },
        revision: { type: 'integer' },
        qualified: { type: 'string' },
        dq_reason: { type: 'string' },
      },
    },
    ...problemResponses,
  },
} as const;

/**
 * `POST /post-lead` (docs/specification.md#post-lead): 200 only after the lead is on disk. What is no
 * lead is refused with 400, 413 or 415, and with 429 when an address keeps sending such. A lead is
 * never refused for its content or its number: it is stored, and marked or held. Only what is beyond
 * the limits of one lead (revisions, claims, unknown fields) or of the bytes of its address is put off with
 * 429 and Retry-After.
 */
export const postLeadRoute: FastifyPluginAsync<{ acceptLead: UseCases['acceptLead'] }> = async (
  app,
  { acceptLead },
) => {
  const countNonLead = app.createRateLimit({ max: NON_LEADS_PER_MINUTE, timeWindow: 60_000 });

  app.post(
    postLeadPath,
    {
      schema,
      errorHandler: async (error, request, reply) => {
        const { status } = refusalOf(error);
        const isLead = error instanceof OverLimitError;
        if (isLead || status >= 500) return handleError(error, request, reply);
        const count = await countNonLead(request);
        if (!count.isAllowed && count.isExceeded) {
          reply.header('retry-after', count.ttlInSeconds);
          return sendProblem(reply, 429, 'too_many_requests');
        }
        return handleError(error, request, reply);
      },
    },
    (request: FastifyRequest) =>
      acceptLead(request.body as Record<string, unknown>, visitorOf(request)),
  );
};
