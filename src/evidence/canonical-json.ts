/** JSON in its one canonical form (RFC 8785). */
import { type Bytes, equal, fromUtf8, Refusal, utf8 } from './bytes.ts';

/** The deepest nesting that is read or written. */
const DEEPEST = 32;

/** @throws Refusal if the value has no canonical form */
export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > DEEPEST) throw new Refusal('nested too deeply');
  if (typeof value === 'string' && !value.isWellFormed()) throw new Refusal('a broken character');
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Refusal('not a number');
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) {
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) {
    return `[${value.map((each) => canonicalJson(each, depth + 1)).join(',')}]`;
  }
  if (typeof value !== 'object') throw new Refusal(`no JSON: ${typeof value}`);
  // Sorted by UTF-16 code units, as RFC 8785 asks.
  const members = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => `${canonicalJson(key)}:${canonicalJson(each, depth + 1)}`);
  return `{${members.join(',')}}`;
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
