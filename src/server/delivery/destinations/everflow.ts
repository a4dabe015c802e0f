/** Tells Everflow which clicks were sold and which came back (docs/accounts/everflow.md). */
import * as v from 'valibot';
import { readJson } from '../../platform/outgoing-answer.ts';
import {
  address,
  addressOf,
  optional,
  optionalSecret,
  textLike,
  wholeNumber,
} from '../../platform/variable.ts';
import {
  type Conversion,
  conversionNames,
  conversionTypes,
  defineAdPlatform,
  readSaid,
} from './conversion.ts';
import type { ValuesOf } from './destination.ts';
import { type HttpSend, readStatus } from './http-send.ts';

const variables = {
  EVERFLOW_POSTBACK_URL: optional(
    v.pipe(
      address,
      v.check((url) => new URL(url).search === '', 'which has parameters'),
    ),
    'the http or https address of the postback, before "?"',
  ),
  EVERFLOW_NETWORK_ID: optional(textLike(/^\d{1,12}$/), 'the network id (nid), up to 12 digits'),
  EVERFLOW_API_KEY: optionalSecret(textLike(/^[\x21-\x7e]{8,200}$/), 'the API key of the network'),
  EVERFLOW_EVENTS: conversionNames('lead.sold=0,lead.returned=rejected', {
    types: conversionTypes,
  }),
  EVERFLOW_API_URL: addressOf('the API with its version', 'https://api.eflow.team/v1'),
  EVERFLOW_TIMEOUT_MS: wholeNumber(100, 60_000, 10_000, ' of milliseconds'),
};

type Values = ValuesOf<typeof variables>;

/** Builds a postback's query or a rejection. */
function payloadV1(
  { type, id, name, clickIds: { ef_transaction_id = '' }, value }: Conversion,
  { EVERFLOW_NETWORK_ID }: Values,
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

/** A `PATCH` that rejects the click's conversion, so that the affiliate is not paid. */
function rejection(values: Values, { clickIds }: Conversion, body: string): HttpSend {
  const { EVERFLOW_API_KEY: secret } = values;
  return {
    method: 'PATCH',
    url: `${values.EVERFLOW_API_URL}/networks/reporting/conversions/${clickIds.ef_transaction_id}`,
    headers: { 'content-type': 'application/json', 'x-eflow-api-key': secret },
    body,
    timeoutMs: values.EVERFLOW_TIMEOUT_MS,
    read(answer) {
      const result = readJson(v.object({ result: v.boolean() }))(answer)?.result;
      const means = result ? 'taken' : 'refused';
      const said = { code: 0, text: 'no conversion was rejected', means } as const;
      const about = { secret, settings: ['EVERFLOW_API_KEY'] };
      return readSaid(answer, result === undefined ? undefined : said, about);
    },
  };
}

/** The ad platform `everflow` gets events about leads with a transaction id. */
export const everflow = defineAdPlatform({
  name: 'everflow',
  title: 'Everflow',
  variables,
  needs: ['EVERFLOW_POSTBACK_URL', 'EVERFLOW_NETWORK_ID'],
  clickIds: ['ef_transaction_id'],
  names({ EVERFLOW_EVENTS: { 'lead.returned': returned, ...names }, EVERFLOW_API_KEY }) {
    return EVERFLOW_API_KEY && returned ? { ...names, 'lead.returned': returned } : names;
  },
  maxAgeDays: 90,
  payloads: { 1: payloadV1 },
  call(values, { body, conversion }) {
    if (conversion.type === 'lead.returned') return rejection(values, conversion, body);
    return {
      method: 'GET',
      url: `${values.EVERFLOW_POSTBACK_URL}?${body}`,
      body,
      timeoutMs: values.EVERFLOW_TIMEOUT_MS,
      // Everflow answers 200 also if it will count nothing.
      read: (answer) => readStatus(answer, { accountSettings: ['EVERFLOW_POSTBACK_URL'] }),
    };
  },
});
