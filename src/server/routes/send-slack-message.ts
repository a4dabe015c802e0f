import type { FastifyPluginAsync } from 'fastify';
import { type PageAlert, pageAlerts, sendSlackMessagePath } from '../../contract/alerts.ts';
import { problemResponses, sendProblem } from './problem.ts';
import type { UseCases } from './use-cases.ts';

/** Maximum number of messages per address and minute. */
const PER_MINUTE = 5;

/**
 * `POST /send-slack-message`: accepts only a fixed list of texts, and only from our own pages. So it cannot
 * relay other people's words.
 */
export const sendSlackMessageRoute: FastifyPluginAsync<Pick<UseCases, 'tellOfPage'>> = async (
  app,
  { tellOfPage },
) => {
  app.post<{ Body: { text: PageAlert } }>(
    sendSlackMessagePath,
    {
      config: { rateLimit: { max: PER_MINUTE, timeWindow: 60_000 } },
      schema: {
        body: {
          type: 'object',
          required: ['text'],
          properties: { text: { type: 'string', enum: pageAlerts } },
          additionalProperties: false,
        },
        response: { 204: { type: 'null' }, ...problemResponses },
      },
    },
    async (request, reply) => {
      const site = request.headers['sec-fetch-site'];
      if (site !== undefined && site !== 'same-origin') {
        return sendProblem(reply, 403, 'invalid_request');
      }
      tellOfPage(request.body.text);
      return reply.code(204).send();
    },
  );
};
