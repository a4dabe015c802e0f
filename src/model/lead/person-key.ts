/** Keyed hashes that identify a person without contact details. */
import { createHmac, hash } from 'node:crypto';

export type PersonKeyKind = 'email' | 'phone';

/** Returns the keyed hash of a contact detail. */
export type PersonKey = (kind: PersonKeyKind | 'post', value: string) => string;

export const PERSON_KEY_PREFIX = 'k1.';

/** Returns a `PersonKey` that computes hashes with the secret. */
export function createPersonKey(secret: string): PersonKey {
  return (kind, value) => {
    const text = `${kind}:${kind === 'email' ? mailboxOf(value) : value}`;
    const digest = hash('sha256', text, 'base64url');
    return PERSON_KEY_PREFIX + createHmac('sha256', secret).update(digest).digest('base64url');
  };
}

/** Returns the same text for all spellings of an e-mail address. */
export function mailboxOf(address: string): string {
  const written = address.toLowerCase();
  const [, local = ''] = /^([^@]+)@(?:gmail|googlemail)\.com$/.exec(written) ?? [];
  const name = local.replace(/\+.*$/, '').replaceAll('.', '');
  return name === '' ? written : `${name}@gmail.com`;
}
