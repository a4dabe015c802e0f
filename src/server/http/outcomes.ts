/** Takes signed messages in which buyers report outcomes, one each (docs/webhooks.md#reports-of-buyers). */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { type NewOutcome, readOutcome } from '../money/index.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { perMinute } from './limits.ts';
import { sendProblem } from './problem.ts';
import type { ApiOptions } from './use-cases.ts';

const MOST_BYTES = 64 * 1024;
const MESSAGES_PER_MINUTE = 600;
/** Matches a `webhook-id`, which identifies the outcome. */
const MESSAGE_ID = /^[\x21-\x7e]{1,200}$/;

/** Adds the route for outcomes if OUTCOME_SECRETS names a buyer. */
export const outcomeRoutes: FastifyPluginAsync<ApiOptions> = async (
  app,
  { useCases, settings: { outcomeSecrets = {} } },
) => {
  if (Object.keys(outcomeSecrets).length === 0) return;
  const secrets = Object.entries(outcomeSecrets).flatMap(([buyer, ofBuyer]) =>
    ofBuyer.map((secret) => [buyer, new Webhook(secret)] as const),
  );
  // Keeps the bytes as received, because the signature is over them.
  app.removeAllContentTypeParsers();
  const asBytes = { parseAs: 'buffer', bodyLimit: MOST_BYTES } as const;
  app.addContentTypeParser('application/json', asBytes, async (_: unknown, body: Buffer) => body);
  const config = { rateLimit: perMinute(MESSAGES_PER_MINUTE) };
  app.post('/outcomes', { config }, async (request, reply) => {
    const refuse = (detail: string) => sendProblem(reply, 400, 'invalid_request', detail);
    const signed = readSigned(request, secrets);
    if ('problem' in signed) return sendProblem(reply, 403, 'not_allowed', signed.problem);
    const { id, buyer, sentAt, text } = signed;
    if (!MESSAGE_ID.test(id)) return refuse('"webhook-id" must be 1 to 200 visible characters.');
    let outcome: NewOutcome;
    try {
      const { data } = (JSON.parse(text) ?? {}) as { readonly data?: unknown };
      outcome = { id: `${buyer} ${id}`, ...readOutcome(data, new Date(), sentAt) };
    } catch (error) {
      if (error instanceof SyntaxError) return sendProblem(reply, 400, 'not_json');
      if (error instanceof OperatorError) return refuse(error.message);
      throw error;
    }
    return reply
      .header('cache-control', 'no-store')
      .send(await useCases.takeOutcome(buyer, outcome));
  });
};

/** Verifies the signature and the time of a message. The buyer is the one whose secret signed the message. */
function readSigned(
  { body, headers }: FastifyRequest,
  secrets: readonly (readonly [buyer: string, Webhook])[],
) {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  const given = headers as Record<string, string>;
  const { 'webhook-id': id = '', 'webhook-timestamp': seconds = '' } = given;
  let problem = '';
  for (const [buyer, secret] of secrets) {
    try {
      secret.verify(bytes, given, { jsonParse: false });
      const sentAt = new Date(Number.parseInt(seconds, 10) * 1000);
      return { id, buyer, sentAt, text: bytes.toString() };
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      problem = `The signature is refused: ${error.message}.`;
    }
  }
  return { problem };
}
