import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import {
  act,
  type Exchange,
  judgeJson,
  refuse,
  type SandboxContext,
  type Service,
  type StandIn,
} from '../service.ts';

const time = v.pipe(v.string(), v.isoTimestamp('expected an ISO time'));
const leadId = v.pipe(v.string(), v.uuid('expected a UUID'));
const lead = v.strictObject({
  lead_id: leadId,
  revision: v.number(),
  is_test: v.boolean(),
  fields: v.record(v.string(), v.string()),
  changed_answers: v.array(
    v.strictObject({
      field: v.string(),
      answered: v.nullable(v.string()),
      sent: v.nullable(v.string()),
      rule: v.string(),
    }),
  ),
});
const delivery = (states: readonly string[]) =>
  v.strictObject({
    lead_id: leadId,
    is_test: v.boolean(),
    delivery_id: leadId,
    destination: v.string(),
    state: v.picklist(states),
    attempt: v.number(),
    revision: v.number(),
    external_id: v.nullable(v.string()),
    evidence: v.optional(v.nullable(v.strictObject({ name: v.string(), zip: v.string() }))),
  });
const event = <const Type extends string, Data extends v.GenericSchema>(type: Type, data: Data) =>
  v.strictObject({ type: v.literal(type), timestamp: time, data });
const schema = v.variant('type', [
  event('lead.accepted', lead),
  event('lead.revised', lead),
  event('delivery.delivered', delivery(['delivered'])),
  event('delivery.failed', delivery(['rejected', 'dead', 'uncertain'])),
  event('webhook.test', v.strictObject({})),
]);

/** Checks the signature with the standard's own library, and returns its error if there is one. */
function signatureBreach({ body, headers }: Exchange, secret: string): string | undefined {
  const signed = Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
      name,
      String(headers[name] ?? ''),
    ]),
  );
  try {
    new Webhook(secret).verify(body, signed);
    return undefined;
  } catch {
    return 'webhook-signature: missing, wrong, or too old';
  }
}

/**
 * Imitates the operator's webhook for events: `POST {path}`, JSON, signed by Standard Webhooks. It
 * remembers ids, so a repeated message has no further effect.
 */
function webhookService(context: SandboxContext): Service {
  const { webhookPath, webhookSecret } = context.credentials;

  const post = judgeJson(schema, ({ type, data }, { headers }) => {
    const id = String(headers['webhook-id']);
    const about = Object.entries(data).filter(
      ([name]) => !['fields', 'changed_answers', 'evidence'].includes(name),
    );
    return act(() => {
      const detail = Object.fromEntries(about.map(([name, value]) => [name, value ?? '']));
      const effect = context.effect({
        service: 'webhook',
        keys: [id],
        detail: { type, ...detail },
        recognise: true,
      });
      return { effect, answer: { status: 204, body: '' } };
    }, id);
  });

  return {
    name: 'webhook',
    title: 'Events (signed webhooks)',
    settings: (url) => ({ WEBHOOK_URL: url + webhookPath, WEBHOOK_SECRETS: webhookSecret }),
    routes: [
      {
        method: 'POST',
        path: '/webhooks/:name',
        handle(exchange) {
          if (exchange.path !== webhookPath) {
            return refuse('webhook path: not known', { status: 404, body: { error: 'not found' } });
          }
          const breach = signatureBreach(exchange, webhookSecret);
          return breach === undefined
            ? post(exchange)
            : refuse(breach, { status: 401, body: { error: breach } });
        },
      },
    ],
  };
}

export const standIns: readonly StandIn[] = [webhookService];
