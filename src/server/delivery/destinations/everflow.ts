/** Tells Everflow which clicks were sold and which came back (docs/accounts/everflow.md). */
import * as v from 'valibot';
import { readJson } from '../../platform/outgoing-answer.ts';
import { address, addressOf, optional, optionalText, secretText } from '../../platform/variable.ts';
import {
  type Conversion,
  conversionNames,
  defineAdPlatform,
  readSaid,
  withReturns,
} from './conversion.ts';
import type { ValuesOf } from './destination.ts';
import { notSent, readStatus } from './http-send.ts';

const variables = {
  EVERFLOW_POSTBACK_URL: optional(
    v.pipe(address, v.excludes('?', 'which has parameters')),
    'the http or https address of the postback, before "?"',
  ),
  EVERFLOW_NETWORK_ID: optionalText(/^\d{1,12}$/, 'the network id (nid), up to 12 digits'),
  EVERFLOW_API_KEY: secretText(/^[\x21-\x7e]{8,200}$/, 'the API key of the network'),
  EVERFLOW_EVENTS: conversionNames('lead.sold=0'),
  EVERFLOW_API_URL: addressOf('the API with its version', 'https://api.eflow.team/v1'),
};

/** Builds a postback's query or a rejection. */
function payloadV1(
  { type, id, name, clickIds: { ef_transaction_id = '' }, value }: Conversion,
  { EVERFLOW_NETWORK_ID }: ValuesOf<typeof variables>,
): string {
  if (type === 'lead.returned') return JSON.stringify({ conversion_status: 'rejected' });
  return new URLSearchParams({
    nid: EVERFLOW_NETWORK_ID,
    transaction_id: ef_transaction_id,
    // 0 is the base conversion.
    ...(name !== '0' && { event_id: name }),
    ...(value !== null && { amount: String(value) }),
    order_id: id,
  }).toString();
}

/** The ad platform `everflow` gets events about leads with a transaction id. */
export const everflow = defineAdPlatform({
  name: 'everflow',
  title: 'Everflow',
  variables,
  needs: ['EVERFLOW_POSTBACK_URL', 'EVERFLOW_NETWORK_ID'],
  clickIds: ['ef_transaction_id'],
  names: ({ EVERFLOW_EVENTS: names, EVERFLOW_API_KEY }) =>
    EVERFLOW_API_KEY ? withReturns(names) : names,
  maxAgeDays: 90,
  payloads: { 1: payloadV1 },
  call(values, conversion, { body, request: { event } }) {
    if (conversion.type !== 'lead.returned') {
      return { method: 'GET', url: `${values.EVERFLOW_POSTBACK_URL}?${body}` };
    }
    if (event && 'is_kept' in event && event.is_kept) {
      return notSent('Another buyer keeps the lead', 'rejected');
    }
    // Rejects the click's conversion, so that the affiliate is not paid.
    const id = conversion.clickIds.ef_transaction_id;
    return {
      method: 'PATCH',
      url: `${values.EVERFLOW_API_URL}/networks/reporting/conversions/${id}`,
      headers: { 'x-eflow-api-key': values.EVERFLOW_API_KEY },
      read(answer, { secrets }) {
        const result = readJson(v.object({ result: v.boolean() }))(answer)?.result;
        const outcome = result ? 'delivered' : 'rejected';
        const said = { code: 0, text: 'no conversion was rejected', outcome } as const;
        const about = { secrets, accountSettings: ['EVERFLOW_API_KEY'] };
        return readSaid(answer, result === undefined ? undefined : said, about);
      },
    };
  },
  // Everflow answers 200 to a postback also if it will count nothing.
  read: readStatus,
});
