import type { Clock } from './ports.ts';

const HOUR_MS = 60 * 60 * 1000;
/** Addresses that are remembered at most; the oldest window goes first. */
const MAX_ADDRESSES = 100_000;

/** Counts leads by address within this process. */
export type AddressLimit = {
  /** Counts one; answers whether the address is over its limit with it. */
  exceeds(addressKey: string): boolean;
  /** Takes one back: it was no new lead. */
  giveBack(addressKey: string): void;
};

/**
 * Leads of one address in one hour (windows that begin with the address's first lead).
 * @param perHour more than these exceed the limit; 0: no limit
 * @param onExceeded called once a window, when an address goes over the limit
 */
export function createAddressLimit(
  perHour: number,
  now: Clock,
  onExceeded: () => void = () => undefined,
): AddressLimit {
  const windows = new Map<string, { startedAtMs: number; count: number; isReported?: true }>();
  return {
    exceeds(addressKey) {
      if (perHour === 0) return false;
      const nowMs = now().getTime();
      let window = windows.get(addressKey);
      if (window === undefined || nowMs - window.startedAtMs >= HOUR_MS) {
        window = { startedAtMs: nowMs, count: 0 };
        windows.delete(addressKey);
        windows.set(addressKey, window);
        if (windows.size > MAX_ADDRESSES) {
          const [oldest] = windows.keys();
          if (oldest !== undefined) windows.delete(oldest);
        }
      }
      window.count += 1;
      const isOver = window.count > perHour;
      if (isOver && !window.isReported) {
        window.isReported = true;
        onExceeded();
      }
      return isOver;
    },
    giveBack(addressKey) {
      const window = windows.get(addressKey);
      if (window && window.count > 0) window.count -= 1;
    },
  };
}
