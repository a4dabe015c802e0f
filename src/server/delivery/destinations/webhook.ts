/** Sends signed webhooks to the operator: `POST {WEBHOOK_URL}`, JSON (docs/webhooks.md). */
import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import {
  address,
  isWebhookSecret,
  oneOf,
  optionalSecret,
  text,
  type Variable,
  variable,
  wholeNumber,
} from '../../platform/variable.ts';
import {
  defineDestination,
  type EvidencePack,
  type SendRequest,
  type ValuesOf,
} from './destination.ts';
import { type EventType, eventTypes } from './event.ts';
import {
  type HttpSend,
  notSent,
  type PayloadVersions,
  postConnection,
  preparePost,
  readStatus,
  secretParts,
} from './http-send.ts';

/** The first payload version with an evidence pack in `delivery.delivered` events. */
const WITH_EVIDENCE = 2;
const payloads: PayloadVersions<typeof payloadV1> = { 1: payloadV1, [WITH_EVIDENCE]: payloadV1 };

type EventToSend = Pick<SendRequest, 'leadId' | 'isTest' | 'fields' | 'overrides'> & {
  readonly event: NonNullable<SendRequest['event']>;
};

/** Builds the body of an event. Never change a version that was used to send events. */
function payloadV1({ leadId, isTest, fields, overrides = [], event }: EventToSend): string {
  const { type, at: timestamp, ...about } = event;
  const changed_answers = overrides.map(({ field, answered = null, becomes: sent, rule }) => {
    return { field, answered, sent, rule };
  });
  const isLead = type === 'lead.accepted' || type === 'lead.revised';
  const data = { lead_id: leadId, is_test: isTest, ...about };
  return JSON.stringify({
    type,
    timestamp,
    data: { ...data, ...(isLead && { fields, changed_answers }) },
  });
}

const variables = {
  // The URL is secret, because its path may contain a key.
  WEBHOOK_URL: optionalSecret(address, 'the http or https address that receives events'),
  WEBHOOK_SECRETS: optionalSecret(
    v.pipe(
      text,
      v.transform((value): readonly string[] => value.split(/[\s,]+/)),
      v.check((secrets) => secrets.every(isWebhookSecret)),
    ),
    'secrets with commas between them, each "whsec_" and 24 to 64 bytes in base64',
  ),
  WEBHOOK_EVENTS: variable(
    v.pipe(
      text,
      v.transform((value) => (value === 'all' ? [...eventTypes] : value.split(/[\s,]+/))),
      v.array(v.picklist(eventTypes)),
    ),
    `"all", or some of ${eventTypes.join(', ')} with commas between them`,
    'all',
  ) as Variable<readonly EventType[], string>,
  WEBHOOK_EVIDENCE: oneOf(['off', 'on'], 'off'),
  WEBHOOK_TIMEOUT_MS: wholeNumber(100, 60_000, 15_000),
};

type Values = ValuesOf<typeof variables>;

/** The destination `webhook` gets events about every lead and delivery. */
export const webhook = defineDestination({
  name: 'webhook',
  title: 'signed webhooks',
  variables,
  needs: ['WEBHOOK_URL', 'WEBHOOK_SECRETS'],
  whenOff: 'skip',
  // Requires no consent text, because the webhook belongs to the operator.
  permission: { consent: 'any', stopsAtOptOut: false },
  appliesTo: () => true,
  events: ({ WEBHOOK_EVENTS }) => WEBHOOK_EVENTS,
  async probe(values, http) {
    const timestamp = new Date().toISOString();
    const body = JSON.stringify({ type: 'webhook.test', timestamp, data: {} });
    const call = eventCall(values, { id: randomUUID(), body });
    const { outcome, error } = await preparePost(http, call).send();
    return outcome === 'delivered'
      ? { state: 'works', text: 'an event "webhook.test" was accepted' }
      : { state: 'wrong', text: error ?? 'an event "webhook.test" was not accepted' };
  },
  connect: (values, http) => ({
    ...postConnection(http, {
      // Sending again is safe, because receivers must ignore an id that they have already received.
      recognisesDuplicates: true,
      payloads,
      post(payload, request) {
        const { event, deliveryId: id } = request;
        if (event === null) return notSent('Webhooks send only events');
        const body = payload({ ...request, event });
        const { evidence, payloadVersion } = request;
        const isWanted = payloadVersion === WITH_EVIDENCE && event.type === 'delivery.delivered';
        const withPack = async () => bodyWith(body, await evidence?.());
        return eventCall(values, { id, body }, isWanted ? withPack : undefined);
      },
    }),
    payloadVersion: values.WEBHOOK_EVIDENCE === 'on' ? WITH_EVIDENCE : 1,
  }),
});

/** Returns the body with the evidence pack in the event's data. */
function bodyWith(body: string, pack: EvidencePack | undefined): string {
  const { data, ...about } = JSON.parse(body);
  const evidence = pack
    ? { name: pack.name, zip: Buffer.from(pack.bytes).toString('base64') }
    : null;
  return JSON.stringify({ ...about, data: { ...data, evidence } });
}

function eventCall(
  values: Values,
  { id, body }: { id: string; body: string },
  bodyToSend = async () => body,
): HttpSend {
  const { WEBHOOK_URL: url, WEBHOOK_SECRETS: secrets, WEBHOOK_TIMEOUT_MS: timeoutMs } = values;
  return {
    url,
    headers: { 'content-type': 'application/json' },
    body,
    // Signs each attempt anew, because receivers refuse old timestamps.
    async perAttempt() {
      const sent = await bodyToSend();
      const now = new Date();
      const signatures = secrets.map((secret) => new Webhook(secret).sign(id, now, sent));
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': signatures.join(' '),
      };
      return { body: sent, headers };
    },
    timeoutMs,
    read(answer) {
      const read = readStatus(answer, { secrets: [...secrets, ...secretParts(url)] });
      // Only HTTP 410 ends the retries. A receiver that restarts may answer 401 or 404.
      const isFinal = read.outcome !== 'failed' || answer.status === 410;
      return isFinal ? read : { ...read, outcome: 'retry' };
    },
  };
}
