/**
 * The automation webhook (Zapier, Make), which receives leads with blocked terms in their description.
 * `POST {AUTOMATION_WEBHOOK_URL}`, form-encoded (docs/specification.md#bad-words-report).
 */
import {
  optionalSecret,
  serviceAddress,
  stateCodes,
  states,
  wholeNumber,
} from '../base/variable.ts';
import type { OutgoingHttp } from '../providers/outgoing-http.ts';
import { type Connection, defineDestination, type SendRequest } from './destination.ts';
import { type PayloadVersions, postConnection, readStatus, secretParts } from './http-send.ts';

type Payload = (request: Pick<SendRequest, 'leadId' | 'fields'>) => string;

/** Payloads by version. Never edit a version that leads were sent with. */
const payloads: PayloadVersions<Payload> = {
  /** Without the fields of the ingest service (`lp_…`). */
  1: ({ leadId, fields }) =>
    formOf(
      leadId,
      Object.entries(fields).filter(([name]) => !name.startsWith('lp_')),
    ),
  /** The payload: the whole lead. */
  2: ({ leadId, fields }) => formOf(leadId, Object.entries(fields)),
};

/** Includes our lead id, so that the receiver can detect duplicates itself. */
function formOf(leadId: string, fields: readonly (readonly [string, unknown])[]): string {
  const form = new URLSearchParams({ lead_id: leadId });
  for (const [name, value] of fields) {
    if (name !== 'lead_id') form.append(name, String(value ?? ''));
  }
  return form.toString();
}

/** The destination `automation`: leads with a blocked term in their description. */
export const automation = defineDestination({
  name: 'automation',
  title: 'the automation webhook for bad words',
  variables: {
    // Secret, because the path or query of such a webhook is its key.
    AUTOMATION_WEBHOOK_URL: optionalSecret(
      serviceAddress,
      'the http or https address of the webhook',
    ),
    AUTOMATION_TIMEOUT_MS: wholeNumber(100, 60_000, 10_000, ' of milliseconds'),
    BAD_WORDS_STATES: states('all'),
  },
  needs: ['AUTOMATION_WEBHOOK_URL'],
  whenOff: 'skip',
  buysNothing: true,
  // Any consent: the operator's own report, through a service that works for them.
  permission: { consent: 'any', stopsAtOptOut: false },
  appliesTo: ({ fields }, values) =>
    fields.bad_words === 'yes' &&
    fields.is_gibberish !== 'yes' &&
    values !== undefined &&
    isReportedFrom(fields.state, values.BAD_WORDS_STATES),
  connect: (values, http) =>
    createAutomation(http, values.AUTOMATION_WEBHOOK_URL, values.AUTOMATION_TIMEOUT_MS),
});

/** Returns whether leads of a state are reported. A lead without a state matches only the list of all states. */
function isReportedFrom(state: string | undefined, listed: readonly string[]): boolean {
  return state ? listed.includes(state) : listed.length === stateCodes.length;
}

/** Connects the webhook. Only the status of an answer counts: 2xx is delivered; 429 and 5xx are retried. */
function createAutomation(http: OutgoingHttp, url: string, timeoutMs: number): Connection {
  const secrets = secretParts(url);
  return postConnection(http, {
    recognisesDuplicates: false,
    payloads,
    post: (payload, request) => ({
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: payload(request),
      timeoutMs,
      read: (answer) =>
        readStatus(answer, {
          secrets,
          serverErrors: 'retry',
          accountSettings: ['AUTOMATION_WEBHOOK_URL'],
        }),
    }),
  });
}
