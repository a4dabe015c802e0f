/** The keys by which a person is found again without keeping who it is (docs/decisions/0053-person-keys.md). */
import { createHmac, hash } from 'node:crypto';

export type PersonKeyKind = 'email' | 'phone';

/** Returns the key of a normalised value: an e-mail address, or a phone number as ten digits. */
export type PersonKey = (kind: PersonKeyKind, value: string) => string;

/** Begins every key, and tells it from the unkeyed hashes of before. */
export const PERSON_KEY_PREFIX = 'k1.';

/** Makes the keys of one secret: 46 characters each, of no use to anyone without the secret. */
export function createPersonKey(secret: string): PersonKey {
  return (kind, value) =>
    keyOfHash(secret, unkeyedPersonKey(kind, kind === 'email' ? mailboxOf(value) : value));
}

/**
 * Returns the key that takes the place of an unkeyed hash. A key is an HMAC of that hash, so that an entry of
 * the suppression list whose address nobody knows any more still finds its person.
 */
export function keyOfHash(secret: string, unkeyed: string): string {
  return PERSON_KEY_PREFIX + createHmac('sha256', secret).update(unkeyed).digest('base64url');
}

/** Returns the hash that was the key before keys had a secret. */
export function unkeyedPersonKey(kind: PersonKeyKind, value: string): string {
  return hash('sha256', `${kind}:${value}`, 'base64url');
}

/**
 * Returns one spelling for all that reach the same mailbox. Gmail alone is known to ignore dots and what
 * follows a plus sign, and to own both of its domains; elsewhere two spellings may be two persons.
 */
export function mailboxOf(address: string): string {
  const written = address.toLowerCase();
  const [, local = ''] = /^([^@]+)@(?:gmail|googlemail)\.com$/.exec(written) ?? [];
  const name = local.replace(/\+.*$/, '').replaceAll('.', '');
  return name === '' ? written : `${name}@gmail.com`;
}
