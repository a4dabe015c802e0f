import * as v from 'valibot';
import { type Exchange, guarded, matching, reply, type StandIn, takes, uuid } from '../service.ts';

const account = { EVERFLOW_NETWORK_ID: '1', EVERFLOW_API_KEY: 'sandbox-everflow-key' };

// Refuses every field about the person.
const query = v.strictObject({
  nid: v.literal(account.EVERFLOW_NETWORK_ID),
  transaction_id: matching(/^[\w.-]+$/, 'a transaction id'),
  event_id: v.optional(matching(/^\d+$/, 'digits'), '0'),
  amount: v.optional(matching(/^\d+(\.\d+)?$/, 'dollars'), '0'),
  order_id: uuid,
});
const update = v.strictObject({ conversion_status: v.literal('rejected') });

const converted = ({ memory }: Exchange) => memory<true>('clicks with a conversion');

/** Answers a duplicate or an unknown click like a new conversion. */
const postback = takes('query', query, (sent, exchange) => {
  const { transaction_id: click, event_id: name, amount } = sent;
  converted(exchange).set(click, true);
  exchange.effect({ keys: [`${name} ${click}`], detail: { name, value: Number(amount) } });
  return reply('success=true;', click);
});
const change = takes('json', update, ({ conversion_status: name }, exchange) => {
  const { click = '' } = exchange.params;
  if (!converted(exchange).has(click)) {
    return { status: 404, body: { Error: 'conversion not found' } };
  }
  exchange.effect({ keys: [`${name} ${click}`], detail: { name, value: 0 } });
  return reply({ result: true }, click);
});

/** The stand-in for Everflow: postbacks, and updates of conversions. */
export const standIns: readonly StandIn[] = [
  {
    name: 'everflow',
    settings: (url) => ({
      ...account,
      EVERFLOW_POSTBACK_URL: `${url}/everflow/postback`,
      EVERFLOW_API_URL: `${url}/everflow/v1`,
    }),
    routes: {
      'GET /everflow/postback': postback,
      'PATCH /everflow/v1/networks/reporting/conversions/:click': guarded(
        { 'x-eflow-api-key': account.EVERFLOW_API_KEY },
        { status: 401, body: { Error: 'Unauthorized' } },
        change,
      ),
    },
  },
];
