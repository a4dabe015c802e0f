import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { postLeadPath } from '../../model/messages/lead.ts';
import { OverLimitError } from '../platform/errors.ts';
import { leadIdSchema, objectOf, perMinuteOf } from './limits.ts';
import { handleError, refusalOf, sendProblem } from './problem.ts';
import type { UseCases } from './use-cases.ts';
import { visitorOf } from './visitor.ts';

/** Maximum number of invalid posts per address and minute; further ones get 429. Valid leads never count. */
const NON_LEADS_PER_MINUTE = 60;

const string = { type: 'string' };
const schema = {
  body: objectOf({ lead_id: leadIdSchema }),
  response: {
    200: objectOf({
      lead_id: string,
      revision: { type: 'integer' },
      qualified: string,
      dq_reason: string,
    }),
  },
};

/**
 * `POST /post-lead` (docs/specification.md#post-lead): answers 200 only after the lead is on disk. Invalid
 * posts get 400, 413 or 415, and 429 if an address keeps sending them. A valid lead is never refused for its
 * content: it is stored, and marked or held. It gets 429 with Retry-After only beyond a lead's limits
 * (revisions, disputed posts, unknown fields) or the address's limit of bytes.
 */
export const postLeadRoute: FastifyPluginAsync<{ acceptLead: UseCases['acceptLead'] }> = async (
  app,
  { acceptLead },
) => {
  const countNonLead = app.createRateLimit(
    perMinuteOf('posts without a lead', NON_LEADS_PER_MINUTE),
  );

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
