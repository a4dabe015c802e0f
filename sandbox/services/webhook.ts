import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { credentials } from '../credentials.ts';
import { act, type Exchange, refuse, type StandIn, takes } from '../service.ts';

const { webhookPath, webhookSecret } = credentials;

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
const sale = v.strictObject({
  lead_id: leadId,
  is_test: v.boolean(),
  delivery_id: leadId,
  destination: v.string(),
  value: v.nullable(v.number()),
  currency: v.literal('USD'),
  reason: v.optional(v.string()),
});
const event = <const Type extends string, Data extends v.GenericSchema>(type: Type, data: Data) =>
  v.strictObject({ type: v.literal(type), timestamp: time, data });
const schema = v.variant('type', [
  event('lead.accepted', lead),
  event('lead.revised', lead),
  event('delivery.delivered', delivery(['delivered'])),
  event('delivery.failed', delivery(['rejected', 'dead', 'uncertain'])),
  event('consent.revoked', v.looseObject({ lead_id: leadId, revoked_at: time })),
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

/** The stand-in for the operator's webhook, which receives events about leads. */
export const standIns: readonly StandIn[] = [
  ({ effect }) => {
    const receive = takes('json', schema, ({ type, data }, { headers }) => {
      const id = String(headers['webhook-id']);
      const about = Object.entries(data).filter(
        ([name]) => !['fields', 'changed_answers', 'evidence'].includes(name),
      );
      const values = about.map(([name, value]) => [name, value ?? '']);
      return act(() => {
        const detail = { type, ...Object.fromEntries(values) };
        const isNew = effect({ service: 'webhook', keys: [id], detail });
        return { status: 204, body: '', effect: isNew };
      }, id);
    });

    return {
      name: 'webhook',
      settings: (url) => ({ WEBHOOK_URL: url + webhookPath, WEBHOOK_SECRETS: webhookSecret }),
      routes: {
        [`POST ${webhookPath}`](exchange) {
          if (isSigned(exchange)) return receive(exchange);
          const error = 'webhook-signature: missing, wrong, or too old';
          return refuse(error, { status: 401, body: { error } });
        },
      },
    };
  },
];
