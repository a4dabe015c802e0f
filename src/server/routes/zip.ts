import type { FastifyPluginAsync } from 'fastify';
import { zipPath } from '../../contract/checks.ts';
import type { UseCases } from '../leads/use-cases.ts';
import { problemResponses } from './problem.ts';

const text = { type: 'string' } as const;

const schema = {
  params: {
    type: 'object',
    required: ['zip'],
    properties: { zip: { type: 'string', maxLength: 20 } },
  },
  response: {
    200: {
      type: 'object',
      required: ['zip', 'city', 'state', 'state_long', 'county'],
      properties: { zip: text, city: text, state: text, state_long: text, county: text },
    },
    ...problemResponses,
  },
} as const;

/** `GET /us/{zip}` (document 1, section 7): empty strings for a zip code that is unknown. */
export const zipRoute: FastifyPluginAsync<{
  lookUpZip: UseCases['lookUpZip'];
  checksPerAddressPerMinute: number;
}> = async (app, { lookUpZip, checksPerAddressPerMinute }) => {
  app.get<{ Params: { zip: string } }>(
    `${zipPath}:zip`,
    {
      schema,
      config: { rateLimit: { max: checksPerAddressPerMinute, timeWindow: 60_000 } },
    },
    async (request, reply) => {
      const answer = lookUpZip(request.params.zip);
      // The answer tells nothing about who asks; it changes with a release of the data.
      reply.header('cache-control', 'public, max-age=86400');
      return answer;
    },
  );
};
