import * as v from 'valibot';
import { credentials } from '../credentials.ts';
import { act, filledText, guarded, matching, type StandIn, takes, uuid } from '../service.ts';

// Refuses every field about the person or the page.
const event = v.strictObject({
  event: matching(/^[\w ]{1,40}$/, 'a neutral name'),
  event_time: v.pipe(v.number(), v.integer()),
  event_id: uuid,
  user: v.strictObject({ ttclid: matching(/^[\w.-]+$/, 'a click id') }),
  properties: v.optional(v.strictObject({ value: v.number(), currency: v.literal('USD') })),
});
const schema = v.strictObject({
  event_source: v.literal('web'),
  event_source_id: v.literal(credentials.tiktokPixelId),
  test_event_code: v.optional(filledText),
  data: v.strictTuple([event]),
});

/** TikTok answers errors with HTTP 200 too. */
const answer = (code: number, message: string) => ({
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
        const { event: name, event_id: id, user, properties } = sent;
        const key = `${name} ${id}`;
        const detail = { name, value: properties?.value ?? '' };
        const count = () => effect({ service: 'tiktok', keys: [key], detail });
        const refusal = user.ttclid.startsWith('poison') && answer(40_002, 'Invalid ttclid');
        return act(() => refusal || { ...answer(0, 'OK'), effect: count() }, key);
      },
      (errors) => answer(40_002, errors.join('; ')),
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
        '429': answer(40_100, 'Requests made too frequently').body,
        credentials: answer(40_105, 'Access token is incorrect or has been revoked').body,
        account_closed: answer(40_001, 'No permission to operate the pixel').body,
        // An error that passes, inside an HTTP 200.
        cap_reached: answer(50_000, 'System error').body,
      },
      routes: {
        'POST /open_api/v1.3/event/track/': guarded(
          { 'access-token': credentials.tiktokAccessToken },
          answer(40_105, 'Access token is incorrect'),
          receive,
        ),
      },
    };
  },
];
