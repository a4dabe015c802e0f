/** A test event to the operator's own system, to see that it hears and that it knows the secret. */
import { randomUUID } from 'node:crypto';
import type { DestinationDefinition, DestinationSetting } from '../destinations/destination.ts';
import { sendTestEvent, webhook } from '../destinations/webhook.ts';
import { OperatorError } from './operator-error.ts';

/**
 * Sends it once.
 * @returns one sentence about what was answered
 * @throws OperatorError where webhooks are off, or it was not taken
 */
export async function testWebhook(
  settings: readonly DestinationSetting[],
  http: Parameters<DestinationDefinition['connect']>[1],
): Promise<string> {
  const setting = settings.find(({ definition }) => definition.name === webhook.name);
  const id = randomUUID();
  const result = setting && (await sendTestEvent(setting, http, { id, now: new Date() }));
  if (result === undefined) {
    throw new OperatorError(
      'refused',
      `Webhooks are off, or a setting is wrong: they need ${webhook.needs.join(' and ')}.`,
    );
  }
  const { outcome, error, httpStatus, durationMs } = result;
  if (outcome !== 'delivered') {
    throw new OperatorError('refused', `The test event ${id} was not taken: ${error ?? outcome}.`);
  }
  return `The test event ${id} was taken: HTTP ${httpStatus}, ${durationMs} ms.`;
}
