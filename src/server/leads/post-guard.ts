/** Turns away, before anything is built or read, what would only be turned away after it. */
import { type Clock, OverLimitError } from './ports.ts';

const MINUTE_MS = 60_000;
/** Posts of one lead id and secret in a minute; a browser that retries sends a handful. */
const POSTS_PER_MINUTE = 30;
/** How long it is remembered that an id takes no more claims. */
const FULL_FOR_MS = 10 * MINUTE_MS;
/** When a post that is beyond a lead's limits may be tried again. */
export const LATER_SECONDS = 3_600;
/** Ids that are remembered at most; the oldest go first. */
const MAX_REMEMBERED = 50_000;

export type PostGuard = {
  /** @throws OverLimitError */
  admit(leadId: string, secretSha256: string | null): void;
  /** The lead takes no more claims: only its owner's posts are looked at for a while. */
  closeFor(leadId: string, ownerSha256: string | null): void;
};

export function createPostGuard(now: Clock): PostGuard {
  const counts = new Map<string, { posts: number; endsAtMs: number }>();
  const full = new Map<string, { ownerSha256: string | null; endsAtMs: number }>();
  return {
    admit(leadId, secretSha256) {
      const nowMs = now().getTime();
      const closed = full.get(leadId);
      if (closed && nowMs < closed.endsAtMs) {
        const isOwner = closed.ownerSha256 !== null && closed.ownerSha256 === secretSha256;
        if (!isOwner) throw new OverLimitError('too_many_posts', LATER_SECONDS);
      }
      const key = `${leadId} ${secretSha256}`;
      let window = counts.get(key);
      if (window === undefined || nowMs >= window.endsAtMs) {
        window = { posts: 0, endsAtMs: nowMs + MINUTE_MS };
        remember(counts, key, window, nowMs);
      }
      window.posts += 1;
      if (window.posts > POSTS_PER_MINUTE) {
        const seconds = Math.ceil((window.endsAtMs - nowMs) / 1000);
        throw new OverLimitError('too_many_posts', seconds);
      }
    },
    closeFor(leadId, ownerSha256) {
      const nowMs = now().getTime();
      remember(full, leadId, { ownerSha256, endsAtMs: nowMs + FULL_FOR_MS }, nowMs);
    },
  };
}

/** Puts a key last, and lets the first go that are over, or too many. */
function remember<Value extends { endsAtMs: number }>(
  map: Map<string, Value>,
  key: string,
  value: Value,
  nowMs: number,
): void {
  map.delete(key);
  map.set(key, value);
  for (const [oldest, { endsAtMs }] of map) {
    if (endsAtMs > nowMs && map.size <= MAX_REMEMBERED) return;
    map.delete(oldest);
  }
}
