import * as v from 'valibot';
import { credentials } from '../credentials.ts';
import { act, matching, refuse, reply, type StandIn, takes } from '../service.ts';

// Refuses every field about the person.
const query = v.strictObject({
  nid: v.literal(credentials.everflowNetworkId),
  transaction_id: matching(/^[\w.-]+$/, 'a transaction id'),
  event_id: v.optional(matching(/^\d+$/, 'digits')),
  amount: v.optional(matching(/^\d+(\.\d+)?$/, 'dollars')),
  order_id: v.pipe(v.string(), v.uuid('expected a UUID')),
});
const update = v.strictObject({ conversion_status: v.picklist(['approved', 'rejected']) });

/** The stand-in for Everflow: postbacks, and updates of conversions. */
export const standIns: readonly StandIn[] = [
  ({ effect, memory }) => {
    const converted = memory<true>();

    const postback = takes('query', query, ({ transaction_id: click, event_id = '0', amount }) =>
      act(() => {
        converted.set(click, true);
        const detail = { name: event_id, value: Number(amount ?? 0) };
        const isNew = effect({ service: 'everflow', keys: [`${event_id} ${click}`], detail });
        // Everflow answers so to a duplicate and to an unknown click, too.
        return { status: 200, body: 'success=true;', effect: isNew };
      }, click),
    );

    const change = takes(
      'json',
      update,
      ({ conversion_status: name }, { params: { click = '' } }) => {
        if (!converted.has(click)) return reply({ Error: 'conversion not found' }, 404);
        return act(() => {
          const isNew = effect({
            service: 'everflow',
            keys: [`${name} ${click}`],
            detail: { name },
          });
          return { status: 200, body: { result: true }, effect: isNew };
        }, click);
      },
    );

    return {
      name: 'everflow',
      settings: (url) => ({
        EVERFLOW_POSTBACK_URL: `${url}/everflow/postback`,
        EVERFLOW_API_URL: `${url}/everflow/v1`,
        EVERFLOW_NETWORK_ID: credentials.everflowNetworkId,
        EVERFLOW_API_KEY: credentials.everflowApiKey,
      }),
      secretHeaders: ['x-eflow-api-key'],
      routes: {
        'GET /everflow/postback': postback,
        'PATCH /everflow/v1/networks/reporting/conversions/:click'(exchange) {
          return exchange.headers['x-eflow-api-key'] === credentials.everflowApiKey
            ? change(exchange)
            : refuse('x-eflow-api-key: wrong', { status: 401, body: { Error: 'Unauthorized' } });
        },
      },
    };
  },
];
