import type { FastifyPluginAsync } from 'fastify';
import { type PhoneCodeBody, phoneCodePath, phoneCodeStatuses } from '../../contract/phone-code.ts';
import { problemResponses } from './problem.ts';
import { leadIdSchema } from './schemas.ts';
import type { UseCases } from './use-cases.ts';
import { visitorOf } from './visitor.ts';

const schema = {
  body: {
    type: 'object',
    required: ['lead_id', 'survey', 'twilio'],
    properties: {
      lead_id: leadIdSchema,
      survey: { type: 'string', maxLength: 100 },
      twilio: {
        type: 'object',
        required: ['phone'],
        // `sent_status` is ignored: our own record says what was sent.
        properties: {
          phone: { type: 'string', maxLength: 40 },
          code: { type: 'string', maxLength: 20 },
        },
        additionalProperties: true,
      },
    },
    additionalProperties: true,
  },
  response: {
    200: {
      type: 'object',
      required: ['status', 'sent'],
      properties: {
        status: { type: 'string', enum: phoneCodeStatuses },
        sent: { type: 'boolean' },
      },
    },
    ...problemResponses,
  },
} as const;

/** `POST /two-step-verification/code`: sends a code by SMS, or checks one. */
export const phoneCodeRoute: FastifyPluginAsync<
  Pick<UseCases, 'verifyPhone'> & { checksPerAddressPerMinute: number }
> = async (app, { verifyPhone, checksPerAddressPerMinute }) => {
  app.post<{ Body: PhoneCodeBody }>(
    phoneCodePath,
    { schema, config: { rateLimit: { max: checksPerAddressPerMinute, timeWindow: 60_000 } } },
    (request) => {
      const { lead_id: leadId, survey, twilio } = request.body;
      const { phone, code = '' } = twilio;
      return verifyPhone({ leadId, survey, phone, code: code.trim() }, visitorOf(request));
    },
  );
};
