import type { Command } from 'commander';
import { testWebhook } from '../server/operators/webhook-test.ts';
import { destinationSettings, outgoingHttp } from './connect.ts';

/** Adds `leads webhook-test`: sends a test event to the operator's own system. */
export function addWebhookTest(program: Command): void {
  program
    .command('webhook-test')
    .description('Sends one signed "webhook.test" event to WEBHOOK_URL and shows the answer.')
    .action(async () => {
      const http = outgoingHttp();
      try {
        console.log(await testWebhook(destinationSettings(), http));
      } finally {
        await http.close();
      }
    });
}
