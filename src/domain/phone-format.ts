import { PHONE_DIGITS } from './thresholds.ts';

/**
 * The digits of an American phone number as typed, pasted or auto-filled, without the country code.
 * An area code never starts with 1, so leading ones are the country code (`+1`, `1-`) and go.
 * Never cuts: more than ten digits come back as they are and fail the check.
 */
export function phoneDigits(input: string): string {
  return input.replace(/\D/g, '').replace(/^1+/, '');
}

/**
 * What the masked phone input shows for the digits typed so far: `(###) ###-####`, growing as the
 * visitor types (docs/specification.md#field-checks). No separator trails, so that backspace always
 * removes a digit. Digits past the tenth are left out of the mask.
 */
export function formatPhoneMask(input: string): string {
  const digits = phoneDigits(input).slice(0, PHONE_DIGITS);
  if (digits.length === 0) return '';
  if (digits.length <= 3) return `(${digits}`;
  if (digits.length <= 6) return `(${digits.slice(0, 3)}) ${digits.slice(3)}`;
  return `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`;
}
