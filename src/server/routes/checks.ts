import type { FastifyPluginAsync } from 'fastify';
import { checkEmailPath, checkPhonePath, checkTextPath } from '../../contract/checks.ts';
import { problemResponses } from './problem.ts';
import { leadIdSchema } from './schemas.ts';
import type { UseCases } from './use-cases.ts';
import { leadOf, visitorOf } from './visitor.ts';

const yesNo = { type: 'string', enum: ['yes', 'no'] } as const;

function body(required: readonly string[], properties: Record<string, object>) {
  return { type: 'object', required, properties, additionalProperties: true };
}

function answer(properties: Record<string, object>) {
  return {
    200: { type: 'object', required: Object.keys(properties), properties },
    ...problemResponses,
  };
}

/** `POST /api/check/phone|email|text` (docs/specification.md#calls-of-the-page). */
export const checkRoutes: FastifyPluginAsync<
  Pick<UseCases, 'checkPhone' | 'checkEmail' | 'checkText'> & { checksPerAddressPerMinute: number }
> = async (app, { checkPhone, checkEmail, checkText, checksPerAddressPerMinute }) => {
  const config = { rateLimit: { max: checksPerAddressPerMinute, timeWindow: 60_000 } };

  app.post<{ Body: { phone: string; survey?: string; lead_id?: string } }>(
    checkPhonePath,
    {
      config,
      schema: {
        body: body(['phone'], {
          phone: { type: 'string', maxLength: 40 },
          survey: { type: 'string', maxLength: 100 },
          lead_id: leadIdSchema,
        }),
        response: {
          200: {
            type: 'object',
            required: ['valid', 'active'],
            properties: {
              valid: { type: 'boolean' },
              active: { type: 'boolean' },
              forced: { type: 'boolean' },
            },
          },
          ...problemResponses,
        },
      },
    },
    (request) => {
      const { phone, survey = '', lead_id } = request.body;
      return checkPhone(phone, survey, leadOf(request, lead_id), visitorOf(request));
    },
  );

  app.post<{ Body: { email: string; lead_id: string } }>(
    checkEmailPath,
    {
      config,
      schema: {
        body: body(['email', 'lead_id'], {
          email: { type: 'string', maxLength: 500 },
          lead_id: leadIdSchema,
        }),
        response: answer({ blocked: { type: 'boolean' } }),
      },
    },
    (request) => checkEmail(request.body.email, request.body.lead_id, visitorOf(request)),
  );

  app.post<{ Body: { text: string; lead_id?: string } }>(
    checkTextPath,
    {
      config,
      schema: {
        body: body(['text'], {
          text: { type: 'string', maxLength: 20_000 },
          lead_id: leadIdSchema,
        }),
        response: answer({ is_gibberish: yesNo, bad_words: yesNo }),
      },
    },
    (request) => checkText(request.body.text, leadOf(request, request.body.lead_id)),
  );
};
