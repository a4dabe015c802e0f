/** Reports conversions to Google Ads by the Data Manager API (docs/accounts/google-ads.md). */
import { importPKCS8, SignJWT } from 'jose';
import * as v from 'valibot';
import type { ClickIdName } from '../../../model/fields/click-ids.ts';
import { readBody, unreadable } from '../../platform/outgoing-answer.ts';
import type { OutgoingAnswer, OutgoingHttp } from '../../platform/outgoing-http.ts';
import {
  address,
  optional,
  optionalSecret,
  text,
  variable,
  wholeNumber,
} from '../../platform/variable.ts';
import { createAccessTokens, prepareAuthorized } from './access-tokens.ts';
import {
  adPlatform,
  type Conversion,
  conversionConnection,
  conversionNames,
  hasClickId,
  typesOf,
  withReturns,
} from './conversion.ts';
import { defineDestination, type SendResult, type ValuesOf } from './destination.ts';
import { failureOf, type HttpSend, readStatus } from './http-send.ts';

const SCOPE = 'https://www.googleapis.com/auth/datamanager';
const clickIds: readonly ClickIdName[] = ['gclid', 'gbraid', 'wbraid'];
/** The longest click-through window of an imported conversion (EXPIRED_EVENT, Google Ads API). */
const WINDOW_DAYS = 90;
/**
 * A conversion can be adjusted for this long (CONVERSION_EXPIRED, Google Ads API v22). The Data
 * Manager API documents no limit of its own.
 */
const RETURN_DAYS = 54;
/** The pause before asking what became of an event (Data Manager API, Diagnostics). */
const RESULT_AFTER_MS = 30 * 60_000;

/** The JSON file of a service account's key, which the Google Cloud console creates. */
const serviceAccountKey = v.pipe(
  text,
  v.parseJson(),
  v.object({
    client_email: v.pipe(v.string(), v.nonEmpty()),
    private_key: v.pipe(v.string(), v.regex(/^-----BEGIN PRIVATE KEY-----\n[\w+/=\n]+-----END/)),
    token_uri: address,
  }),
);

/** A Google Ads customer id, with or without hyphens. */
const customerId = v.pipe(
  text,
  v.transform((id) => id.replaceAll('-', '')),
  v.regex(/^\d{10}$/),
);

const { read: readNames } = conversionNames(['lead.accepted', 'lead.sold', 'lead.signed'], '');

const variables = {
  GOOGLE_ADS_KEY: optionalSecret(
    serviceAccountKey,
    'the JSON of a service account’s key, on one line, with client_email, private_key and token_uri',
  ),
  GOOGLE_ADS_ACCOUNT: optional(customerId, 'a customer id of ten digits ("123-456-7890")'),
  GOOGLE_ADS_CONVERSIONS: optional(
    v.pipe(
      readNames,
      v.check((names) => Object.values(names).every((id) => /^\d+$/.test(id ?? ''))),
    ),
    'events, each with "=" and the id of a conversion action ("lead.sold=1234567890")',
  ),
  GOOGLE_ADS_URL: variable(
    address,
    'the http or https address of the Data Manager API',
    'https://datamanager.googleapis.com',
  ),
  GOOGLE_ADS_TIMEOUT_MS: wholeNumber(100, 60_000, 15_000, ' of milliseconds'),
};

type Values = ValuesOf<typeof variables>;

const payloads = { 1: payloadV1 };

/** Builds the JSON body. Never change a version that was used to send events. */
function payloadV1(
  { id, type, name, at, soldAt, value, clickIds: { gclid, gbraid, wbraid } }: Conversion,
  values: Values,
): string {
  // An event may have only one of the ids.
  const adIdentifiers = gclid ? { gclid } : gbraid ? { gbraid } : { wbraid };
  // The API cannot take a conversion back. A second value for its id restates it.
  const conversionValue = type === 'lead.returned' ? 0 : value;
  const event = {
    // Google refuses an id of digits alone (superdesigndev/treg#151).
    transactionId: id,
    eventTimestamp: (soldAt ?? at).toISOString(),
    // Required, although the reference says optional (googleapis/google-cloud-php#9201).
    eventSource: 'WEB',
    adIdentifiers,
    ...(conversionValue !== null && { currency: 'USD', conversionValue }),
  };
  return JSON.stringify({ destinations: [destinationOf(values, name)], events: [event] });
}

