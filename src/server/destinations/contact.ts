/** The lead-ingest service for leads of the contact form: `POST {CONTACT_INGEST_URL}/ingest`. */
import * as v from 'valibot';
import {
  oneOf,
  optional,
  optionalSecret,
  serviceAddress,
  text,
  wholeNumber,
} from '../base/variable.ts';
import { contactPayloadV1 } from './contact-payload-v1.ts';
import { defineDestination } from './destination.ts';
import { type PayloadVersions, pinnedPayload, preparePost } from './http-send.ts';
import { accountCodes, classifyIngestAnswer } from './ingest-answer.ts';
import { probeIngestAccount } from './ingest-probe.ts';

const PAYLOAD_VERSION = 1;
const payloads: PayloadVersions<typeof contactPayloadV1> = { [PAYLOAD_VERSION]: contactPayloadV1 };

const accountId = v.pipe(text, v.regex(/^[\w-]{1,64}$/));

/** The destination `contact`: every lead of the contact form (docs/specification.md#contact-form). */
export const contact = defineDestination({
  name: 'contact',
  title: 'the lead-ingest service of the contact form (Lead Prosper)',
  variables: {
    CONTACT_INGEST_URL: optional(
      serviceAddress,
      'the http or https address of the lead-ingest service, before "/ingest"',
    ),
    CONTACT_CAMPAIGN_ID: optional(accountId, 'the id of a campaign'),
    CONTACT_SUPPLIER_ID: optional(accountId, 'the id of a supplier'),
    CONTACT_KEY: optionalSecret(
      v.pipe(text, v.regex(/^\S{1,200}$/)),
      'the key that belongs to the supplier',
    ),
    CONTACT_TIMEOUT_MS: wholeNumber(100, 120_000, 30_000, ' of milliseconds'),
    CONTACT_ACCOUNT_CODES: accountCodes,
    CONTACT_AT_OPT_OUT: oneOf(['send', 'keep'], 'send'),
  },
  needs: ['CONTACT_INGEST_URL', 'CONTACT_CAMPAIGN_ID', 'CONTACT_SUPPLIER_ID', 'CONTACT_KEY'],
  whenOff: 'mark',
  takes: 'contact',
  permission: { consent: 'any', stopsAtOptOut: false },
  appliesTo: () => true,
  probe: (values, http) =>
    probeIngestAccount(
      http,
      {
        baseUrl: values.CONTACT_INGEST_URL,
        campaignId: values.CONTACT_CAMPAIGN_ID,
        supplierId: values.CONTACT_SUPPLIER_ID,
        key: values.CONTACT_KEY,
        codes: values.CONTACT_ACCOUNT_CODES,
      },
      values.CONTACT_TIMEOUT_MS,
    ),
  connect(values, http) {
    const account = `${values.CONTACT_CAMPAIGN_ID}/${values.CONTACT_SUPPLIER_ID}`;
    return {
      permission: { consent: 'any', stopsAtOptOut: values.CONTACT_AT_OPT_OUT === 'keep' },
      // The service answers DUPLICATED to a lead that it already has.
      recognisesDuplicates: true,
      payloadVersion: PAYLOAD_VERSION,
      account,
      usesMappedAccounts: false,
      prepare(request) {
        const pinned = pinnedPayload(payloads, request);
        if ('refusal' in pinned) return pinned.refusal;
        const credentials = {
          campaignId: values.CONTACT_CAMPAIGN_ID,
          supplierId: values.CONTACT_SUPPLIER_ID,
          key: values.CONTACT_KEY,
        };
        return preparePost(http, {
          url: `${values.CONTACT_INGEST_URL.replace(/\/+$/, '')}/ingest`,
          headers: { 'content-type': 'application/json', accept: 'application/json' },
          body: JSON.stringify(pinned.payload({ ...request, credentials })),
          timeoutMs: values.CONTACT_TIMEOUT_MS,
          read: (answer) =>
            classifyIngestAnswer(answer, new Date(), [values.CONTACT_KEY], {
              codes: values.CONTACT_ACCOUNT_CODES,
              settings: ['CONTACT_CAMPAIGN_ID', 'CONTACT_SUPPLIER_ID', 'CONTACT_KEY'],
            }),
        });
      },
    };
  },
});
