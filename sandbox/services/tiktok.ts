import * as v from 'valibot';
import { credentials } from '../credentials.ts';
import {
  type Answer,
  act,
  filledText,
  matching,
  refuse,
  reply,
  type StandIn,
  takes,
} from '../service.ts';

// Refuses every field about the person or the page.
const schema = v.strictObject({
  event_source: v.literal('web'),
  event_source_id: v.literal(credentials.tiktokPixelId),
  test_event_code: v.optional(filledText),
  data: v.pipe(
    v.array(
      v.strictObject({
        event: matching(/^[\w ]{1,40}$/, 'a neutral name'),
        event_time: v.pipe(v.number(), v.integer()),
        event_id: v.pipe(v.string(), v.uuid('expected a UUID')),
        user: v.strictObject({ ttclid: matching(/^[\w.-]+$/, 'a click id') }),
        properties: v.optional(v.strictObject({ value: v.number(), currency: v.literal('USD') })),
        limited_data_use: v.optional(v.boolean()),
      }),
    ),
    v.length(1),
  ),
});

/** TikTok answers errors with HTTP 200 too. */
const failed = (code: number, message: string): Answer => ({
  status: 200,
  body: { code, message, request_id: '2026', data: {} },
});

/** The stand-in for TikTok's Events API. It refuses a click id that begins with "poison". */
export const standIns: readonly StandIn[] = [
  ({ effect }) => {
    const receive = takes(
      'json',
      schema,
      ({ data: [sent] }) => {
        const { event, event_id: id, user, properties } = sent!;
        if (user.ttclid.startsWith('poison')) return reply(failed(40_002, 'Invalid ttclid').body);
        return act(() => {
          const detail = { name: event, value: properties?.value ?? '' };
          const isNew = effect({ service: 'tiktok', keys: [`${event} ${id}`], detail });
          return { ...failed(0, 'OK'), effect: isNew };
        }, `${event} ${id}`);
      },
      (errors) => failed(40_002, errors.join('; ')),
    );

    return {
      name: 'tiktok',
      settings: (url) => ({
        TIKTOK_URL: `${url}/open_api/v1.3`,
        TIKTOK_PIXEL_ID: credentials.tiktokPixelId,
        TIKTOK_ACCESS_TOKEN: credentials.tiktokAccessToken,
      }),
      secretHeaders: ['access-token'],
      failureBodies: {
        '429': failed(40_100, 'Requests made too frequently').body,
        credentials: failed(40_105, 'Access token is incorrect or has been revoked').body,
        account_closed: failed(40_001, 'No permission to operate the pixel').body,
        // An error that passes, inside an HTTP 200.
        cap_reached: failed(50_000, 'System error').body,
      },
      routes: {
        'POST /open_api/v1.3/event/track/'(exchange) {
          return exchange.headers['access-token'] === credentials.tiktokAccessToken
            ? receive(exchange)
            : refuse('access-token: wrong', failed(40_105, 'Access token is incorrect'));
        },
      },
    };
  },
];
