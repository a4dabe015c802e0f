import type { FastifyPluginAsync } from 'fastify';
import { type Click, clickPath } from '../../contract/click.ts';
import type { ClickTracker } from '../lookups/services.ts';
import { problemResponses } from './problem.ts';
import { visitorOf } from './visitor.ts';

/** Tracking values are ids and campaign names. */
const tracking = { type: 'string', minLength: 1, maxLength: 500 } as const;
const wholeNumber = { type: 'string', pattern: '^\\d{1,12}$' } as const;

const schema = {
  body: {
    type: 'object',
    required: ['offer_id', 'affiliate_id'],
    additionalProperties: false,
    properties: {
      offer_id: wholeNumber,
      affiliate_id: wholeNumber,
      sub1: tracking,
      sub2: tracking,
      sub3: tracking,
      sub4: tracking,
      sub5: tracking,
      uid: tracking,
      source_id: tracking,
      transaction_id: tracking,
    },
  },
  response: {
    200: {
      type: 'object',
      required: ['transaction_id'],
      properties: { transaction_id: { type: 'string', pattern: '^([0-9a-f]{32})?$' } },
    },
    ...problemResponses,
  },
} as const;

/**
 * `POST /api/click`: creates a click at the click tracker and returns its transaction id, or an empty string if
 * there is none. A browser with the opt-out signal (`Sec-GPC`) gets no click.
 */
export const clickRoute: FastifyPluginAsync<{
  trackClick: ClickTracker;
  checksPerAddressPerMinute: number;
}> = async (app, { trackClick, checksPerAddressPerMinute }) => {
  app.post<{ Body: Click }>(
    clickPath,
    { schema, config: { rateLimit: { max: checksPerAddressPerMinute, timeWindow: 60_000 } } },
    async (request) => ({
      transaction_id: visitorOf(request).secGpc ? '' : await trackClick(request.body),
    }),
  );
};
