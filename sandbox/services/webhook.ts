import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import {
  act,
  type Exchange,
  refuse,
  type SandboxContext,
  type Service,
  type Verdict,
} from '../service.ts';
import { readJson } from '../strict-body.ts';

const time = v.pipe(v.string(), v.isoTimestamp('expected an ISO time'));
const leadId = v.pipe(v.string(), v.uuid('expected a UUID'));
const lead = v.strictObject({
  lead_id: leadId,
  revision: v.number(),
  is_test: v.boolean(),
  fields: v.record(v.string(), v.string()),
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
 * The operator's webhook for events: `POST {path}`, JSON, signed by Standard Webhooks. It remembers ids, so a
 * repeated message has no further effect.
 */
export function webhookService(context: SandboxContext): Service {
  function judge(exchange: Exchange): Verdict {
    const { webhookPath, webhookSecret } = context.credentials;
    if (exchange.path !== webhookPath) {
      return refuse(['webhook path: not known'], { status: 404, body: { error: 'not found' } });
    }
    const breach = signatureBreach(exchange, webhookSecret);
    if (breach !== undefined) return refuse([breach], { status: 401, body: { error: breach } });
    const read = readJson(schema, exchange);
    if (!read.ok) {
      return refuse(read.violations, { status: 400, body: { errors: read.violations } });
    }
    const id = String(exchange.headers['webhook-id']);
    const { type, data } = read.value;
    const { fields: _, ...about } = 'fields' in data ? data : { ...data, fields: undefined };
    return act(() => {
      const { duplicate } = context.effects.apply({
        service: 'webhook',
        keys: [id],
        detail: {
          type,
          ...Object.fromEntries(Object.entries(about).map(([name, value]) => [name, value ?? ''])),
        },
        at: context.now().toISOString(),
        recognise: true,
      });
      return { effect: !duplicate, answer: { status: 204, body: '' } };
    }, id);
  }

  return {
    name: 'webhook',
    title: 'Events (signed webhooks)',
    routes: [{ method: 'POST', path: '/webhooks/:name', handle: judge }],
  };
}
