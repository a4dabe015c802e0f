/**
 * A destination at the lead-ingest service (Lead Prosper): `POST {address}/ingest`. Each has its own account
 * there, and its own payload.
 */
import * as v from 'valibot';
import type { IngestAccount } from '../../domain/ingest-account.ts';
import {
  oneOf,
  optional,
  optionalSecret,
  serviceAddress,
  text,
  type Variable,
  wholeNumber,
} from '../base/variable.ts';
import type { OutgoingHttp, OutgoingRequest } from '../providers/outgoing-http.ts';
import { type DestinationDefinition, defineDestination, type SendRequest } from './destination.ts';
import { notSent, type PayloadVersions, pinnedPayload, preparePost } from './http-send.ts';
import { accountCodes, classifyIngestAnswer } from './ingest-answer.ts';
import type { IngestLead, IngestPayload } from './lead-prosper-payload.ts';
import { type ProbeResult, probeCall } from './probe.ts';

/** The payload version for new deliveries. */
const PAYLOAD_VERSION = 1;

const accountId = v.pipe(text, v.regex(/^[\w-]{1,64}$/));

/** The differences between the destinations at this service. */
type LeadProsperDestination = Pick<
  DestinationDefinition,
  'name' | 'title' | 'surveyColumn' | 'takes' | 'waitsForChoice'
> & {
  /** The beginning of the settings' names. */
  readonly prefix: 'INGEST' | 'CONTACT';
  /** The setting that holds the service's address. */
  readonly addressSetting: 'INGEST_URL' | 'CONTACT_INGEST_URL';
  readonly payloads: PayloadVersions<(lead: IngestLead) => IngestPayload>;
  /** The payload version that includes the answer of the verification. */
  readonly verifiedPayloadVersion?: number;
  /** Whether an account of the mapping service replaces our own. */
  readonly usesMappedAccounts: boolean;
};

/** The settings of one destination at this service. */
type Settings = {
  readonly url: string;
  readonly own: IngestAccount;
  readonly timeoutMs: number;
  /** The service's error codes that concern the account, not the lead. */
  readonly codes: readonly string[];
  readonly stopsAtOptOut: boolean;
  readonly isVerificationSent: boolean;
};

