/** JSON in its one canonical form (RFC 8785). */
import canonicalize from 'canonicalize';
import { type Bytes, equal, fromUtf8, Refusal, utf8 } from './bytes.ts';

/** @throws if the value has no canonical form */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Refusal(`no JSON: ${typeof value}`);
  return text;
}

/**
 * Reads JSON that is in canonical form. Anything else is refused, such as duplicate keys, other spellings of a
 * number, or spaces.
 *
 * @throws Refusal
 */
export function parseCanonical(bytes: Bytes): unknown {
  let value: unknown;
  try {
    value = JSON.parse(fromUtf8(bytes));
  } catch {
    throw new Refusal('not JSON');
  }
  if (!equal(utf8(canonicalJson(value)), bytes)) throw new Refusal('not in canonical form');
  return value;
}
