/** Counts requests per minute, in all processes together (docs/decisions/0020-address-limits.md). */
import type { Clock } from './clock.ts';
import { setLatest } from './latest.ts';

const MINUTE_MS = 60_000;
/**
 * A process reports a key whenever it has counted this share of the limit. Together all may exceed it by this share for
 * every process beyond the first.
 */
const SHARE = 1 / 10;
/** Maximum number of keys in memory; the oldest are dropped first. */
const MAX_KEYS = 50_000;

/** The count of one minute, and its end. */
export type RequestCount = { readonly requests: number; readonly endsInMs: number };

export type RequestCounts = {
  /**
   * Counts one request. Never throws.
   * @param limit of requests in a minute; beyond it the caller refuses
   */
  add(key: string, limit: number): Promise<RequestCount>;
};

/**
 * Counts in memory, and reports only busy keys: an ordinary visitor costs no statement.
 *
 * @param report adds requests to the count of all processes and returns it; undefined if it is unreachable.
 * Default: there is one process
 */
export function createRequestCounts(options: {
  now: Clock;
  report?: (key: string, requests: number) => Promise<RequestCount | undefined>;
}): RequestCounts {
  const { now, report } = options;
  const windows = new Map<string, { known: number; own: number; endsAtMs: number }>();

  return {
    async add(key, limit) {
      const nowMs = now().getTime();
      let window = windows.get(key);
      if (window === undefined || nowMs >= window.endsAtMs) {
        window = { known: 0, own: 0, endsAtMs: nowMs + MINUTE_MS };
        setLatest(windows, key, window, MAX_KEYS);
      }
      window.own += 1;
      // A flood beyond the limit needs no further report.
      const isWithin = window.known + window.own <= limit;
      if (report && isWithin && window.own >= limit * SHARE) {
        const { own } = window;
        window.known += own;
        window.own = 0;
        const all = await report(key, own);
        if (all) {
          window.known = Math.max(window.known, all.requests);
          window.endsAtMs = nowMs + all.endsInMs;
        }
      }
      return { requests: window.known + window.own, endsInMs: window.endsAtMs - nowMs };
    },
  };
}
