/** Sends leads to Lead Prosper. Never change a payload version that was used to send leads. */
import * as v from 'valibot';
import { callWishNames } from '../../../model/fields/asked-fields.ts';
import { callTimeNames } from '../../../model/fields/lead-fields.ts';
import type { IngestAccount } from '../../../model/fields/tracking-fields.ts';
import type { OutgoingHttp, OutgoingRequest } from '../../platform/outgoing-http.ts';
import {
  address,
  oneOf,
  optional,
  secretText,
  text,
  type Variable,
  wholeNumber,
} from '../../platform/variable.ts';
import {
  type DestinationDefinition,
  defineDestination,
  type ProbeResult,
  type SendRequest,
} from './destination.ts';
import { notSent, type PayloadVersions, postConnection, probeCall } from './http-send.ts';
import { accountCodes, classifyIngestAnswer } from './ingest-answer.ts';

/** The payload versions for new deliveries: without and with the fields about the call. */
const versions = { keep: { plain: 1, verified: 2 }, send: { plain: 3, verified: 4 } } as const;

const accountId = v.pipe(text, v.regex(/^[\w-]{1,64}$/));

/** The differences between the destinations at this service. */
type LeadProsperDestination = {
  readonly definition: Pick<
    DestinationDefinition,
    'name' | 'title' | 'surveyColumn' | 'takes' | 'waitsForChoice'
  >;
  readonly prefix: 'INGEST' | 'CONTACT';
  /** The setting that contains the service's URL. */
  readonly addressSetting: 'INGEST_URL' | 'CONTACT_INGEST_URL';
  readonly payloads: PayloadVersions<(lead: IngestLead) => IngestPayload>;
};

type Settings = ReturnType<typeof settingsOf>;

