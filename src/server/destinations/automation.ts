/**
 * The automation webhook (Zapier, Make) that hears of blocked terms in a description:
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

/** Each version is never edited once leads were sent with it. */
const payloads: PayloadVersions<Payload> = {
  /** Without the fields of the ingest service (`lp_…`). */
  1: ({ leadId, fields }) =>
    formOf(
      leadId,
      Object.entries(fields).filter(([name]) => !name.startsWith('lp_')),
    ),
  /** The whole lead. */
  2: ({ leadId, fields }) => formOf(leadId, Object.entries(fields)),
};

/** The lead with our id, since nothing is recognised as a duplicate there. */
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
    // Its path, or its query, is the secret.
    AUTOMATION_WEBHOOK_URL: optionalSecret(
      serviceAddress,
      'the http or https address of the webhook',
    ),
    AUTOMATION_TIMEOUT_MS: wholeNumber(100, 60_000, 10_000, ' of milliseconds'),
    BAD_WORDS_STATES: states('all'),
  },
  needs: ['AUTOMATION_WEBHOOK_URL'],
  whenOff: 'skip',
  // A report of the operator's own, by a service that works for them.
  permission: { consent: 'any', stopsAtOptOut: false },
  appliesTo: ({ fields }, values) =>
    fields.bad_words === 'yes' &&
    fields.is_gibberish !== 'yes' &&
    values !== undefined &&
    isReportedFrom(fields.state, values.BAD_WORDS_STATES),
  connect: (values, http) =>
    createAutomation(http, values.AUTOMATION_WEBHOOK_URL, values.AUTOMATION_TIMEOUT_MS),
});

/** A lead whose state is not known is on no list but that of all states. */
function isReportedFrom(state: string | undefined, listed: readonly string[]): boolean {
  return state ? listed.includes(state) : listed.length === stateCodes.length;
}

/**
 * What it answers is not read: 200 to 299 is taken, and what fails with 429 or 5xx it has not taken, so it is
 * sent again.
 */
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
          ...{ secrets, serverErrors: 'retry', accountSettings: ['AUTOMATION_WEBHOOK_URL'] },
        }),
    }),
  });
}
