import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { type VisitorStateAnswer, visitorStatePath } from '../../contract/visitor-state.ts';
import { askedFields } from '../../domain/asked-fields.ts';
import { problemResponses } from './problem.ts';
import { isThroughProxy } from './visitor-address.ts';

const schema = {
  response: {
    200: {
      type: 'object',
      required: ['state'],
      properties: { state: { type: 'string' } },
    },
    ...problemResponses,
  },
} as const;

/**
 * Returns the state in a trusted proxy's header (`AL` or `US-AL`), or '' if it is missing or unknown. Headers
 * from visitors themselves do not count.
 */
export function stateOf(request: FastifyRequest, header: string): string {
  const given = request.headers[header];
  if (!isThroughProxy(request) || typeof given !== 'string') return '';
  const code = given.trim().toUpperCase().replace(/^US-/, '');
  return askedFields.state.values?.includes(code) ? code : '';
}

/** `GET /api/state`; `header` is the name of the proxy's header, in lower case. */
export const visitorStateRoute: FastifyPluginAsync<{
  header: string;
  checksPerAddressPerMinute: number;
}> = async (app, { header, checksPerAddressPerMinute }) => {
  app.get(
    visitorStatePath,
    { schema, config: { rateLimit: { max: checksPerAddressPerMinute, timeWindow: 60_000 } } },
    async (request, reply): Promise<VisitorStateAnswer> => {
      reply.header('cache-control', 'no-store');
      return { state: stateOf(request, header) };
    },
  );
};