function destinationOf({ GOOGLE_ADS_ACCOUNT: accountId }: Values, productDestinationId: string) {
  return { operatingAccount: { accountType: 'GOOGLE_ADS', accountId }, productDestinationId };
}

/** The destination `google` reports conversions of leads that came from Google's ads. */
export const google = defineDestination({
  ...adPlatform,
  name: 'google',
  title: 'conversions (Google Ads)',
  variables,
  needs: ['GOOGLE_ADS_KEY', 'GOOGLE_ADS_ACCOUNT', 'GOOGLE_ADS_CONVERSIONS'],
  appliesTo: hasClickId(clickIds),
  events: (values) => typesOf(withReturns(values.GOOGLE_ADS_CONVERSIONS)),
  async probe(values, http) {
    const ids = Object.values(values.GOOGLE_ADS_CONVERSIONS);
    const event = {
      transactionId: 'doctor',
      eventTimestamp: new Date().toISOString(),
      eventSource: 'WEB',
      adIdentifiers: { gclid: 'doctor' },
    };
    const destinations = ids.map((id) => destinationOf(values, id));
    const body = JSON.stringify({ destinations, events: [event], validateOnly: true });
    const call = { ...ingestCall(values, body), read: readRefusal };
    const result = await prepareAuthorized(http, tokensOf(values, http), call).send();
    return result.outcome === 'delivered'
      ? { state: 'works', text: 'an invented event was valid (nothing was stored)' }
      : { state: 'wrong', text: failureOf(result) };
  },
  connect(values, http) {
    const tokens = tokensOf(values, http);
    const platform = {
      title: 'Google Ads',
      clickIds,
      names: withReturns(values.GOOGLE_ADS_CONVERSIONS),
      maxAgeDays: WINDOW_DAYS,
      returnDays: RETURN_DAYS,
    };
    return conversionConnection(http, platform, {
      payloads,
      post(payload, conversion, { externalId }) {
        const call = ingestCall(values, payload(conversion, values));
        const ingest = prepareAuthorized(http, tokens, call);
        if (externalId === undefined) return ingest;
        const asked = prepareAuthorized(http, tokens, resultCall(values, externalId, conversion));
        return {
          body: asked.body,
          async send(signal) {
            const result = await asked.send(signal);
            return result.code === LOST_THERE ? ingest.send(signal) : result;
          },
        };
      },
    });
  },
});

/** Creates the access tokens of the service account (RFC 7523). */
function tokensOf(
  { GOOGLE_ADS_KEY: key, GOOGLE_ADS_TIMEOUT_MS: timeoutMs }: Values,
  http: OutgoingHttp,
) {
  return createAccessTokens(http, {
    url: key.token_uri,
    timeoutMs,
    accountSettings: ['GOOGLE_ADS_KEY'],
    form: async () => ({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: await new SignJWT({ scope: SCOPE })
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
        .setIssuer(key.client_email)
        .setAudience(key.token_uri)
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(await importPKCS8(key.private_key, 'RS256')),
    }),
  });
}

function ingestCall(values: Values, body: string): HttpSend {
  return {
    url: `${values.GOOGLE_ADS_URL}/v1/events:ingest`,
    headers: { 'content-type': 'application/json' },
    body,
    timeoutMs: values.GOOGLE_ADS_TIMEOUT_MS,
    read(answer) {
      const result = readRefusal(answer);
      if (result.outcome !== 'delivered') return result;
      const externalId = readBody(v.object({ requestId: v.string() }), answer)?.requestId;
      if (!externalId) return { ...result, outcome: 'unknown', error: unreadable(answer) };
      // Google checks the event only after this answer.
      const message = 'Google Ads has the event and says the result later';
      return { ...result, outcome: 'later', message, externalId, retryAfterMs: RESULT_AFTER_MS };
    },
  };
}

