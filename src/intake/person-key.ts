/** Pseudonymous keys that recognise a person without storing who it is (decision 53). */
import { createHmac, hash } from 'node:crypto';

export type PersonKeyKind = 'email' | 'phone';

/**
 * Returns the key of a normalised value: an e-mail address, or a phone number as ten digits. That of a post's SHA-256
 * recognises the post when it is repeated after an erasure.
 */
export type PersonKey = (kind: PersonKeyKind | 'post', value: string) => string;

/** Begins every key; the former unkeyed hashes lack it. */
export const PERSON_KEY_PREFIX = 'k1.';

/** Creates the key function for a secret. Keys have 46 characters and are useless without the secret. */
export function createPersonKey(secret: string): PersonKey {
  return (kind, value) =>
    keyOfHash(secret, unkeyedPersonKey(kind, kind === 'email' ? mailboxOf(value) : value));
}

/**
 * Returns the key that replaces an unkeyed hash: the hash's HMAC. So old entries of the suppression list can be
 * converted although their addresses are no longer known.
 */
export function keyOfHash(secret: string, unkeyed: string): string {
  return PERSON_KEY_PREFIX + createHmac('sha256', secret).update(unkeyed).digest('base64url');
}

/** Returns the unkeyed hash that was the key before keys used a secret. */
export function unkeyedPersonKey(kind: PersonKeyKind | 'post', value: string): string {
  return hash('sha256', `${kind}:${value}`, 'base64url');
}

/**
 * Returns one spelling for all addresses of a mailbox. Only Gmail is known to ignore dots and `+` suffixes and to
 * own two domains. With other providers, two spellings may be two persons.
 */
export function mailboxOf(address: string): string {
  const written = address.toLowerCase();
  const [, local = ''] = /^([^@]+)@(?:gmail|googlemail)\.com$/.exec(written) ?? [];
  const name = local.replace(/\+.*$/, '').replaceAll('.', '');
  return name === '' ? written : `${name}@gmail.com`;
}
