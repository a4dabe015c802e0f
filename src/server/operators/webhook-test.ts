/** Sends a test event to the operator's webhook, to check the address and the secret. */
import { randomUUID } from 'node:crypto';
import type { DestinationDefinition, DestinationSetting } from '../destinations/destination.ts';
import { sendTestEvent, webhook } from '../destinations/webhook.ts';
import { refused } from './operator-error.ts';

/**
 * Sends one test event.
 * @returns one sentence about the answer
 * @throws OperatorError when webhooks are off or the event was not accepted
 */
export async function testWebhook(
  settings: readonly DestinationSetting[],
  http: Parameters<DestinationDefinition['connect']>[1],
): Promise<string> {
  const setting = settings.find(({ definition }) => definition.name === webhook.name);
  const id = randomUUID();
  const result = setting && (await sendTestEvent(setting, http, { id, now: new Date() }));
  if (result === undefined) {
    throw refused(
      `Webhooks are off, or a setting is wrong: they need ${webhook.needs.join(' and ')}.`,
    );
  }
  const { outcome, error, httpStatus, durationMs } = result;
  if (outcome !== 'delivered') {
    throw refused(`The test event ${id} was not accepted: ${error ?? outcome}.`);
  }
  return `The test event ${id} was accepted: HTTP ${httpStatus}, ${durationMs} ms.`;
}
