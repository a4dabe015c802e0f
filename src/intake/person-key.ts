/** The keys by which a person is found again without keeping who it is (decision 16). */
import { hash } from 'node:crypto';

export type PersonKeyKind = 'email' | 'phone';

/**
 * SHA-256 of the kind and the value, base64url, 43 characters.
 * @param value normalised: an address in lower case, a phone number as ten digits
 */
export function personKey(kind: PersonKeyKind, value: string): string {
  return hash('sha256', `${kind}:${value}`, 'base64url');
}
