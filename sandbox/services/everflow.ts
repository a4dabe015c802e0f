import * as v from 'valibot';
import { credentials } from '../credentials.ts';
import { act, guarded, matching, reply, type StandIn, takes, uuid } from '../service.ts';

// Refuses every field about the person.
const query = v.strictObject({
  nid: v.literal(credentials.everflowNetworkId),
  transaction_id: matching(/^[\w.-]+$/, 'a transaction id'),
  event_id: v.optional(matching(/^\d+$/, 'digits'), '0'),
  amount: v.optional(matching(/^\d+(\.\d+)?$/, 'dollars'), '0'),
  order_id: uuid,
});
const update = v.strictObject({ conversion_status: v.literal('rejected') });

/** The stand-in for Everflow: postbacks, and updates of conversions. */
export const standIns: readonly StandIn[] = [
  ({ effect, memory }) => {
    const converted = memory<true>();

    /** Answers always as for a new conversion, also to a duplicate and to an unknown click. */
    const count = (name: string, click: string, body: unknown, value = 0) =>
      act(() => {
        converted.set(click, true);
        const detail = { name, value };
        const isNew = effect({ service: 'everflow', keys: [`${name} ${click}`], detail });
        return { status: 200, body, effect: isNew };
      }, click);

    const postback = takes('query', query, ({ transaction_id: click, event_id: name, amount }) =>
      count(name, click, 'success=true;', Number(amount)),
    );
    const change = takes('json', update, ({ conversion_status }, { params: { click = '' } }) =>
      converted.has(click)
        ? count(conversion_status, click, { result: true })
        : reply({ Error: 'conversion not found' }, 404),
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
        'PATCH /everflow/v1/networks/reporting/conversions/:click': guarded(
          { 'x-eflow-api-key': credentials.everflowApiKey },
          { status: 401, body: { Error: 'Unauthorized' } },
          change,
        ),
      },
    };
  },
];
