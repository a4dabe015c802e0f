import type { FastifyPluginAsync } from 'fastify';
import { buyersPath, mappingPath } from '../../contract/buyers.ts';
import { problemResponses } from './problem.ts';
import { leadIdSchema } from './schemas.ts';
import type { UseCases } from './use-cases.ts';
import { visitorOf } from './visitor.ts';

const yesNo = { type: 'string', enum: ['yes', 'no'] } as const;
const survey = { type: 'string', maxLength: 100 } as const;
const number = { type: 'integer', minimum: 0, maximum: 999_999_999_999 } as const;

const mappingSchema = {
  body: {
    type: 'object',
    required: ['lead_id', 'survey', 'affid', 'oid'],
    properties: { lead_id: leadIdSchema, survey, affid: number, oid: number },
    additionalProperties: true,
  },
  // The answer must not contain the account: its key is secret.
  response: {
    200: { type: 'object', required: ['mapped'], properties: { mapped: { type: 'boolean' } } },
    ...problemResponses,
  },
} as const;

const buyersSchema = {
  body: {
    type: 'object',
    required: ['lead_id', 'survey', 'zip_code'],
    properties: {
      lead_id: leadIdSchema,
      survey,
      zip_code: { type: 'string', pattern: '^\\d{5}$' },
    },
    additionalProperties: true,
  },
  response: {
    200: {
      type: 'object',
      required: ['consent', 'timeout', 'buyers'],
      properties: {
        consent: yesNo,
        timeout: yesNo,
        buyers: {
          type: 'array',
          items: {
            type: 'object',
            required: ['name', 'ids'],
            properties: {
              name: { type: 'string' },
              ids: { type: 'array', items: { type: 'string' } },
            },
          },
        },
      },
    },
    ...problemResponses,
  },
} as const;

/** `POST /api/mapping` and `POST /api/buyers`: the calls of a one-to-one survey while it is answered. */
export const oneToOneRoutes: FastifyPluginAsync<
  Pick<UseCases, 'mapLead' | 'findBuyers'> & { checksPerAddressPerMinute: number }
> = async (app, { mapLead, findBuyers, checksPerAddressPerMinute }) => {
  const config = { rateLimit: { max: checksPerAddressPerMinute, timeWindow: 60_000 } };

  app.post<{ Body: { lead_id: string; survey: string; affid: number; oid: number } }>(
    mappingPath,
    { config, schema: mappingSchema },
    (request) => {
      const { lead_id: leadId, survey, affid, oid } = request.body;
      const { secretSha256 } = visitorOf(request);
      return mapLead({ leadId, secretSha256, survey, affid, oid });
    },
  );

  app.post<{ Body: Record<string, unknown> }>(
    buyersPath,
    { config, schema: buyersSchema },
    (request) => findBuyers(request.body, visitorOf(request)),
  );
};
