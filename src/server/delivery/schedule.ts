/**
 * When a delivery is tried again: pauses that grow from 5 seconds to 8 hours, 20 attempts in about
 * 3 days (at least 55 hours even when every pause is at its shortest), then a dead letter.
 *
 * A service that is down over a weekend gets its leads; one that answers late in the night is not
 * hammered; and a short hiccup costs a lead seconds. At least 24 hours have to be bridged.
 */

/** Attempts in one round; an operator's `resend` begins a new round. */
export const MAX_ATTEMPTS = 20;
const FIRST_PAUSE_MS = 5_000;
const GROWTH = 2.2;
const LONGEST_PAUSE_MS = 8 * 60 * 60 * 1000;
/** Each pause is up to this share shorter or longer, so that leads that failed together part. */
const JITTER = 0.2;
/** A Retry-After beyond this is not believed. */
const LONGEST_RETRY_AFTER_MS = 24 * 60 * 60 * 1000;

/**
 * The pause after an attempt that is to be tried again.
 *
 * @param attempt the attempt just made, from 1, counted within the round.
 * @param retryAfterMs what the other side asked for: never less than that (up to 24 hours).
 * @param random in [0, 1).
 * @returns milliseconds, or `dead` when that was the last attempt.
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