function settingsOf(
  { prefix, addressSetting }: Pick<LeadProsperDestination, 'prefix' | 'addressSetting'>,
  values: Readonly<Record<string, unknown>>,
) {
  const url = new URL(String(values[addressSetting]));
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/ingest`;
  return {
    url: url.href,
    own: {
      campaignId: String(values[`${prefix}_CAMPAIGN_ID`]),
      supplierId: String(values[`${prefix}_SUPPLIER_ID`]),
      key: String(values[`${prefix}_KEY`]),
    },
    timeoutMs: Number(values[`${prefix}_TIMEOUT_MS`]),
    codes: values[`${prefix}_ACCOUNT_CODES`] as readonly string[],
    stopsAtOptOut: values[`${prefix}_AT_OPT_OUT`] === 'keep',
    isVerificationSent: values[`${prefix}_WITH_VERIFICATION`] === 'on',
    version: versions[values[`${prefix}_CALL_DETAILS`] === 'send' ? 'send' : 'keep'],
  };
}

/** Declares a destination at this service. The service answers DUPLICATED to a repeated lead. */
function leadProsperDestination(given: LeadProsperDestination): DestinationDefinition {
  const { prefix, addressSetting, payloads } = given;
  /** True if settings can add to the payload, and the mapping service may name another account. */
  const isForSurveys = prefix === 'INGEST';
  const account = [`${prefix}_CAMPAIGN_ID`, `${prefix}_SUPPLIER_ID`, `${prefix}_KEY`];

  const variables: Record<string, Variable<unknown>> = {
    [addressSetting]: optional(
      address,
      'the http or https address of the lead-ingest service, before "/ingest"',
    ),
    [`${prefix}_CAMPAIGN_ID`]: optional(accountId, 'the id of a campaign'),
    [`${prefix}_SUPPLIER_ID`]: optional(accountId, 'the id of a supplier'),
    [`${prefix}_KEY`]: secretText(/^\S{1,200}$/, 'the key that belongs to the supplier'),
    // Waits 30 seconds by default, because the service sometimes answers only after 20 seconds.
    [`${prefix}_TIMEOUT_MS`]: wholeNumber(100, 120_000, 30_000),
    [`${prefix}_ACCOUNT_CODES`]: accountCodes,
    ...(isForSurveys && {
      [`${prefix}_WITH_VERIFICATION`]: oneOf(['on', 'off'], 'off'),
      [`${prefix}_CALL_DETAILS`]: oneOf(['send', 'keep'], 'keep'),
    }),
    [`${prefix}_AT_OPT_OUT`]: oneOf(['send', 'keep'], 'send'),
  };

  return defineDestination({
    ...given.definition,
    variables,
    needs: [addressSetting, ...account],
    whenOff: 'mark',
    permission: { consent: 'given', stopsAtOptOut: false },
    appliesTo: () => true,
    waitsForVerification: (values) => values[`${prefix}_WITH_VERIFICATION`] === 'on',
    probe: (values, http) => probeAccount(http, settingsOf(given, values)),
    connect(values, http) {
      const settings = settingsOf(given, values);
      const { own, codes, version } = settings;
      return {
        ...postConnection(http, {
          recognisesDuplicates: true,
          payloads,
          post(payload, request) {
            const sender = isForSurveys ? pinnedAccount(request, own) : own;
            if (sender === undefined) {
              return notSent(
                `The account ${request.account}, to which this lead is pinned, is not configured any more`,
              );
            }
            return {
              ...ingestCall(settings, payload({ ...request, credentials: sender })),
              read: (answer) =>
                classifyIngestAnswer(answer, [sender.key, own.key], {
                  codes,
                  settings: sender === own ? account : [],
                }),
            };
          },
        }),
        // By default, sends leads with the opt-out signal, because the visitor asked for a call.
        permission: { consent: 'given', stopsAtOptOut: settings.stopsAtOptOut },
        payloadVersion: version.plain,
        ...(settings.isVerificationSent && { verifiedPayloadVersion: version.verified }),
        account: nameOf(own),
        usesMappedAccounts: isForSurveys,
      };
    },
  });
}

/** Returns the public name of an account, which is stored in each delivery. */
function nameOf({ campaignId, supplierId }: IngestAccount): string {
  return `${campaignId}/${supplierId}`;
}

/** Returns the delivery's account with its key; undefined if the account has no settings. */
function pinnedAccount(
  { account, mappedAccount }: SendRequest,
  own: IngestAccount,
): IngestAccount | undefined {
  return [own, mappedAccount].find((each) => each !== undefined && nameOf(each) === account);
}

function ingestCall({ url, timeoutMs }: Settings, payload: IngestPayload) {
  return {
    url,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(payload),
    timeoutMs,
  } satisfies Omit<OutgoingRequest, 'method'>;
}

/** Tests an account with an empty test lead, which no buyer can take. */
function probeAccount(http: OutgoingHttp, settings: Settings): Promise<ProbeResult> {
  const { own, codes } = settings;
  const payload = {
    lp_campaign_id: own.campaignId,
    lp_supplier_id: own.supplierId,
    lp_key: own.key,
    lp_action: 'test',
  };
  return probeCall(http, { method: 'POST', ...ingestCall(settings, payload) }, (answer) => {
    // HTTP 403 here means a refused account, because a firewall has no reason to refuse this lead.
    if (answer.status === 403) return { state: 'wrong', text: 'it refuses our account (HTTP 403)' };
    const reading = { codes, settings: [] };
    const { outcome, account } = classifyIngestAnswer(answer, [own.key], reading);
    if (account !== undefined) return { state: 'wrong', text: account.problem };
    return outcome === 'delivered' || outcome === 'duplicate' || outcome === 'rejected'
      ? { state: 'works', text: 'campaign, supplier and key are known (an empty test lead)' }
      : {
          state: 'wrong',
          text: `HTTP ${answer.status}, but not the answer of a lead-ingest service`,
        };
  });
}

/** The service's limit for sub ids, in characters. */
const MAX_SUB_ID_LENGTH = 75;

/** The fields about the call: the hours in which it is allowed, and the visitor's wishes. */
const callNames = [...callTimeNames, ...callWishNames];

/** Names that payloads do not copy from a lead's fields: credentials, and fields about the call. */
const OURS: ReadonlySet<string> = new Set([
  ...['lp_campaign_id', 'lp_supplier_id', 'lp_key', 'lp_action', 'lead_id'],
  ...callNames,
]);

const SUB_ID = /^(lp_subid\d*|sub_id\d*)$/;

type IngestLead = Pick<SendRequest, 'leadId' | 'isTest' | 'fields' | 'verification'> & {
  readonly credentials: IngestAccount;
};

type IngestPayload = Readonly<Record<string, string | number | boolean>>;

/** Builds version 1 for survey leads (docs/specification.md#ingest). */
export function ingestPayloadV1(lead: IngestLead): IngestPayload {
  return payloadOf(lead, surveyValue);
}

/** Returns the verification's answer as JSON text. */
const verificationOf = ({ verification = {} }: IngestLead) => ({
  verification: JSON.stringify(verification),
});

/** Returns the known fields about the call. */
function callDetailsOf({ fields }: IngestLead): IngestPayload {
  const known = callNames.filter((name) => fields[name]);
  return Object.fromEntries(known.map((name) => [name, String(fields[name])]));
}

/** Builds version 1 for contact-form leads (docs/specification.md#contact-form). */
function contactPayloadV1(lead: IngestLead): IngestPayload {
  return payloadOf(lead, (name, value) => {
    const text = String(value ?? '');
    return name === 'phone' ? text.replace(/\D/g, '') : text;
  });
}

function payloadOf(
  { leadId, isTest, fields, credentials }: IngestLead,
  wireValue: (name: string, value: unknown) => string | number | boolean,
): IngestPayload {
  const ofLead = Object.entries(fields).filter(([name]) => !OURS.has(name));
  return {
    lp_campaign_id: credentials.campaignId,
    lp_supplier_id: credentials.supplierId,
    lp_key: credentials.key,
    lead_id: leadId,
    ...(isTest && { lp_action: 'test' }),
    ...Object.fromEntries(ofLead.map(([name, value]) => [name, wireValue(name, value)])),
  };
}

function surveyValue(name: string, value: unknown): string | number | boolean {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return JSON.stringify(value);
  // Removes the country code 1.
  if (name === 'phone')
    return String(value)
      .replace(/\D/g, '')
      .replace(/^1(?=\d{10}$)/, '');
  if (SUB_ID.test(name)) return [...String(value)].slice(0, MAX_SUB_ID_LENGTH).join('');
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value);
}

/** The destination `ingest` gets every lead of surveys with `deliversToIngest` on. */
export const ingest = leadProsperDestination({
  definition: {
    name: 'ingest',
    title: 'the lead-ingest service (Lead Prosper)',
    surveyColumn: 'deliversToIngest',
    waitsForChoice: true,
  },
  prefix: 'INGEST',
  addressSetting: 'INGEST_URL',
  payloads: {
    1: ingestPayloadV1,
    2: (lead) => ({ ...ingestPayloadV1(lead), ...verificationOf(lead) }),
    3: (lead) => ({ ...ingestPayloadV1(lead), ...callDetailsOf(lead) }),
    4: (lead) => ({ ...ingestPayloadV1(lead), ...verificationOf(lead), ...callDetailsOf(lead) }),
  },
});

/** The destination `contact` gets every lead of the contact form. */
export const contact = leadProsperDestination({
  definition: {
    name: 'contact',
    title: 'the lead-ingest service of the contact form (Lead Prosper)',
    takes: 'contact',
  },
  prefix: 'CONTACT',
  addressSetting: 'CONTACT_INGEST_URL',
  payloads: { 1: contactPayloadV1 },
});
