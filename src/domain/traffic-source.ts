/** The pool that a visit counts to (docs/specification.md#traffic-source). */
import type { Tracking } from './tracking.ts';

export type TrafficSourcePool = 'google' | 'facebook';

/** 15 of 20 visits go to google, the other 5 to facebook. */
const GOOGLE_SHARE = 15 / 20;

/**
 * The pool: the click's own source where it carries one (gclid is google, fbclid is facebook), else
 * by chance. It chooses which ad script and call-tracking pool a page uses, and is never sent as the
 * lead's source.
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
