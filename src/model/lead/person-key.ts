/** Keyed hashes of contact details, which identify a person without the details (decision 53). */
import { createHmac, hash } from 'node:crypto';

export type PersonKeyKind = 'email' | 'phone';

/** Returns the keyed hash of an e-mail address, a ten-digit phone number or a post's SHA-256. */
export type PersonKey = (kind: PersonKeyKind | 'post', value: string) => string;

export const PERSON_KEY_PREFIX = 'k1.';

/** Creates a `PersonKey`. Its keys have 46 characters, and computing them requires the secret. */
export function createPersonKey(secret: string): PersonKey {
  return (kind, value) => {
    const text = `${kind}:${kind === 'email' ? mailboxOf(value) : value}`;
    const digest = hash('sha256', text, 'base64url');
    return PERSON_KEY_PREFIX + createHmac('sha256', secret).update(digest).digest('base64url');
  };
}

/** Returns one spelling for all spellings of a Gmail address. Lower-cases all other addresses. */
export function mailboxOf(address: string): string {
  const written = address.toLowerCase();
  const [, local = ''] = /^([^@]+)@(?:gmail|googlemail)\.com$/.exec(written) ?? [];
  const name = local.replace(/\+.*$/, '').replaceAll('.', '');
  return name === '' ? written : `${name}@gmail.com`;
}
