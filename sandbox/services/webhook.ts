import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { type Exchange, isoTime, refuse, type StandIn, takes, uuid } from '../service.ts';

const webhookPath = '/webhooks/sandbox';
const webhookSecret = 'whsec_c2FuZGJveCBzZWNyZXQsIG9mIG5vIHVzZSBlbHNld2hlcmU=';

const lead = v.strictObject({
  lead_id: uuid,
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
    lead_id: uuid,
    is_test: v.boolean(),
    delivery_id: uuid,
    destination: v.string(),
    state: v.picklist(states),
    attempt: v.number(),
    revision: v.number(),
    external_id: v.nullable(v.string()),
    evidence: v.optional(v.nullable(v.strictObject({ name: v.string(), zip: v.string() }))),
  });
const sale = v.strictObject({
  lead_id: uuid,
  is_test: v.boolean(),
  delivery_id: uuid,
  destination: v.string(),
  value: v.nullable(v.number()),
  currency: v.literal('USD'),
  reason: v.optional(v.string()),
  is_kept: v.optional(v.boolean()),
});
const event = <const Type extends string, Data extends v.GenericSchema>(type: Type, data: Data) =>
  v.strictObject({ type: v.literal(type), timestamp: isoTime, data });
const schema = v.variant('type', [
  event('lead.accepted', lead),
  event('lead.revised', lead),
  event('delivery.delivered', delivery(['delivered'])),
  event('delivery.failed', delivery(['rejected', 'dead', 'uncertain'])),
  event('consent.revoked', v.looseObject({ lead_id: uuid, revoked_at: isoTime })),
  ...(['lead.sold', 'lead.signed', 'lead.returned'] as const).map((type) => event(type, sale)),
  event('webhook.test', v.strictObject({})),
]);

/** Returns true if the request has a valid and recent signature of Standard Webhooks. */
function isSigned({ body, headers }: Exchange): boolean {
  try {
    new Webhook(webhookSecret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

const receive = takes('json', schema, ({ type, data }, { headers, effect }) => {
  const key = String(headers['webhook-id']);
  const values = Object.entries(data)
    .filter(([name]) => !['fields', 'changed_answers', 'evidence'].includes(name))
    .map(([name, value]) => [name, value ?? '']);
  effect({ keys: [key], detail: { type, ...Object.fromEntries(values) } });
  return { status: 204, body: '', key };
});

/** The stand-in for the operator's webhook, which receives events about leads. */
export const standIns: readonly StandIn[] = [
  {
    name: 'webhook',
    settings: (url) => ({ WEBHOOK_URL: url + webhookPath, WEBHOOK_SECRETS: webhookSecret }),
    routes: {
      [`POST ${webhookPath}`](exchange) {
        if (isSigned(exchange)) return receive(exchange);
        const error = 'webhook-signature: missing, wrong, or too old';
        return refuse(error, { status: 401, body: { error } });
      },
    },
  },
];
