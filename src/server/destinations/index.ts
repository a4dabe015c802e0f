import { automation } from './automation.ts';
import { contact } from './contact.ts';
import type { DestinationDefinition } from './destination.ts';
import { exchange } from './exchange.ts';
import { ingest } from './ingest.ts';
import { trustedform } from './trustedform.ts';
import { webhook } from './webhook.ts';

/**
 * Every third party that leads are sent to, and who is told of them. Settings, survey table, deliveries,
 * operators' command and sandbox read this list; adding one is a file of its own, a line here and its
 * stand-in in the sandbox.
 */
export const destinations: readonly DestinationDefinition[] = [
  ingest,
  exchange,
  automation,
  trustedform,
  webhook,
  contact,
];
