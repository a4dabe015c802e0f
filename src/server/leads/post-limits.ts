/** Limits the posts of one lead and the bytes of one address (docs/specification.md#address-limit). */
import { contactFields } from '../../model/fields/contact-form.ts';
import { isLeadField } from '../../model/fields/lead-fields.ts';
import { maxBodyBytes } from '../../model/messages/lead.ts';
import type { HoldReason } from '../../model/messages/vocabulary.ts';
import type { Clock } from '../platform/clock.ts';
import { createRequestCounts, type RequestCounts } from '../platform/database/request-counts.ts';
import { OverLimitError } from '../platform/errors.ts';
import { setLatest } from '../platform/latest.ts';

const MINUTE_MS = 60_000;
/** Maximum number of posts per minute with one lead id and secret. A retrying browser sends only a few. */
const POSTS_PER_MINUTE = 30;
/** Period in which a lead with too many unauthorized posts accepts no more unauthorized posts. */
const FULL_FOR_MS = 10 * MINUTE_MS;
/** The `Retry-After` of a post beyond a lead's limits. */
export const LATER_SECONDS = 3_600;
/** Maximum number of lead ids to store. The oldest are dropped first. */
const MAX_REMEMBERED = 50_000;

export type PostGuard = ReturnType<typeof createPostGuard>;

/** @param counts Default: only this process's posts are counted */
export function createPostGuard(now: Clock, counts: RequestCounts = createRequestCounts(now)) {
  const full = new Map<string, { ownerSha256: string | null; endsAtMs: number }>();
  return {
    /** @throws OverLimitError if the limit is reached */
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
    /** Refuses posts to the lead for ten minutes, except the owner's. */
    closeFor(leadId: string, ownerSha256: string | null) {
      const endsAtMs = now().getTime() + FULL_FOR_MS;
      setLatest(full, leadId, { ownerSha256, endsAtMs }, MAX_REMEMBERED);
    },
  };
}

export const HOUR_MS = 60 * 60 * 1000;

/** Returns the milliseconds until the next clock hour, when an address may write again. */
function msToNextHour(now: Date): number {
  return HOUR_MS - (now.getTime() % HOUR_MS);
}

export type AddressBytes = ReturnType<typeof createAddressBytes>;

/**
 * Counts the bytes that each address writes in a clock hour (docs/specification.md#address-limit).
 * @param options.counts counts per hour
 * @param options.limit bytes per hour; 0: no limit
 * @param options.isOver called when an address exceeds its limit
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
     * Counts bytes that an address is about to write, and returns whether they are permitted. Never throws.
     * @param options.reserve whether the bytes may use the reserve, which is as large as the limit
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

type Body = Readonly<Record<string, unknown>>;

/** Bodies up to this size are stored whole. A genuine post has about 3 KiB. */
const SHORT_BYTES = 8 * 1024;
const VALUE_CHARACTERS = 2_000;
/** Bytes counted for each post in addition to its body: the disk space of an empty lead's rows. */
export const POST_BYTES = 4 * 1024;

/** The fields needed to call the visitor and to prove the consent. A shortened body contains them first. */
const first: readonly string[] = [
  ...['lead_id', 'survey', 'language', 'first_name', 'last_name', 'phone', 'email', 'zip_code'],
  ...['tcpa', 'consent_version', 'consent_shown_at', 'consent_seen', 'submitted_at', 'lp_action'],
  ...contactFields,
];

export type FittedBody = {
  readonly body: Body;
  /** Empty if the address is within its limit. */
  readonly holds: readonly HoldReason[];
};

/**
 * Returns the part of a post that its address may still write. Beyond the limit, 8 KiB are stored and the lead is held.
 * @throws OverLimitError beyond the reserve
 */
export async function fitBody(
  body: Body,
  networkKey: string,
  { addressBytes, now }: { addressBytes: AddressBytes; now: Clock },
): Promise<FittedBody> {
  if (await addressBytes.take(networkKey, POST_BYTES + bytesOf(body))) return { body, holds: [] };
  const short = shortBody(body);
  if (!(await addressBytes.take(networkKey, POST_BYTES + bytesOf(short), { reserve: true }))) {
    throw tooManyBytes(now);
  }
  return {
    body: short,
    holds: short === body ? ['over_address_bytes'] : ['over_address_bytes', 'cut_short'],
  };
}

/** Returns an error that makes the browser retry when its address may write again. */
export function tooManyBytes(now: Clock): OverLimitError {
  return new OverLimitError('too_many_bytes', Math.ceil(msToNextHour(now()) / 1000));
}

/** Returns a small body unchanged. For a large body, returns its known fields, shortened, most important first. */
export function shortBody(body: Body): Body {
  if (bytesOf(body) <= SHORT_BYTES) return body;
  const short: Record<string, string> = {};
  let left = SHORT_BYTES;
  for (const name of new Set([...first, ...Object.keys(body).filter(isLeadField)])) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    if (typeof value !== 'string' || value === '') continue;
    const text = value.slice(0, VALUE_CHARACTERS).toWellFormed();
    left -= bytesOf({ [name]: text });
    if (left < 0) break;
    short[name] = text;
  }
  return short;
}

/** Returns the size of a body as JSON, in bytes, or `maxBodyBytes` if it is nested too deeply to serialise. */
export function bytesOf(body: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(body));
  } catch (error) {
    if (error instanceof RangeError) return maxBodyBytes;
    throw error;
  }
}
