/** Posts leads with blocked terms to Zapier or Make (docs/specification.md#bad-words-report). */
import {
  address,
  optionalSecret,
  stateCodes,
  states,
  wholeNumber,
} from '../../platform/variable.ts';
import { defineDestination, type SendRequest } from './destination.ts';
import { type PayloadVersions, postConnection, readStatus, secretParts } from './http-send.ts';

/** Payload builders by version. Never change a version that was used to send leads. */
const payloads: PayloadVersions<typeof payloadV1> = { 1: payloadV1 };

/** Builds a form-encoded body with all fields of a lead and the lead's id. */
function payloadV1({ leadId, fields }: Pick<SendRequest, 'leadId' | 'fields'>): string {
  const form = new URLSearchParams({ lead_id: leadId });
  for (const [name, value] of Object.entries(fields)) {
    if (name !== 'lead_id') form.append(name, String(value ?? ''));
  }
  return form.toString();
}

export const automation = defineDestination({
  name: 'automation',
  title: 'the automation webhook for bad words',
  variables: {
    // The URL is secret, because the path or query of a webhook often contains its key.
    AUTOMATION_WEBHOOK_URL: optionalSecret(address, 'the http or https address of the webhook'),
    AUTOMATION_TIMEOUT_MS: wholeNumber(100, 60_000, 10_000),
    BAD_WORDS_STATES: states('all'),
  },
  needs: ['AUTOMATION_WEBHOOK_URL'],
  whenOff: 'skip',
  buysNothing: true,
  // Requires no consent text, because the webhook belongs to the operator.
  permission: { consent: 'any', stopsAtOptOut: false },
  appliesTo: ({ fields }, values) =>
    fields.bad_words === 'yes' &&
    fields.is_gibberish !== 'yes' &&
    values !== undefined &&
    isReportedFrom(fields.state, values.BAD_WORDS_STATES),
  connect: ({ AUTOMATION_WEBHOOK_URL: url, AUTOMATION_TIMEOUT_MS: timeoutMs }, http) =>
    postConnection(http, {
      recognisesDuplicates: false,
      payloads,
      post: (payload, request) => ({
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: payload(request),
        timeoutMs,
        read: (answer) =>
          readStatus(answer, {
            secrets: secretParts(url),
            serverErrors: 'retry',
            accountSettings: ['AUTOMATION_WEBHOOK_URL'],
          }),
      }),
    }),
});

function isReportedFrom(state: string | undefined, listed: readonly string[]): boolean {
  return state ? listed.includes(state) : listed.length === stateCodes.length;
}
