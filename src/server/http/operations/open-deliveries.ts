/** Watches the delivery queue for monitoring. */

import type { OpenDeliveries } from '../../delivery/index.ts';
import { inTime } from '../../platform/in-time.ts';

/** A caller waits no longer than this for the database. */
const ANSWER_MS = 1_000;
/** How long the result of a read is reused. */
const KEEP_MS = 5_000;

/**
 * Returns a function that reads on demand, at most every few seconds and one read at a time.
 *
 * @param read may be slow or fail
 * @returns undefined from the function if the database did not answer within a second. Never rejects.
 */
export function watchOpenDeliveries(
  read: () => Promise<OpenDeliveries>,
  { answerMs = ANSWER_MS, keepMs = KEEP_MS }: { answerMs?: number; keepMs?: number } = {},
): () => Promise<OpenDeliveries | undefined> {
  let look: Promise<OpenDeliveries | undefined> | undefined;
  let endedAtMs: number | undefined;

  function current(): Promise<OpenDeliveries | undefined> {
    const isOld = endedAtMs !== undefined && performance.now() - endedAtMs >= keepMs;
    if (look && !isOld) return look;
    endedAtMs = undefined;
    look = read()
      .catch(() => undefined)
      .finally(() => {
        endedAtMs = performance.now();
      });
    return look;
  }

  return () => inTime(current(), answerMs);
}
