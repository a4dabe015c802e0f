import type { FastifyPluginAsync } from 'fastify';
import { estimatePath } from '../../contract/estimate.ts';
import { problemResponses } from './problem.ts';
import type { UseCases } from './use-cases.ts';

const schema = {
  body: { type: 'object', additionalProperties: true },
  response: {
    200: {
      type: 'object',
      required: ['compLevel'],
      properties: { compLevel: { type: 'integer', minimum: 1, maximum: 7 } },
    },
    ...problemResponses,
  },
} as const;

/** `POST /api/estimate`: returns the compensation level for the given answers. */
export const estimateRoute: FastifyPluginAsync<{
  estimate: UseCases['estimate'];
  checksPerAddressPerMinute: number;
}> = async (app, { estimate, checksPerAddressPerMinute }) => {
  app.post<{ Body: Record<string, unknown> }>(
    estimatePath,
    { schema, config: { rateLimit: { max: checksPerAddressPerMinute, timeWindow: 60_000 } } },
    (request) => estimate(request.body),
  );
};
