import type { FastifyPluginAsync } from 'fastify';
import { prefillPath } from '../../contract/prefill.ts';
import { problemResponses } from './problem.ts';
import type { UseCases } from './use-cases.ts';

const schema = {
  querystring: {
    type: 'object',
    required: ['affid'],
    properties: { affid: { type: 'string', pattern: '^\\d{1,12}$' } },
  },
  response: {
    200: {
      type: 'object',
      required: ['result'],
      properties: { result: { type: 'string', enum: ['yes', 'no'] } },
    },
    ...problemResponses,
  },
} as const;

/** `GET /api/prefill?affid=`: whether this affiliate's visitors get prefilled contact fields. */
export const prefillRoute: FastifyPluginAsync<{
  checkPrefill: UseCases['checkPrefill'];
  checksPerAddressPerMinute: number;
}> = async (app, { checkPrefill, checksPerAddressPerMinute }) => {
  app.get<{ Querystring: { affid: string } }>(
    prefillPath,
    {
      schema,
      config: { rateLimit: { max: checksPerAddressPerMinute, timeWindow: 60_000 } },
    },
    async (request, reply) => {
      const isOn = await checkPrefill(request.query.affid);
      // The service may decide anew for each visitor.
      reply.header('cache-control', 'no-store');
      return { result: isOn ? 'yes' : 'no' };
    },
  );
};
