import * as v from 'valibot';
import { filledText, guarded, matching, type StandIn, takes, uuid } from '../service.ts';

const account = {
  TIKTOK_PIXEL_ID: 'CSANDBOX0000000001',
  TIKTOK_ACCESS_TOKEN: 'sandbox-tiktok-access-token',
};

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
  event_source_id: v.literal(account.TIKTOK_PIXEL_ID),
  test_event_code: v.optional(filledText),
  data: v.strictTuple([event]),
});

/** TikTok answers errors with HTTP 200 too. */
const answer = (code: number, message: string) => ({
  status: 200,
  body: { code, message, request_id: '2026', data: {} },
});

const receive = takes(
  'json',
  schema,
  ({ data: [{ event: name, event_id: id, user, properties }] }, { effect }) => {
    if (user.ttclid.startsWith('poison')) return answer(40_002, 'Invalid ttclid');
    const key = `${name} ${id}`;
    effect({ keys: [key], detail: { name, value: properties?.value ?? '' } });
    return { ...answer(0, 'OK'), key };
  },
  (errors) => answer(40_002, errors.join('; ')),
);

/** The stand-in for TikTok's Events API. It refuses a click id that begins with "poison". */
export const standIns: readonly StandIn[] = [
  {
    name: 'tiktok',
    settings: (url) => ({ ...account, TIKTOK_URL: `${url}/open_api/v1.3` }),
    failureBodies: {
      '429': answer(40_100, 'Requests made too frequently').body,
      credentials: answer(40_105, 'Access token is incorrect or has been revoked').body,
      account_closed: answer(40_001, 'No permission to operate the pixel').body,
      // A temporary error inside an HTTP 200.
      cap_reached: answer(50_000, 'System error').body,
    },
    routes: {
      'POST /open_api/v1.3/event/track/': guarded(
        { 'access-token': account.TIKTOK_ACCESS_TOKEN },
        answer(40_105, 'Access token is incorrect'),
        receive,
      ),
    },
  },
];
