import type { Clock } from '../platform/clock.ts';
import type { RequestCounts } from '../platform/database/request-counts.ts';

export const HOUR_MS = 60 * 60 * 1000;

/** Returns the milliseconds until the next clock hour, when an address may write again. */
export function msToNextHour(now: Date): number {
  return HOUR_MS - (now.getTime() % HOUR_MS);
}

export type AddressBytes = ReturnType<typeof createAddressBytes>;

/**
 * Counts the bytes that each address writes in a clock hour (docs/specification.md#address-limit).
 *
 * @param options.counts counts per hour
 * @param options.limit bytes per hour; 0: no limit
 * @param options.isOver called when an address is over its limit
 */
export function createAddressBytes(options: {
  counts: RequestCounts;
  limit: number;
  isOver(): void;
  now: Clock;
}) {
  const { counts, limit, isOver, now } = options;
  return {
    /**
     * Counts bytes that are about to be written for an address, and returns whether they are permitted. Never throws.
     * @param options.reserve whether they may use the reserve, which is as large as the limit itself
     */
    async take(networkKey: string, bytes: number, { reserve = false } = {}): Promise<boolean> {
      if (limit === 0) return true;
      const hour = Math.floor(now().getTime() / HOUR_MS);
      const key = `bytes ${hour} ${networkKey}`;
      const { isWithin } = await counts.take(key, reserve ? 2 * limit : limit, bytes);
      if (!isWithin) isOver();
      return isWithin;
    },
  };
}
