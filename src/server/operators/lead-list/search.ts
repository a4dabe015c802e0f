/** Reads what an operator types into the search of leads. */
import { normaliseField } from '../../../domain/asked-fields.ts';
import { phoneDigits } from '../../../domain/phone-format.ts';
import { OperatorError } from '../operator-error.ts';

/** What a search text names. */
export type LeadSearch =
  | { readonly kind: 'email'; readonly value: string }
  | { readonly kind: 'phone'; readonly value: string }
  /** The beginning of a lead id: hexadecimal digits without hyphens. */
  | { readonly kind: 'id'; readonly value: string; readonly text: string }
  /** An id of a click, or the id that a buyer gave to a lead. */
  | { readonly kind: 'ref'; readonly value: string }
  /** The beginning of a last name, in lower case. */
  | { readonly kind: 'name'; readonly value: string };

const LOOKS_LIKE_PHONE = /^\+?[\d\s().-]+$/;
/** Hexadecimal digits with at least one of 0 to 9, or eight of them: "Ada" and "Dee" are names. */
const LOOKS_LIKE_ID = /^(?=.*\d|[0-9a-f]{8})[0-9a-f]{1,32}$/;

/** An id with a digit, without white space. */
const LOOKS_LIKE_REF = /^(?=.*\d)[\w.:|~-]{6,200}$/;

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
  if (LOOKS_LIKE_ID.test(id)) return { kind: 'id', value: id, text: given };
  const name = given.toLowerCase().replace(/\s+/g, ' ');
  if (/^\p{L}[\p{L}\p{M}' .-]+$/u.test(name)) return { kind: 'name', value: name };
  if (LOOKS_LIKE_REF.test(given)) return { kind: 'ref', value: given };
  throw new OperatorError(
    'usage',
    'Search for an e-mail address, a phone number of ten digits, a lead id, a click id, a buyer’s id, or at least two letters of a last name.',
  );
}
