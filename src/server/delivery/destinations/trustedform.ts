/** Retains TrustedForm certificates (docs/specification.md#consent-certificates). */
import * as v from 'valibot';
import { readBody, unreadable } from '../../platform/outgoing-answer.ts';
import type { OutgoingAnswer } from '../../platform/outgoing-http.ts';
import {
  optional,
  optionalSecret,
  text,
  type Variable,
  variable,
  webAddress,
  wholeNumber,
} from '../../platform/variable.ts';
import { defineDestination, type SendRequest, type SendResult } from './destination.ts';
import {
  aboutAnswer,
  notSent,
  type PayloadVersions,
  postConnection,
  probeCall,
  readStatus,
} from './http-send.ts';

const API_VERSION = '4.0';
const payloads: PayloadVersions<typeof payloadV1> = { 1: payloadV1 };

/** Builds the JSON body. Never change a version that was used to send leads. */
function payloadV1(
  { leadId, fields }: Pick<SendRequest, 'leadId' | 'fields'>,
  vendor: string | undefined,
): string {
  const { email, phone } = fields;
  return JSON.stringify({
    match_lead: {
      ...(email ? { email: String(email) } : {}),
      ...(phone ? { phone: String(phone) } : {}),
    },
    retain: { reference: leadId, ...(vendor ? { vendor } : {}) },
  });
}

const origins: Variable<readonly string[], string> = variable(
  v.pipe(
    text,
    v.transform((value): readonly string[] => value.split(',').map((each) => each.trim())),
    v.check((all) => all.every((each) => webAddress(each)?.origin === each)),
  ),
  'addresses without a path and with commas between them ("https://cert.trustedform.com")',
  'https://cert.trustedform.com',
);

/** The destination `trustedform` gets every lead with a TrustedForm certificate. */
export const trustedform = defineDestination({
  name: 'trustedform',
  title: 'the retention of consent certificates (TrustedForm)',
  variables: {
    TRUSTEDFORM_API_KEY: optionalSecret(
      v.pipe(text, v.regex(/^[\x21-\x7e]{8,200}$/)),
      'the API key of the account at TrustedForm',
    ),
    TRUSTEDFORM_ORIGINS: origins,
    TRUSTEDFORM_VENDOR: optional(
      v.pipe(text, v.maxLength(100)),
      'a name of at most 100 characters',
    ),
    TRUSTEDFORM_TIMEOUT_MS: wholeNumber(100, 60_000, 10_000),
  },
  needs: ['TRUSTEDFORM_API_KEY'],
  whenOff: 'skip',
  buysNothing: true,
  storesProof: true,
  permission: { consent: 'any', stopsAtOptOut: true },
  appliesTo: ({ fields }) => Boolean(fields.trustedform_cert_url && (fields.email || fields.phone)),
  probe: (values, http) =>
    probeCall(
      http,
      {
        method: 'POST',
        // No certificate has this id, so the call tests our key without retaining a certificate.
        url: `${values.TRUSTEDFORM_ORIGINS[0]}/${'0'.repeat(40)}`,
        headers: authorized(values.TRUSTEDFORM_API_KEY),
        body: payloadV1({ leadId: 'doctor', fields: { email: 'test@example.com' } }, undefined),
        timeoutMs: values.TRUSTEDFORM_TIMEOUT_MS,
      },
      ({ status }) => {
        if (status === 401 || status === 403) return { state: 'wrong', text: 'the key is refused' };
        if (status >= 500) return { state: 'wrong', text: `HTTP ${status}` };
        return { state: 'works', text: 'the key is known (tried with an invented certificate)' };
      },
    ),
  connect(values, http) {
    const { TRUSTEDFORM_API_KEY: key, TRUSTEDFORM_TIMEOUT_MS: timeoutMs } = values;
    const headers = authorized(key);
    return postConnection(http, {
      // Sending again is safe, because the service reports success for a retained certificate.
      recognisesDuplicates: true,
      payloads,
      post(payload, request) {
        // A visitor could forge the certificate's URL, so our key is sent only to allowed origins.
        const { trustedform_cert_url: given } = request.fields;
        const url = certificateAddress(given, values.TRUSTEDFORM_ORIGINS);
        const refusal = 'The address of the certificate is not in TRUSTEDFORM_ORIGINS';
        if (url === undefined) return notSent(refusal, 'rejected');
        return {
          url,
          headers,
          body: payload(request, values.TRUSTEDFORM_VENDOR),
          timeoutMs,
          read: (answer) =>
            readRetention(answer, [key, headers.authorization.slice('Basic '.length)]),
        };
      },
    });
  },
});

function authorized(key: string) {
  return {
    authorization: `Basic ${Buffer.from(`API:${key}`).toString('base64')}`,
    'api-version': API_VERSION,
    'content-type': 'application/json',
    accept: 'application/json',
  };
}

/** Returns the certificate's URL without query; undefined if the URL is not allowed. */
function certificateAddress(given: unknown, allowed: readonly string[]): string | undefined {
  const url = typeof given === 'string' ? webAddress(given) : undefined;
  const isAllowed = url && allowed.includes(url.origin) && /^\/[\da-f]{40}$/i.test(url.pathname);
  return isAllowed ? url.origin + url.pathname : undefined;
}

const answerShape = v.object({
  outcome: v.picklist(['success', 'failure', 'error']),
  reason: v.nullish(v.string()),
  match_lead: v.nullish(v.object({ result: v.nullish(v.object({ success: v.boolean() })) })),
});

/** The certificate does not exist (404), has expired (410), or belongs to another person (422). */
const ABOUT_THE_CERTIFICATE: ReadonlySet<number> = new Set([404, 410, 422]);

/** Reads the service's answer about a certificate. */
function readRetention(answer: OutgoingAnswer, secrets: readonly string[]): SendResult {
  const byStatus = readStatus(answer, { secrets, accountSettings: ['TRUSTEDFORM_API_KEY'] });
  const isAboutIt = ABOUT_THE_CERTIFICATE.has(answer.status);
  if (byStatus.outcome !== 'delivered' && !isAboutIt) return byStatus;
  const body = readBody(answerShape, answer);
  const about = aboutAnswer(answer, secrets);
  const reason = body?.reason ? `: ${body.reason.slice(0, 200)}` : '';
  if (isAboutIt) {
    return { ...about, outcome: 'rejected', message: `HTTP ${answer.status}${reason}` };
  }
  if (body === undefined) return { ...about, outcome: 'unknown', error: unreadable(answer) };
  if (body.outcome !== 'success' || body.match_lead?.result?.success === false) {
    const message = `The certificate was not retained${reason || ': it belongs to another person'}`;
    return { ...about, outcome: 'rejected', message };
  }
  return { ...about, outcome: 'delivered', message: 'The certificate is retained' };
}
