/**
 * Limits how often one lead may be posted, and how many bytes an IP address may send in an hour
 * (docs/specification.md#address-limit).
 */
import { maxBodyBytes } from '../../model/messages/lead.ts';
import type { Clock } from '../platform/clock.ts';
import type { RequestCounts } from '../platform/database/request-counts.ts';
import { OverLimitError } from '../platform/errors.ts';

/** Maximum number of posts per minute with one lead id and secret. Retries need far fewer. */
const POSTS_PER_MINUTE = 30;
/** Seconds after which a client may post again to a lead that got too many posts. */
export const LATER_SECONDS = 3_600;

/** Counts a post of a lead. @throws OverLimitError beyond the limit */
export async function countPost(
  counts: RequestCounts,
  leadId: string,
  secretSha256: string | null,
): Promise<void> {
  const key = `posts ${leadId} ${secretSha256}`;
  const { isWithin, endsInMs } = await counts.take(key, POSTS_PER_MINUTE);
  if (!isWithin) throw new OverLimitError('too_many_posts', Math.ceil(endsInMs / 1000));
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

/** Number of bytes that are counted for each post in addition to the body. */
export const POST_BYTES = 4 * 1024;

/**
 * Counts the bytes of a post. Returns true if the IP address has sent too many, so that the lead
 * must be held.
 * @throws OverLimitError if the IP address has sent twice the permitted bytes
 */
export async function isOverBytes(
  body: Readonly<Record<string, unknown>>,
  networkKey: string,
  { addressBytes, now }: { addressBytes: AddressBytes; now: Clock },
): Promise<boolean> {
  const bytes = POST_BYTES + bytesOf(body);
  if (await addressBytes.take(networkKey, bytes)) return false;
  if (await addressBytes.take(networkKey, bytes, { reserve: true })) return true;
  throw tooManyBytes(now);
}

/** Returns the error that tells the browser to post again in the next clock hour. */
export function tooManyBytes(now: Clock): OverLimitError {
  const endsInMs = HOUR_MS - (now().getTime() % HOUR_MS);
  return new OverLimitError('too_many_bytes', Math.ceil(endsInMs / 1000));
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
