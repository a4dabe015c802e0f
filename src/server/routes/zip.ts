import type { FastifyPluginAsync } from 'fastify';
import { zipPath } from '../../contract/checks.ts';
import { leadIdHeader } from '../../contract/lead.ts';
import { problemResponses } from './problem.ts';
import { leadIdSchema } from './schemas.ts';
import type { UseCases } from './use-cases.ts';
import { leadOf } from './visitor.ts';

const LEAD_ID = new RegExp(leadIdSchema.pattern);

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

/**
 * `GET /us/{zip}` (docs/specification.md#zip-look-up): empty strings for an unknown zip code. The lead is in a
 * header, so that caches can keep one answer for all visitors.
 */
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
      const { [leadIdHeader]: given } = request.headers;
      const isLead = typeof given === 'string' && LEAD_ID.test(given);
      const lead = leadOf(request, isLead ? given : undefined);
      const answer = await lookUpZip(request.params.zip, lead);
      // The answer does not depend on the visitor; it changes with a release of the data.
      reply.header('cache-control', 'public, max-age=86400');
      return answer;
    },
  );
};
