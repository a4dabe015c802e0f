/** What is stored of a post whose address has written too much (docs/specification.md#address-limit). */
import { maxBodyBytes } from '../../contract/lead.ts';
import { contactFields } from '../../domain/contact-form.ts';
import { isLeadField } from '../../domain/lead/lead-fields.ts';
import { secondsToNextHour } from './address-limit.ts';
import type { HoldReason } from './holds.ts';
import { type AddressBytes, type Clock, OverLimitError } from './ports.ts';

type Body = Readonly<Record<string, unknown>>;

/** An honest post has some three KiB, so one that is not larger is stored whole. */
const SHORT_BYTES = 8 * 1024;
const VALUE_CHARACTERS = 2_000;

/** What a person needs to call the visitor and to prove the consent; the rest only as far as it fits. */
const first: readonly string[] = [
  ...['lead_id', 'survey', 'language', 'first_name', 'last_name', 'phone', 'email', 'zip_code'],
  ...['tcpa', 'consent_version', 'consent_shown_at', 'submitted_at', 'lp_action', ...contactFields],
];

export type FittedBody = {
  readonly body: Body;
  /** Why the address's limit holds it; none: the address is within its limit. */
  readonly holds: readonly HoldReason[];
};

/**
 * Returns the part of a post that its address may still write. Beyond the limit that is at most 8 KiB, out
 * of the reserve, and held.
 * @throws OverLimitError beyond the reserve
 */
export async function fitBody(
  body: Body,
  addressKey: string,
  { addressBytes, now }: { addressBytes: AddressBytes; now: Clock },
): Promise<FittedBody> {
  if (await addressBytes.take(addressKey, bytesOf(body))) return { body, holds: [] };
  const short = shortBody(body);
  if (!(await addressBytes.take(addressKey, bytesOf(short), { reserve: true }))) {
    throw tooManyBytes(now);
  }
  return {
    body: short,
    holds: short === body ? ['over_address_bytes'] : ['over_address_bytes', 'cut_short'],
  };
}

/** Tells a browser to send its post again when the address may write again. */
export function tooManyBytes(now: Clock): OverLimitError {
  return new OverLimitError('too_many_bytes', secondsToNextHour(now()));
}

/** Returns the body itself if it is small, else its known fields, shortened, the most important ones first. */
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

/** Returns how many bytes a body has as JSON; the most of any where it is nested deeper than can be followed. */
export function bytesOf(body: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(body));
  } catch (error) {
    if (error instanceof RangeError) return maxBodyBytes;
    throw error;
  }
}
