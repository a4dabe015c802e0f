import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { credentials } from '../credentials.ts';
import { act, filledText, guarded, matching, reply, type StandIn, takes } from '../service.ts';
import { accessTokens } from './oauth.ts';

const { googleAccount, googleConversions, googleServiceAccount, googlePrivateKey } = credentials;
const token = { authorization: `Bearer ${accessTokens.google}` };
const clickId = matching(/^[\w.-]{6,}$/, 'a click id');

const event = v.strictObject({
  // Google refuses an id of digits alone.
  transactionId: matching(/^(?!\d+$).{1,64}$/, 'an id that is not a number'),
  eventTimestamp: v.pipe(v.string(), v.isoTimestamp('expected an ISO time')),
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
    accountId: v.literal(googleAccount),
  }),
  productDestinationId: matching(/^700[123]$/, 'a conversion action'),
});

const ingestSchema = v.strictObject({
  destinations: v.tupleWithRest([destination], destination),
  events: v.strictTuple([event]),
  validateOnly: v.optional(v.boolean()),
});

const failed = (code: number, reason: string) => ({
  status: code,
  body: { error: { code, status: reason, message: 'sandbox', details: [{ reason }] } },
});

/** The stand-in for the Data Manager API, which takes conversions and says the results later. */
export const standIns: readonly StandIn[] = [
  ({ effect, memory }) => {
    /** The results of requests, by request id. */
    const results = memory<string>();
    /** The values of conversions, by conversion action and transaction id. */
    const values = memory<number | undefined>();
    const flaky = memory<true>();

    /** Processes an event. Returns `SUCCESS` or the reason of the failure. */
    function process(
      { transactionId, adIdentifiers, conversionValue }: v.InferOutput<typeof event>,
      action: string,
    ) {
      const [click = ''] = Object.values(adIdentifiers);
      // Google loses the first event of a click id such as `flaky-1` by an error of its own.
      if (click.startsWith('flaky') && !flaky.get(click)) {
        flaky.set(click, true);
        return 'INTERNAL_ERROR';
      }
      if (click.startsWith('poison')) return 'INVALID_GCLID';
      const key = `${action} ${transactionId}`;
      const isRestated = values.has(key) && values.get(key) !== conversionValue;
      values.set(key, conversionValue);
      const detail = { transactionId, action, value: conversionValue ?? '', click, isRestated };
      effect({ service: 'google', keys: [isRestated ? `${key} restated` : key], detail });
      return 'SUCCESS';
    }

    const ingest = takes(
      'json',
      ingestSchema,
      ({ destinations: [{ productDestinationId }], events: [sent], validateOnly }) => {
        if (validateOnly) return reply({});
        return act(() => {
          const requestId = randomUUID();
          const result = process(sent, productDestinationId);
          results.set(requestId, result);
          return { status: 200, body: { requestId }, effect: result === 'SUCCESS' };
        }, sent.transactionId);
      },
      () => failed(400, 'INVALID_ARGUMENT'),
    );

    const retrieve = takes('query', v.strictObject({ requestId: filledText }), ({ requestId }) => {
      const result = results.get(requestId);
      if (result === undefined) return reply(failed(400, 'INVALID_REQUEST_ID').body, 400);
      const isTaken = result === 'SUCCESS';
      const reason = `PROCESSING_ERROR_REASON_${result}`;
      const status = isTaken
        ? { requestStatus: 'SUCCESS' }
        : { requestStatus: 'FAILED', errorInfo: { errorCounts: [{ recordCount: '1', reason }] } };
      return reply({ requestStatusPerDestination: [status] });
    });

    return {
      name: 'google',
      settings: (url) => ({
        GOOGLE_ADS_KEY: JSON.stringify({
          type: 'service_account',
          client_email: googleServiceAccount,
          private_key: googlePrivateKey,
          token_uri: `${url}/oauth/google/token`,
        }),
        GOOGLE_ADS_ACCOUNT: googleAccount,
        GOOGLE_ADS_CONVERSIONS: googleConversions,
        GOOGLE_ADS_URL: url,
      }),
      failureBodies: {
        '429': failed(429, 'RESOURCE_EXHAUSTED').body,
        '500': failed(500, 'INTERNAL').body,
      },
      routes: {
        'POST /v1/events::ingest': guarded(token, failed(401, 'UNAUTHENTICATED'), ingest),
        'GET /v1/requestStatus::retrieve': guarded(token, failed(401, 'UNAUTHENTICATED'), retrieve),
      },
    };
  },
];
