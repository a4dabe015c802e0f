import type { FastifyPluginAsync } from 'fastify';
import { saveDataPath } from '../../contract/progress.ts';
import type { UseCases } from '../leads/use-cases.ts';
import { problemResponses } from './problem.ts';
import { leadIdSchema } from './schemas.ts';
import { visitorOf } from './visitor.ts';

const schema = {
  body: {
    type: 'object',
    required: ['session', 'data'],
    properties: {
      session: {
        type: 'object',
        required: ['lead_id'],
        properties: { lead_id: leadIdSchema },
        additionalProperties: true,
      },
      // Entries are read one by one by the use case: a bad one does not lose the good ones.
      data: { type: 'array', maxItems: 1000 },
    },
    additionalProperties: true,
  },
  response: {
    200: {
      type: 'object',
      required: ['userBackupStatus', 'userProgressionStatus'],
      properties: {
        userBackupStatus: { type: 'boolean' },
        userProgressionStatus: { type: 'boolean' },
      },
    },
    ...problemResponses,
  },
} as const;

/** `POST /api/save-data` (docs/specification.md#saving-progress): stores the visitor's steps. */
export const saveDataRoute: FastifyPluginAsync<{
  saveProgress: UseCases['saveProgress'];
  savesPerAddressPerMinute: number;
}> = async (app, { saveProgress, savesPerAddressPerMinute }) => {
  app.post(
    saveDataPath,
    {
      schema,
      config: { rateLimit: { max: savesPerAddressPerMinute, timeWindow: 60_000 } },
    },
    (request) => saveProgress(request.body as Record<string, unknown>, visitorOf(request)),
  );
};
