import { automation } from './automation.ts';
import type { DestinationDefinition } from './destination.ts';
import { exchange } from './exchange.ts';
import { google } from './google.ts';
import { contact, ingest } from './lead-prosper.ts';
import { microsoft } from './microsoft.ts';
import { trustedform } from './trustedform.ts';
import { webhook } from './webhook.ts';

export type {
  ConnectedDestination,
  DestinationDefinition,
  DestinationSetting,
  PlannedLead,
  ProbeResult,
} from './destination.ts';
export { type DestinationEvent, timed } from './event.ts';
export { probeCall } from './http-send.ts';

/** All destinations. To add one, write a file, a line here, and a stand-in in `sandbox/services/`. */
export const destinations: readonly DestinationDefinition[] = [
  ingest,
  exchange,
  automation,
  trustedform,
  webhook,
  contact,
  google,
  microsoft,
];

/** The destinations that buy leads. */
export const buyers = destinations.filter((each) => !each.buysNothing && !each.events);
