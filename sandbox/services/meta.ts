import * as v from 'valibot';
import { credentials } from '../credentials.ts';
import { act, filledText, guarded, matching, type StandIn, takes, uuid } from '../service.ts';

// Refuses every field about the person or the page.
const event = v.strictObject({
  event_name: matching(/^[\w ]{1,40}$/, 'a neutral name'),
  event_time: v.pipe(v.number(), v.integer()),
  event_id: uuid,
  action_source: v.literal('system_generated'),
  user_data: v.strictObject({ fbc: matching(/^fb\.1\.\d{13}\.[\w.-]+$/, 'a click id') }),
  custom_data: v.optional(v.strictObject({ value: v.number(), currency: v.literal('USD') })),
});
const schema = v.strictObject({
  data: v.strictTuple([event]),
  test_event_code: v.optional(filledText),
});

const failed = (code: number, message: string, about: Record<string, unknown> = {}) => ({
  status: 400,
  body: { error: { message, type: 'OAuthException', code, fbtrace_id: 'A1', ...about } },
});

/** The stand-in for Meta's Conversions API. It refuses a click id that begins with "poison". */
export const standIns: readonly StandIn[] = [
  ({ effect }) => {
    const receive = takes(
      'json',
      schema,
      ({ data: [sent] }) => {
        const { event_name: name, event_id: id, user_data, custom_data } = sent;
        const key = `${name} ${id}`;
        const detail = { name, value: custom_data?.value ?? '' };
        const count = () => effect({ service: 'meta', keys: [key], detail });
        const refusal =
          /\.poison/.test(user_data.fbc) &&
          failed(100, 'Invalid parameter', { error_subcode: 2804019 });
        const body = { events_received: 1, messages: [], fbtrace_id: 'A1' };
        return act(() => refusal || { status: 200, body, effect: count() }, key);
      },
      (errors) => failed(100, errors.join('; ')),
    );

    return {
      name: 'meta',
      settings: (url) => ({
        META_URL: `${url}/graph/v26.0`,
        META_DATASET_ID: credentials.metaDatasetId,
        META_ACCESS_TOKEN: credentials.metaAccessToken,
      }),
      failureBodies: {
        '500': failed(2, 'Service temporarily unavailable', { is_transient: true }).body,
        '429': failed(80_004, 'There have been too many calls').body,
        credentials: failed(190, 'Error validating access token').body,
        account_closed: failed(100, 'Object does not exist', { error_subcode: 33 }).body,
        cap_reached: failed(1, 'An unknown error occurred', { is_transient: true }).body,
      },
      routes: {
        [`POST /graph/v26.0/${credentials.metaDatasetId}/events`]: guarded(
          { authorization: `Bearer ${credentials.metaAccessToken}` },
          failed(190, 'Invalid OAuth access token'),
          receive,
        ),
      },
    };
  },
];
