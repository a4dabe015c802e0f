/** Tells Everflow which clicks were sold and which came back (docs/accounts/everflow.md). */
import * as v from 'valibot';
import { readJson } from '../../platform/outgoing-answer.ts';
import {
  address,
  optional,
  optionalSecret,
  text,
  variable,
  wholeNumber,
} from '../../platform/variable.ts';
import {
  adPlatform,
  type Conversion,
  conversionConnection,
  conversionNames,
  conversionTypes,
  hasClickId,
  readSaid,
  typesOf,
} from './conversion.ts';
import { defineDestination, type ValuesOf } from './destination.ts';
import { type HttpSend, type PayloadVersions, readStatus } from './http-send.ts';

const clickIds = ['ef_transaction_id'] as const;

const variables = {
  EVERFLOW_POSTBACK_URL: optional(
    v.pipe(
      address,
      v.check((url) => new URL(url).search === '', 'which has parameters'),
    ),
    'the http or https address of the postback, before "?"',
  ),
  EVERFLOW_NETWORK_ID: optional(
    v.pipe(text, v.regex(/^\d{1,12}$/)),
    'the network id (nid), up to 12 digits',
  ),
  EVERFLOW_API_KEY: optionalSecret(
    v.pipe(text, v.regex(/^[\x21-\x7e]{8,200}$/)),
    'the API key of the network',
  ),
  EVERFLOW_EVENTS: conversionNames(conversionTypes, 'lead.sold=0,lead.returned=rejected'),
  EVERFLOW_API_URL: variable(
    address,
    'the http or https address of the API with its version',
    'https://api.eflow.team/v1',
  ),
  EVERFLOW_TIMEOUT_MS: wholeNumber(100, 60_000, 10_000, ' of milliseconds'),
};

type Values = ValuesOf<typeof variables>;

const payloads: PayloadVersions<typeof payloadV1> = { 1: payloadV1 };

/** Builds a postback's query or a rejection. Never change a version that was used to send events. */
function payloadV1(
  { type, id, name, clickIds: { ef_transaction_id = '' }, value }: Conversion,
  { EVERFLOW_NETWORK_ID = '' }: Values,
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

/** A `GET` of the postback. Everflow answers 200 also if it will count nothing. */
function postback(values: Values, query: string): HttpSend {
  return {
    method: 'GET',
    url: `${values.EVERFLOW_POSTBACK_URL}?${query}`,
    body: query,
    timeoutMs: values.EVERFLOW_TIMEOUT_MS,
    read: (answer) => readStatus(answer, { accountSettings: ['EVERFLOW_POSTBACK_URL'] }),
  };
}

/** A `PATCH` that rejects the click's conversion, so that the affiliate is not paid. */
function rejection(values: Values, transactionId: string, body: string): HttpSend {
  const { EVERFLOW_API_KEY = '' } = values;
  return {
    method: 'PATCH',
    url: `${values.EVERFLOW_API_URL}/networks/reporting/conversions/${transactionId}`,
    headers: { 'content-type': 'application/json', 'x-eflow-api-key': EVERFLOW_API_KEY },
    body,
    timeoutMs: values.EVERFLOW_TIMEOUT_MS,
    read(answer) {
      const result = readJson(v.object({ result: v.boolean() }))(answer)?.result;
      const means = result ? 'taken' : 'refused';
      const said = { code: 0, text: 'no conversion was rejected', means } as const;
      const about = { secret: EVERFLOW_API_KEY, settings: ['EVERFLOW_API_KEY'] };
      return readSaid(answer, result === undefined ? undefined : said, about);
    },
  };
}

/** The ad platform `everflow` gets events about leads with a transaction id. */
export const everflow = defineDestination({
  ...adPlatform,
  name: 'everflow',
  title: 'conversions (Everflow)',
  variables,
  needs: ['EVERFLOW_POSTBACK_URL', 'EVERFLOW_NETWORK_ID'],
  events: ({ EVERFLOW_EVENTS, EVERFLOW_API_KEY }) =>
    typesOf(EVERFLOW_EVENTS).filter((type) => type !== 'lead.returned' || EVERFLOW_API_KEY),
  appliesTo: hasClickId(clickIds),
  connect: (values, http) =>
    conversionConnection(
      http,
      {
        title: 'Everflow',
        clickIds,
        names: values.EVERFLOW_EVENTS,
        maxAgeDays: 90,
      },
      {
        payloads,
        post(payload, conversion) {
          const body = payload(conversion, values);
          return conversion.type === 'lead.returned'
            ? rejection(values, conversion.clickIds.ef_transaction_id ?? '', body)
            : postback(values, body);
        },
      },
    ),
});
