/** The traffic pool of a visit (docs/specification.md#traffic-source). */
import type { Tracking } from './tracking.ts';

export type TrafficSourcePool = 'google' | 'facebook';

/** 15 of 20 visits go to google, the other 5 to facebook. */
const GOOGLE_SHARE = 15 / 20;

/**
 * Returns the pool that chooses a page's ad script and call-tracking numbers: google for a gclid,
 * facebook for a fbclid, else by chance. It is not sent as the lead's source.
 *
 * @param chance a random number, 0 to below 1
 */
export function trafficSourcePool(
  { gclid, fbclid }: Pick<Tracking, 'gclid' | 'fbclid'>,
  chance: number,
): TrafficSourcePool {
  if (gclid) return 'google';
  return fbclid || chance >= GOOGLE_SHARE ? 'facebook' : 'google';
}
