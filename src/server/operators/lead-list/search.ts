/** Reads what an operator types into the search of leads. */
import { normaliseField } from '../../../domain/asked-fields.ts';
import { phoneDigits } from '../../../domain/phone-format.ts';
import { OperatorError } from '../operator-error.ts';

/** What a search text names. */
export type LeadSearch =
  | { readonly kind: 'email'; readonly value: string }
  | { readonly kind: 'phone'; readonly value: string }
  /** The beginning of a lead id: hexadecimal digits without hyphens. */
  | { readonly kind: 'id'; readonly value: string }
  /** The beginning of a last name, in lower case. */
  | { readonly kind: 'name'; readonly value: string };

const LOOKS_LIKE_PHONE = /^\+?[\d\s().-]+$/;
/** Hexadecimal digits with at least one of 0 to 9, or eight of them: "Ada" and "Dee" are names. */
const LOOKS_LIKE_ID = /^(?=.*\d|[0-9a-f]{8})[0-9a-f]{1,32}$/;

/**
 * Reads a search text. Ten digits are a phone number, as in `findPerson`.
 * @throws OperatorError `usage`
 */
export function readSearch(text: string): LeadSearch {
  const given = text.trim();
  if (given.includes('@')) {
    const value = normaliseField('email', given).toLowerCase();
    if (/^[^\s@]+@[^\s@]+$/.test(value)) return { kind: 'email', value };
    throw new OperatorError('usage', 'That is not a complete e-mail address.');
  }
  const digits = phoneDigits(given);
  if (LOOKS_LIKE_PHONE.test(given) && /^[2-9]\d{9}$/.test(digits)) {
    return { kind: 'phone', value: digits };
  }
  const id = given.toLowerCase().replaceAll('-', '');
  if (LOOKS_LIKE_ID.test(id)) return { kind: 'id', value: id };
  const name = given.toLowerCase().replace(/\s+/g, ' ');
  if (/^\p{L}[\p{L}\p{M}' .-]+$/u.test(name)) return { kind: 'name', value: name };
  throw new OperatorError(
    'usage',
    'Search for an e-mail address, a phone number of ten digits, a lead id, or at least two letters of a last name.',
  );
}
