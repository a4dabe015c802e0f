/** Reports conversions to Google Ads by the Data Manager API (docs/accounts/google-ads.md). */
import { importPKCS8, SignJWT } from 'jose';
import * as v from 'valibot';
import { readBody, unreadable } from '../../platform/outgoing-answer.ts';
import type { OutgoingAnswer } from '../../platform/outgoing-http.ts';
import { address, addressOf, optional, optionalSecret, text } from '../../platform/variable.ts';
import type { TokenSource } from './access-tokens.ts';
import {
  type Conversion,
  conversionNames,
  defineAdPlatform,
  type ReadWith,
  withReturns,
} from './conversion.ts';
import type { SendResult, ValuesOf } from './destination.ts';
import { readStatus } from './http-send.ts';

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

const variables = {
  GOOGLE_ADS_KEY: optionalSecret(
    serviceAccountKey,
    'the JSON of a service account’s key, on one line, with client_email, private_key and token_uri',
  ),
  GOOGLE_ADS_ACCOUNT: optional(customerId, 'a customer id of ten digits ("123-456-7890")'),
  /** The events, each with the id of a conversion action. */
  GOOGLE_ADS_CONVERSIONS: conversionNames(undefined, /^\d+$/),
  GOOGLE_ADS_URL: addressOf('the Data Manager API', 'https://datamanager.googleapis.com'),
};

type Values = ValuesOf<typeof variables>;

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
  const operatingAccount = { accountType: 'GOOGLE_ADS', accountId: values.GOOGLE_ADS_ACCOUNT };
  const destinations = [{ operatingAccount, productDestinationId: name }];
  return JSON.stringify({ destinations, events: [event] });
}

/** Says where to get the access tokens of the service account (RFC 7523). */
const tokens = ({ GOOGLE_ADS_KEY: key }: Values): TokenSource => ({
  url: key.token_uri,
  accountSettings: ['GOOGLE_ADS_KEY'],
  form: async () => ({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: await new SignJWT({ scope: 'https://www.googleapis.com/auth/datamanager' })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setIssuer(key.client_email)
      .setAudience(key.token_uri)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(await importPKCS8(key.private_key, 'RS256')),
  }),
});

/** Reads the answer to an event, which Google checks only later. */
function readTaken(answer: OutgoingAnswer, about: ReadWith): SendResult {
  const result = readRefusal(answer, about);
  if (result.outcome !== 'delivered') return result;
  const externalId = readBody(v.object({ requestId: v.string() }), answer)?.requestId;
  if (!externalId) return { ...result, outcome: 'unknown', error: unreadable(answer) };
  const message = 'Google Ads has the event and says the result later';
  return { ...result, outcome: 'later', message, externalId, retryAfterMs: RESULT_AFTER_MS };
}

const violation = v.object({ field: v.optional(v.string()), reason: v.optional(v.string()) });
const detail = v.object({
  reason: v.optional(v.string()),
  fieldViolations: v.optional(v.array(violation), []),
});
const errorShape = v.object({ error: v.object({ details: v.optional(v.array(detail), []) }) });

/** Matches reasons that refuse our account or the settings, not the event (google.ads.datamanager.v1). */
const ABOUT_THE_ACCOUNT =
  /^(INVALID_(CONVERSION_ACTION_(ID|TYPE)|DESTINATION)|NOT_(ALLOWLISTED|FOUND)|PERMISSION_DENIED|TERMS_AND_CONDITIONS_NOT_SIGNED)$/;

/** Reads an answer by its status. A 400 refuses the event, or the settings. */
function readRefusal(answer: OutgoingAnswer, about: ReadWith): SendResult {
  const result = readStatus(answer, about);
  if (answer.status !== 400 && answer.status !== 403) return result;
  const details = readBody(errorShape, answer)?.error.details ?? [];
  const violations = details.flatMap(({ fieldViolations }) => fieldViolations);
  const reasons = [...violations, ...details].flatMap(({ reason }) => reason ?? []);
  const code = reasons[0];
  const fields = violations.flatMap(({ field }) => field ?? []).join(', ');
  const problem = `HTTP ${answer.status}${code ? `: ${code}` : ''}${fields && ` (${fields})`}`;
  if (answer.status === 403 || reasons.some((reason) => ABOUT_THE_ACCOUNT.test(reason))) {
    const settings = about.accountSettings;
    const account = { problem: `it refuses our account (${problem})`, settings };
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

/** Reads what became of an event. */
function readResult(answer: OutgoingAnswer, about: ReadWith, { type }: Conversion): SendResult {
  const result = readStatus(answer, about);
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
    const code = (errorInfo?.errorCounts[0]?.reason ?? 'UNSPECIFIED').replace(REASON_PREFIX, '');
    // The event is sent again, so the id of this request is forgotten.
    if (code === LOST_THERE)
      return { ...result, outcome: 'retry', code, error: code, externalId: '' };
    const outcome = /^DUPLICATE_/.test(code) ? 'duplicate' : 'rejected';
    return { ...result, outcome, code, message: `Google Ads refused the event: ${code}` };
  }
  const message = `Google Ads has no result yet (${requestStatus})`;
  return { ...result, outcome: 'later', message, retryAfterMs: RESULT_AFTER_MS };
}

/** The ad platform `google` gets events about leads that came from Google's ads. */
export const google = defineAdPlatform({
  name: 'google',
  title: 'Google Ads',
  variables,
  needs: ['GOOGLE_ADS_KEY', 'GOOGLE_ADS_ACCOUNT', 'GOOGLE_ADS_CONVERSIONS'],
  clickIds: ['gclid', 'gbraid', 'wbraid'],
  names: ({ GOOGLE_ADS_CONVERSIONS }) => withReturns(GOOGLE_ADS_CONVERSIONS),
  // The longest click-through window of an imported conversion (EXPIRED_EVENT, Google Ads API).
  maxAgeDays: 90,
  // A conversion can be adjusted for this long (CONVERSION_EXPIRED, Google Ads API v22). The Data
  // Manager API documents no limit of its own.
  returnDays: 54,
  payloads: { 1: payloadV1 },
  tokens,
  call(values, conversion, { request: { externalId } }) {
    if (externalId === undefined) return { url: `${values.GOOGLE_ADS_URL}/v1/events:ingest` };
    const query = new URLSearchParams({ requestId: externalId });
    return {
      method: 'GET',
      url: `${values.GOOGLE_ADS_URL}/v1/requestStatus:retrieve?${query}`,
      body: '',
      read: (answer, about) => readResult(answer, about, conversion),
    };
  },
  read: readTaken,
});
