/** Refuses posts beyond a lead's limits early, before anything is built. */
import type { Clock } from '../platform/clock.ts';
import { createRequestCounts, type RequestCounts } from '../platform/database/request-counts.ts';
import { OverLimitError } from '../platform/errors.ts';
import { setLatest } from '../platform/latest.ts';

const MINUTE_MS = 60_000;
/** Posts per minute with one lead id and secret; a retrying browser sends only a few. */
const POSTS_PER_MINUTE = 30;
/** How long to remember that a lead accepts no more disputed posts. */
const FULL_FOR_MS = 10 * MINUTE_MS;
/** The `Retry-After` of a post beyond a lead's limits. */
export const LATER_SECONDS = 3_600;
/** How many ids to remember; the oldest are dropped first. */
const MAX_REMEMBERED = 50_000;

export type PostGuard = ReturnType<typeof createPostGuard>;

/** @param counts Default: of this process only */
export function createPostGuard(now: Clock, counts: RequestCounts = createRequestCounts(now)) {
  const full = new Map<string, { ownerSha256: string | null; endsAtMs: number }>();
  return {
    /** @throws OverLimitError */
    async admit(leadId: string, secretSha256: string | null) {
      const nowMs = now().getTime();
      const closed = full.get(leadId);
      if (closed && nowMs < closed.endsAtMs) {
        const isOwner = closed.ownerSha256 !== null && closed.ownerSha256 === secretSha256;
        if (!isOwner) throw new OverLimitError('too_many_posts', LATER_SECONDS);
      }
      const key = `posts ${leadId} ${secretSha256}`;
      const { isWithin, endsInMs } = await counts.take(key, POSTS_PER_MINUTE);
      if (!isWithin) {
        throw new OverLimitError('too_many_posts', Math.ceil(endsInMs / 1000));
      }
    },
    /** Refuses disputed posts of a lead for a while; only its owner's posts are admitted. */
    closeFor(leadId: string, ownerSha256: string | null) {
      const endsAtMs = now().getTime() + FULL_FOR_MS;
      setLatest(full, leadId, { ownerSha256, endsAtMs }, MAX_REMEMBERED);
    },
  };
}
