/**
 * When a delivery is retried: 20 attempts over about 3 days, with pauses from 5 seconds to 8 hours, then a dead
 * letter. Even the shortest jitter gives 55 hours. A short hiccup costs a lead seconds, and a service that is
 * down over a weekend still gets its leads.
 */

/** Attempts in one round; a resend by an operator starts a new round. */
export const MAX_ATTEMPTS = 20;
const FIRST_PAUSE_MS = 5_000;
const GROWTH = 2.2;
const LONGEST_PAUSE_MS = 8 * 60 * 60 * 1000;
/** Each pause varies by up to this share, so that leads that failed together spread out. */
const JITTER = 0.2;
/** A longer Retry-After is cut to this. */
const LONGEST_RETRY_AFTER_MS = 24 * 60 * 60 * 1000;

/**
 * Returns the milliseconds until the next attempt, or `dead` after the last one.
 *
 * @param attempt the attempt just made, from 1, within the round.
 * @param retryAfterMs the minimum pause that the destination asked for (up to 24 hours counts).
 * @param random a number in [0, 1).
 */
export function nextPause(options: {
  attempt: number;
  retryAfterMs?: number | undefined;
  random: number;
}): number | 'dead' {
  const { attempt, retryAfterMs = 0, random } = options;
  if (attempt >= MAX_ATTEMPTS) return 'dead';
  const regular = Math.min(FIRST_PAUSE_MS * GROWTH ** (attempt - 1), LONGEST_PAUSE_MS);
  const jittered = regular * (1 - JITTER + 2 * JITTER * random);
  const asked = Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS) * (1 + (JITTER / 2) * random);
  return Math.round(Math.max(jittered, asked));
}
