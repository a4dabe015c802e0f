/** The lead-ingest service (Lead Prosper): `POST {INGEST_URL}/ingest`. */
import * as v from 'valibot';
import type { IngestAccount } from '../../domain/ingest-account.ts';
import {
  oneOf,
  optional,
  optionalSecret,
  serviceAddress,
  text,
  webAddress,
  wholeNumber,
} from '../base/variable.ts';
import type { OutgoingHttp } from '../providers/outgoing-http.ts';
import { type Connection, defineDestination, type SendRequest } from './destination.ts';
import { notSent, type PayloadVersions, pinnedPayload, preparePost } from './http-send.ts';
import { accountCodes, classifyIngestAnswer } from './ingest-answer.ts';
import { ingestPayloadV1 } from './ingest-payload-v1.ts';
import { ingestPayloadV2 } from './ingest-payload-v2.ts';
import { probeIngestAccount } from './ingest-probe.ts';

/** The payload version for new deliveries. */
const PAYLOAD_VERSION = 1;
/** The payload version that includes the answer of the verification. */
const VERIFIED_PAYLOAD_VERSION = 2;
const payloads: PayloadVersions<typeof ingestPayloadV2> = {
  [PAYLOAD_VERSION]: ingestPayloadV1,
  [VERIFIED_PAYLOAD_VERSION]: ingestPayloadV2,
};

const OWN_ACCOUNT = ['INGEST_CAMPAIGN_ID', 'INGEST_SUPPLIER_ID', 'INGEST_KEY'] as const;

const variables = {
  INGEST_URL: optional(
    serviceAddress,
    'the http or https address of the lead-ingest service, before "/ingest"',
  ),
  INGEST_CAMPAIGN_ID: optional(v.pipe(text, v.regex(/^[\w-]{1,64}$/)), 'the id of a campaign'),
  INGEST_SUPPLIER_ID: optional(v.pipe(text, v.regex(/^[\w-]{1,64}$/)), 'the id of a supplier'),
  INGEST_KEY: optionalSecret(
    v.pipe(text, v.regex(/^\S{1,200}$/)),
    'the key that belongs to the supplier',
  ),
  // The service sometimes takes 20 to 30 seconds.
  INGEST_TIMEOUT_MS: wholeNumber(100, 120_000, 30_000, ' of milliseconds'),
  INGEST_ACCOUNT_CODES: accountCodes,
  INGEST_WITH_VERIFICATION: oneOf(['on', 'off'], 'off'),
  INGEST_AT_OPT_OUT: oneOf(['send', 'keep'], 'send'),
};

/** The destination `ingest`: every lead of surveys with `deliversToIngest` (docs/specification.md#ingest). */
export const ingest = defineDestination({
  name: 'ingest',
  title: 'the lead-ingest service (Lead Prosper)',
  variables,
  needs: ['INGEST_URL', 'INGEST_CAMPAIGN_ID', 'INGEST_SUPPLIER_ID', 'INGEST_KEY'],
  whenOff: 'mark',
  surveyColumn: 'deliversToIngest',
  permission: { consent: 'any', stopsAtOptOut: false },
  appliesTo: () => true,
  waitsForChoice: true,
  waitsForVerification: (values) => values.INGEST_WITH_VERIFICATION === 'on',
  probe: (values, http) =>
    probeIngestAccount(
      http,
      {
        baseUrl: values.INGEST_URL,
        campaignId: values.INGEST_CAMPAIGN_ID,
        supplierId: values.INGEST_SUPPLIER_ID,
        key: values.INGEST_KEY,
        codes: values.INGEST_ACCOUNT_CODES,
      },
      values.INGEST_TIMEOUT_MS,
    ),
  connect: (values, http) => ({
    // By default the opt-out signal withholds nothing here, since the visitor asks for calls.
    permission: { consent: 'any', stopsAtOptOut: values.INGEST_AT_OPT_OUT === 'keep' },
    ...createIngest({
      http,
      baseUrl: values.INGEST_URL,
      account: {
        campaignId: values.INGEST_CAMPAIGN_ID,
        supplierId: values.INGEST_SUPPLIER_ID,
        key: values.INGEST_KEY,
      },
      timeoutMs: values.INGEST_TIMEOUT_MS,
      accountCodes: values.INGEST_ACCOUNT_CODES,
      isVerificationSent: values.INGEST_WITH_VERIFICATION === 'on',
    }),
  }),
});

export type IngestOptions = {
  http: OutgoingHttp;
  /** The address without `/ingest`. */
  baseUrl: string;
  /** Our account, for leads without a mapped account. */
  account: IngestAccount;
  timeoutMs: number;
  /** The setting INGEST_ACCOUNT_CODES. */
  accountCodes?: readonly string[];
  /** The setting INGEST_WITH_VERIFICATION. */
  isVerificationSent?: boolean;
  now?: () => Date;
};

/** Returns the public name of an account, to which deliveries are pinned. */
function nameOf({ campaignId, supplierId }: IngestAccount): string {
  return `${campaignId}/${supplierId}`;
}

/**
 * Connects the lead-ingest service. It answers DUPLICATED to a lead that it has, so retrying is safe.
 * @throws when `baseUrl` is not an http or https address
 */
export function createIngest(options: IngestOptions): Connection {
  const { http, baseUrl, account: own, timeoutMs, now = () => new Date() } = options;
  const { isVerificationSent = false, accountCodes: codes = [] } = options;
  const url = webAddress(baseUrl);
  if (url === undefined) throw new TypeError('The ingest service needs an http or https address');
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/ingest`;

  /** Returns the account to which a delivery is pinned, with its key. */
  function accountOf({ account, mappedAccount }: SendRequest): IngestAccount | undefined {
    return [own, mappedAccount].find((each) => each !== undefined && nameOf(each) === account);
  }

  return {
    recognisesDuplicates: true,
    payloadVersion: PAYLOAD_VERSION,
    ...(isVerificationSent ? { verifiedPayloadVersion: VERIFIED_PAYLOAD_VERSION } : {}),
    account: nameOf(own),
    usesMappedAccounts: true,
    prepare(request) {
      const account = accountOf(request);
      if (account === undefined) {
        return notSent(
          `The account ${request.account}, to which this lead is pinned, is not configured any more`,
        );
      }
      const pinned = pinnedPayload(payloads, request);
      if ('refusal' in pinned) return pinned.refusal;
      return preparePost(http, {
        url: url.href,
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify(pinned.payload({ ...request, credentials: account })),
        timeoutMs,
        read: (answer) =>
          classifyIngestAnswer(answer, now(), [account.key, own.key], {
            codes,
            // No setting can fix an account that the mapping service named.
            settings: account === own ? OWN_ACCOUNT : [],
          }),
      });
    },
  };
}
