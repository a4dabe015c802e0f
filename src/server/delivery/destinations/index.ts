import { automation } from './automation.ts';
import type { DestinationDefinition } from './destination.ts';
import { everflow } from './everflow.ts';
import { exchange } from './exchange.ts';
import { google } from './google.ts';
import { contact, ingest } from './lead-prosper.ts';
import { meta } from './meta.ts';
import { microsoft } from './microsoft.ts';
import { tiktok } from './tiktok.ts';
import { trustedform } from './trustedform.ts';
import { webhook } from './webhook.ts';

export { withAdRuling } from './conversion.ts';
export type {
  ConnectedDestination,
  DestinationDefinition,
  DestinationSetting,
  PlannedLead,
  ProbeResult,
  SendRequest,
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
  meta,
  tiktok,
  everflow,
];

/** The destinations that buy leads. */
export const buyers = destinations.filter((each) => !each.buysNothing && !each.events);

/** Returns a destination's definition; `ingest/smith` has that of `ingest`. Undefined if there is none. */
export function definitionOf(name: string): DestinationDefinition | undefined {
  const [kind] = name.split('/', 1);
  return destinations.find((each) => each.name === kind);
}

/** Returns whether a destination buys leads. */
export function isBuyer(name: string): boolean {
  return buyers.some((each) => each === definitionOf(name));
}

const BUYERS = buyers.map(({ name }) => `'${name}'`).join();

/** Returns an SQL condition: true if a destination buys leads (`isBuyer`). */
export const buysLeads = (destination: string) =>
  `split_part(${destination}, '/', 1) in (${BUYERS})`;
