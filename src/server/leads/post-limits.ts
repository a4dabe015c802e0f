/**
 * Limits how often one lead may be posted, and how many bytes an IP address may send in an hour
 * (docs/specification.md#address-limit).
 */
import { contactFields } from '../../model/fields/contact-form.ts';
import { isLeadField } from '../../model/fields/lead-fields.ts';
import { maxBodyBytes } from '../../model/messages/lead.ts';
import type { HoldReason } from '../../model/messages/vocabulary.ts';
import type { Clock } from '../platform/clock.ts';
import { createRequestCounts, type RequestCounts } from '../platform/database/request-counts.ts';
import { OverLimitError } from '../platform/errors.ts';
import { setLatest } from '../platform/latest.ts';

const MINUTE_MS = 60_000;
/** Maximum number of posts per minute with one lead id and secret. Retries need far fewer. */
const POSTS_PER_MINUTE = 30;
/** Time for which the server refuses posts without a lead's secret after too many such posts. */
const FULL_FOR_MS = 10 * MINUTE_MS;
/** Seconds after which a client may post again to a lead that got too many posts. */
export const LATER_SECONDS = 3_600;
const MAX_LEADS = 50_000;

export type PostGuard = ReturnType<typeof createPostGuard>;

/** Creates the guard that limits the posts of each lead. */
export function createPostGuard(now: Clock, counts: RequestCounts = createRequestCounts(now)) {
  const full = new Map<string, { ownerSha256: string | null; endsAtMs: number }>();
  return {
    /** Counts a post. @throws OverLimitError beyond the limit */
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
    /** Refuses all posts to a lead for ten minutes, except posts with the owner's secret. */
    closeFor(leadId: string, ownerSha256: string | null) {
      const endsAtMs = now().getTime() + FULL_FOR_MS;
      setLatest(full, leadId, { ownerSha256, endsAtMs }, MAX_LEADS);
    },
  };
}

export const HOUR_MS = 60 * 60 * 1000;

export type AddressBytes = ReturnType<typeof createAddressBytes>;

/** Creates the counter of the bytes that one IP address or IPv6 network sends in an hour. */
export function createAddressBytes(options: {
  counts: RequestCounts;
  limit: number;
  isOver(): void;
  now: Clock;
}) {
  const { counts, limit, isOver, now } = options;
  return {
    /** Counts bytes. Returns false if the limit is exceeded. `reserve` doubles the limit. */
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

/** A body is shortened only if it is larger than this. A usual body has about 3 KiB. */
const SHORT_BYTES = 8 * 1024;
const VALUE_CHARACTERS = 2_000;
/** Number of bytes that are counted for each post in addition to the body. */
export const POST_BYTES = 4 * 1024;

/** The fields that a shortened body keeps before all other fields. */
const first: readonly string[] = [
  ...['lead_id', 'survey', 'language', 'first_name', 'last_name', 'phone', 'email', 'zip_code'],
  ...['tcpa', 'consent_version', 'consent_shown_at', 'consent_seen', 'submitted_at', 'lp_action'],
  ...contactFields,
];

export type FittedBody = {
  readonly body: Body;
  readonly holds: readonly HoldReason[];
};

/**
 * Returns the body, which is shortened if the IP address has sent too many bytes.
 * @throws OverLimitError if the IP address has sent twice the permitted bytes
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

/** Returns the error that tells the browser to post again in the next clock hour. */
export function tooManyBytes(now: Clock): OverLimitError {
  const endsInMs = HOUR_MS - (now().getTime() % HOUR_MS);
  return new OverLimitError('too_many_bytes', Math.ceil(endsInMs / 1000));
}

/** Shortens a body of over 8 KiB to its most important lead fields. */
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

/** Returns the size of a body as JSON, in bytes. */
export function bytesOf(body: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(body));
  } catch (error) {
    if (error instanceof RangeError) return maxBodyBytes;
    throw error;
  }
}