/** Declares a destination at this service. It answers DUPLICATED to a lead that it has, so retrying is safe. */
export function leadProsperDestination(given: LeadProsperDestination): DestinationDefinition {
  const { prefix, addressSetting, payloads, verifiedPayloadVersion, usesMappedAccounts } = given;
  const { name, title, surveyColumn, takes, waitsForChoice } = given;
  const account = ['CAMPAIGN_ID', 'SUPPLIER_ID', 'KEY'].map((each) => `${prefix}_${each}`);
  const [campaignId = '', supplierId = '', key = ''] = account;

  const variables: Record<string, Variable<unknown>> = {
    [addressSetting]: optional(
      serviceAddress,
      'the http or https address of the lead-ingest service, before "/ingest"',
    ),
    [campaignId]: optional(accountId, 'the id of a campaign'),
    [supplierId]: optional(accountId, 'the id of a supplier'),
    [key]: optionalSecret(
      v.pipe(text, v.regex(/^\S{1,200}$/)),
      'the key that belongs to the supplier',
    ),
    // The service sometimes takes 20 to 30 seconds.
    [`${prefix}_TIMEOUT_MS`]: wholeNumber(100, 120_000, 30_000, ' of milliseconds'),
    [`${prefix}_ACCOUNT_CODES`]: accountCodes,
    ...(verifiedPayloadVersion && {
      [`${prefix}_WITH_VERIFICATION`]: oneOf(['on', 'off'], 'off'),
    }),
    [`${prefix}_AT_OPT_OUT`]: oneOf(['send', 'keep'], 'send'),
  };

  function settingsOf(values: Readonly<Record<string, unknown>>): Settings {
    const url = new URL(values[addressSetting] as string);
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/ingest`;
    return {
      url: url.href,
      own: {
        campaignId: values[campaignId] as string,
        supplierId: values[supplierId] as string,
        key: values[key] as string,
      },
      timeoutMs: values[`${prefix}_TIMEOUT_MS`] as number,
      codes: values[`${prefix}_ACCOUNT_CODES`] as readonly string[],
      stopsAtOptOut: values[`${prefix}_AT_OPT_OUT`] === 'keep',
      isVerificationSent: values[`${prefix}_WITH_VERIFICATION`] === 'on',
    };
  }

  return defineDestination({
    name,
    title,
    variables,
    needs: [addressSetting, ...account],
    whenOff: 'mark',
    ...(surveyColumn && { surveyColumn }),
    ...(takes && { takes }),
    ...(waitsForChoice && { waitsForChoice }),
    permission: { consent: 'given', stopsAtOptOut: false },
    appliesTo: () => true,
    waitsForVerification: (values) => values[`${prefix}_WITH_VERIFICATION`] === 'on',
    probe: (values, http) => probeAccount(http, settingsOf(values)),
    connect(values, http) {
      const settings = settingsOf(values);
      const { own, codes } = settings;
      return {
        // By default the opt-out signal withholds nothing here, since the visitor asks for calls.
        permission: { consent: 'given', stopsAtOptOut: settings.stopsAtOptOut },
        recognisesDuplicates: true,
        payloadVersion: PAYLOAD_VERSION,
        ...(settings.isVerificationSent && verifiedPayloadVersion && { verifiedPayloadVersion }),
        account: nameOf(own),
        usesMappedAccounts,
        prepare(request) {
          const sender = usesMappedAccounts ? pinnedAccount(request, own) : own;
          if (sender === undefined) {
            return notSent(
              `The account ${request.account}, to which this lead is pinned, is not configured any more`,
            );
          }
          const pinned = pinnedPayload(payloads, request);
          if ('refusal' in pinned) return pinned.refusal;
          return preparePost(http, {
            ...ingestCall(settings, pinned.payload({ ...request, credentials: sender })),
            read: (answer) =>
              classifyIngestAnswer(answer, new Date(), [sender.key, own.key], {
                codes,
                // No setting can fix an account that the mapping service named.
                settings: sender === own ? account : [],
              }),
          });
        },
      };
    },
  });
}

/** Returns the public name of an account, to which deliveries are pinned. */
function nameOf({ campaignId, supplierId }: IngestAccount): string {
  return `${campaignId}/${supplierId}`;
}

/** Returns the account to which a delivery is pinned, with its key. */
function pinnedAccount(
  { account, mappedAccount }: SendRequest,
  own: IngestAccount,
): IngestAccount | undefined {
  return [own, mappedAccount].find((each) => each !== undefined && nameOf(each) === account);
}

/** Returns the call, without its method. */
function ingestCall({ url, timeoutMs }: Settings, payload: IngestPayload) {
  return {
    url,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(payload),
    timeoutMs,
  } satisfies Omit<OutgoingRequest, 'method'>;
}

/**
 * Tests an account with an empty test lead, which no buyer can take. A refusal of the account means `wrong`. A
 * refusal of the lead, for example for a missing field, shows that the account works.
 */
function probeAccount(http: OutgoingHttp, settings: Settings): Promise<ProbeResult> {
  const { own, codes } = settings;
  const payload = {
    lp_campaign_id: own.campaignId,
    lp_supplier_id: own.supplierId,
    lp_key: own.key,
    lp_action: 'test',
  };
  return probeCall(http, { method: 'POST', ...ingestCall(settings, payload) }, (answer) => {
    // For a lead, 403 may come from a firewall that dislikes its text; this request contains no such text.
    if (answer.status === 403) return { state: 'wrong', text: 'it refuses our account (HTTP 403)' };
    const reading = { codes, settings: [] };
    const { outcome, account } = classifyIngestAnswer(answer, new Date(), [own.key], reading);
    if (account !== undefined) return { state: 'wrong', text: account.problem };
    return outcome === 'delivered' || outcome === 'duplicate' || outcome === 'rejected'
      ? { state: 'works', text: 'campaign, supplier and key are known (an empty test lead)' }
      : {
          state: 'wrong',
          text: `HTTP ${answer.status}, but not the answer of a lead-ingest service`,
        };
  });
}