const errorShape = v.object({
  error: v.object({
    details: v.optional(
      v.array(
        v.object({
          reason: v.optional(v.string()),
          fieldViolations: v.optional(
            v.array(v.object({ field: v.optional(v.string()), reason: v.optional(v.string()) })),
          ),
        }),
      ),
      [],
    ),
  }),
});

/** Reasons that refuse our account or the settings, not the event (google.ads.datamanager.v1). */
const ABOUT_THE_ACCOUNT: ReadonlySet<string> = new Set([
  'INVALID_CONVERSION_ACTION_ID',
  'INVALID_CONVERSION_ACTION_TYPE',
  'INVALID_DESTINATION',
  'NOT_ALLOWLISTED',
  'NOT_FOUND',
  'PERMISSION_DENIED',
  'TERMS_AND_CONDITIONS_NOT_SIGNED',
]);
const accountSettings = ['GOOGLE_ADS_KEY', 'GOOGLE_ADS_ACCOUNT', 'GOOGLE_ADS_CONVERSIONS'];

/** Reads an answer by its status. A 400 refuses the event, or the settings. */
function readRefusal(answer: OutgoingAnswer): SendResult {
  const result = readStatus(answer, { accountSettings });
  if (answer.status !== 400 && answer.status !== 403) return result;
  const details = readBody(errorShape, answer)?.error.details ?? [];
  const violations = details.flatMap(({ fieldViolations = [] }) => fieldViolations);
  const reasons = [...violations, ...details].flatMap(({ reason }) => reason ?? []);
  const code = reasons[0];
  const fields = violations.flatMap(({ field }) => field ?? []).join(', ');
  const problem = `HTTP ${answer.status}${code ? `: ${code}` : ''}${fields && ` (${fields})`}`;
  if (answer.status === 403 || reasons.some((reason) => ABOUT_THE_ACCOUNT.has(reason))) {
    const account = { problem: `it refuses our account (${problem})`, settings: accountSettings };
    return { ...result, outcome: 'account', account, code };
  }
  return { ...result, outcome: 'rejected', message: problem, code };
}

/** Google could not process the event by an error of its own, so it is sent again. */
const LOST_THERE = 'INTERNAL_ERROR';
const REASON_PREFIX = /^PROCESSING_ERROR_(?:REASON_)?/;

const resultShape = v.object({
  requestStatusPerDestination: v.tuple([
    v.object({
      requestStatus: v.string(),
      errorInfo: v.optional(
        v.object({ errorCounts: v.optional(v.array(v.object({ reason: v.string() })), []) }),
      ),
    }),
  ]),
});

/** Asks what became of an event. */
function resultCall(values: Values, requestId: string, { type }: Conversion): HttpSend {
  return {
    method: 'GET',
    url: `${values.GOOGLE_ADS_URL}/v1/requestStatus:retrieve?${new URLSearchParams({ requestId })}`,
    body: '',
    timeoutMs: values.GOOGLE_ADS_TIMEOUT_MS,
    read(answer) {
      const result = readStatus(answer, { accountSettings });
      if (result.outcome !== 'delivered') return result;
      const [of] = readBody(resultShape, answer)?.requestStatusPerDestination ?? [];
      if (of === undefined) return { ...result, outcome: 'unknown', error: unreadable(answer) };
      const { requestStatus, errorInfo } = of;
      if (requestStatus === 'SUCCESS') {
        const isReturn = type === 'lead.returned';
        const taken = 'The value is now 0: the API takes back a value, but not a conversion';
        return { ...result, message: isReturn ? taken : 'Google Ads took the event' };
      }
      if (/^(FAIL|PARTIAL)/.test(requestStatus)) {
        const code = (errorInfo?.errorCounts[0]?.reason ?? 'UNSPECIFIED').replace(
          REASON_PREFIX,
          '',
        );
        if (code === LOST_THERE) return { ...result, outcome: 'retry', code, error: code };
        const outcome = /^DUPLICATE_/.test(code) ? 'duplicate' : 'rejected';
        return { ...result, outcome, code, message: `Google Ads refused the event: ${code}` };
      }
      const message = `Google Ads has no result yet (${requestStatus})`;
      return { ...result, outcome: 'later', message, retryAfterMs: RESULT_AFTER_MS };
    },
  };
}
