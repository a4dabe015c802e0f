import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import {
  type Exchange,
  filledText,
  guarded,
  isoTime,
  matching,
  reply,
  type StandIn,
  takes,
} from '../service.ts';
import { accessTokens } from './oauth.ts';

const account = {
  GOOGLE_ADS_ACCOUNT: '1234567890',
  GOOGLE_ADS_CONVERSIONS: 'lead.accepted=7001,lead.sold=7002,lead.signed=7003',
};
/** A service account that exists only here. */
const serviceAccount = {
  type: 'service_account',
  client_email: 'sandbox@sandbox.iam.gserviceaccount.com',
  private_key: readFileSync(join(import.meta.dirname, '..', 'google-key.pem'), 'utf8'),
};
const clickId = matching(/^[\w.-]{6,}$/, 'a click id');

const event = v.strictObject({
  // Google refuses an id of digits alone.
  transactionId: matching(/^(?!\d+$).{1,64}$/, 'an id that is not a number'),
  eventTimestamp: isoTime,
  eventSource: v.literal('WEB'),
  adIdentifiers: v.union(
    ['gclid', 'gbraid', 'wbraid'].map((id) => v.strictObject({ [id]: clickId })),
    'expected one click id',
  ),
  currency: v.optional(v.literal('USD')),
  conversionValue: v.optional(v.pipe(v.number(), v.minValue(0))),
});

const destination = v.strictObject({
  operatingAccount: v.strictObject({
    accountType: v.literal('GOOGLE_ADS'),
    accountId: v.literal(account.GOOGLE_ADS_ACCOUNT),
  }),
  productDestinationId: matching(/^700[123]$/, 'a conversion action'),
});

const ingestSchema = v.strictObject({
  destinations: v.strictTuple([destination]),
  events: v.strictTuple([event]),
});

const failed = (code: number, reason: string) => ({
  status: code,
  body: { error: { code, status: reason, message: 'sandbox', details: [{ reason }] } },
});

/** Processes an event. Returns `SUCCESS` or the reason of the failure. */
function process(
  { transactionId, adIdentifiers, conversionValue }: v.InferOutput<typeof event>,
  action: string,
  { effect, memory }: Exchange,
): string {
  const flaky = memory<true>('flaky clicks');
  const values = memory<number | undefined>('values of conversions');
  const [click = ''] = Object.values(adIdentifiers);
  // The first event of a click id such as `flaky-1` fails, as if Google had lost the event.
  if (click.startsWith('flaky') && !flaky.get(click)) {
    flaky.set(click, true);
    return 'INTERNAL_ERROR';
  }
  if (click.startsWith('poison')) return 'INVALID_GCLID';
  const key = `${action} ${transactionId}`;
  const isRestated = values.has(key) && values.get(key) !== conversionValue;
  values.set(key, conversionValue);
  const detail = { transactionId, action, value: conversionValue ?? '', click, isRestated };
  effect({ keys: [isRestated ? `${key} restated` : key], detail });
  return 'SUCCESS';
}

const resultsOf = ({ memory }: Exchange) => memory<string>('results of requests');

const ingest = takes(
  'json',
  ingestSchema,
  ({ destinations: [{ productDestinationId }], events: [sent] }, exchange) => {
    const requestId = randomUUID();
    resultsOf(exchange).set(requestId, process(sent, productDestinationId, exchange));
    return reply({ requestId }, sent.transactionId);
  },
  () => failed(400, 'INVALID_ARGUMENT'),
);

const retrieveQuery = v.strictObject({ requestId: filledText });
const retrieve = takes('query', retrieveQuery, ({ requestId }, exchange) => {
  const result = resultsOf(exchange).get(requestId);
  if (result === undefined) return failed(400, 'INVALID_REQUEST_ID');
  const reason = `PROCESSING_ERROR_REASON_${result}`;
  const status =
    result === 'SUCCESS'
      ? { requestStatus: 'SUCCESS' }
      : { requestStatus: 'FAILED', errorInfo: { errorCounts: [{ recordCount: '1', reason }] } };
  return reply({ requestStatusPerDestination: [status] });
});

const token = { authorization: `Bearer ${accessTokens.google}` };
const refusal = failed(401, 'UNAUTHENTICATED');

/** The stand-in for the Data Manager API, which takes conversions and reports the results later. */
export const standIns: readonly StandIn[] = [
  {
    name: 'google',
    settings: (url) => ({
      ...account,
      GOOGLE_ADS_KEY: JSON.stringify({ ...serviceAccount, token_uri: `${url}/oauth/google/token` }),
      GOOGLE_ADS_URL: url,
    }),
    failureBodies: {
      '429': failed(429, 'RESOURCE_EXHAUSTED').body,
      '500': failed(500, 'INTERNAL').body,
    },
    routes: {
      'POST /v1/events::ingest': guarded(token, refusal, ingest),
      'GET /v1/requestStatus::retrieve': guarded(token, refusal, retrieve),
    },
  },
];
