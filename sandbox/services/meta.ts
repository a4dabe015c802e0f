import * as v from 'valibot';
import { filledText, guarded, matching, reply, type StandIn, takes, uuid } from '../service.ts';

const account = {
  META_DATASET_ID: '100000000000001',
  META_ACCESS_TOKEN: 'sandbox-meta-access-token',
};

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

const receive = takes(
  'json',
  schema,
  ({ data: [sent] }, { effect }) => {
    const { event_name: name, event_id: id, user_data, custom_data } = sent;
    if (user_data.fbc.includes('.poison')) {
      return failed(100, 'Invalid parameter', { error_subcode: 2804019 });
    }
    const key = `${name} ${id}`;
    effect({ keys: [key], detail: { name, value: custom_data?.value ?? '' } });
    return reply({ events_received: 1, messages: [], fbtrace_id: 'A1' }, key);
  },
  (errors) => failed(100, errors.join('; ')),
);

/** The stand-in for Meta's Conversions API. It refuses a click id that begins with "poison". */
export const standIns: readonly StandIn[] = [
  {
    name: 'meta',
    settings: (url) => ({ ...account, META_URL: `${url}/graph/v26.0` }),
    failureBodies: {
      '500': failed(2, 'Service temporarily unavailable', { is_transient: true }).body,
      '429': failed(80_004, 'There have been too many calls').body,
      credentials: failed(190, 'Error validating access token').body,
      account_closed: failed(100, 'Object does not exist', { error_subcode: 33 }).body,
      cap_reached: failed(1, 'An unknown error occurred', { is_transient: true }).body,
    },
    routes: {
      [`POST /graph/v26.0/${account.META_DATASET_ID}/events`]: guarded(
        { authorization: `Bearer ${account.META_ACCESS_TOKEN}` },
        failed(190, 'Invalid OAuth access token'),
        receive,
      ),
    },
  },
];
