/** Sends leads to the exchange: `POST {EXCHANGE_URL}`, JSON (docs/specification.md#exchange). */
import { address, optional, wholeNumber } from '../../platform/variable.ts';
import { defineDestination, type SendRequest } from './destination.ts';
import { type PayloadVersions, postConnection, readStatus } from './http-send.ts';

/** Payload builders by version. Never change a version that was used to send leads. */
const payloads: PayloadVersions<typeof payloadV1> = { 1: payloadV1 };

/** Builds the JSON body. MVA means motor-vehicle accident, `tf` a TrustedForm certificate. */
function payloadV1({ fields }: Pick<SendRequest, 'fields'>): string {
  const field = (name: string) => String(fields[name] ?? '');
  return JSON.stringify({
    project: 'MVA',
    zipCode: field('zip_code'),
    ipAddress: field('ip_address'),
    userAgent: field('user_agent'),
    tf: field('trustedform_cert_url') || field('trusted_form_cert_id'),
    leadId: field('leadid_token'),
  });
}

/** Flows with leads that are not about an accident. */
const OTHER_PROJECTS: ReadonlySet<string> = new Set(['ticket']);

/** The destination `exchange` gets real leads about an accident that have a zip code. */
export const exchange = defineDestination({
  name: 'exchange',
  title: 'the exchange lead-data service',
  variables: {
    EXCHANGE_URL: optional(address, 'the whole http or https address of the exchange service'),
    EXCHANGE_TIMEOUT_MS: wholeNumber(100, 60_000, 5_000),
  },
  needs: ['EXCHANGE_URL'],
  whenOff: 'skip',
  buysNothing: true,
  getsNoContact: true,
  permission: { consent: 'given', stopsAtOptOut: true },
  // Excludes test leads, because the payload has no field that marks a test.
  appliesTo: ({ flow, isTest, fields }) =>
    !isTest && !OTHER_PROJECTS.has(flow) && /^\d{5}$/.test(fields.zip_code ?? ''),
  connect: ({ EXCHANGE_URL: url, EXCHANGE_TIMEOUT_MS: timeoutMs }, http) => ({
    areErrorsIgnored: true,
    ...postConnection(http, {
      recognisesDuplicates: false,
      payloads,
      post: (payload, request) => ({
        url,
        headers: { 'content-type': 'application/json' },
        body: payload(request),
        timeoutMs,
        read: (answer) => readStatus(answer, { secrets: [new URL(url).search] }),
      }),
    }),
  }),
});
