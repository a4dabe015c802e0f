/**
 * Limits how much of a post is stored if its address has written too much
 * (docs/specification.md#address-limit).
 */

import { contactFields } from '../../model/fields/contact-form.ts';
import { isLeadField } from '../../model/fields/lead-fields.ts';
import { maxBodyBytes } from '../../model/messages/lead.ts';
import type { Clock } from '../platform/clock.ts';
import { OverLimitError } from '../platform/errors.ts';
import { type AddressBytes, msToNextHour } from './address-bytes.ts';
import type { HoldReason } from './holds.ts';

type Body = Readonly<Record<string, unknown>>;

/** A genuine post has about 3 KiB; bodies up to this size are stored whole. */
const SHORT_BYTES = 8 * 1024;
const VALUE_CHARACTERS = 2_000;
/** Counted for each post besides its body: the disk space of an empty lead's rows. */
export const POST_BYTES = 4 * 1024;

/** The fields needed to call the visitor and to prove the consent. They are stored first. */
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
 * Returns the part of a post that its address may still write. Beyond the limit, the reserve takes up to 8 KiB
 * of each post, which is then held.
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

/** Returns the error that makes a browser retry when its address may write again. */
export function tooManyBytes(now: Clock): OverLimitError {
  return new OverLimitError('too_many_bytes', Math.ceil(msToNextHour(now()) / 1000));
}

/** Returns a small body unchanged; of a large one the known fields, shortened, the most important first. */
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

/** Returns the size of a body as JSON, in bytes; `maxBodyBytes` if it is nested too deeply to serialise. */
export function bytesOf(body: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(body));
  } catch (error) {
    if (error instanceof RangeError) return maxBodyBytes;
    throw error;
  }
}
