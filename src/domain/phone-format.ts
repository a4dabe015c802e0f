import { PHONE_DIGITS } from './thresholds.ts';

/**
 * Returns the digits of an American phone number as typed, pasted or auto-filled, without the country
 * code: leading ones of more than ten digits, or after a plus sign. A one that leads ten digits or fewer
 * stays, because the visitor takes it for part of the area code. Never cuts: more than ten digits come
 * back as they are and fail the check.
 */
export function phoneDigits(input: string): string {
  const digits = input.replace(/\D/g, '');
  const hasCountryCode = digits.length > PHONE_DIGITS || /^\s*\+/.test(input);
  return hasCountryCode ? digits.replace(/^1+/, '') : digits;
}

/** Returns whether these digits can be an American phone number: ten, the area code from 2 up. */
export function isPhoneNumber(digits: string): boolean {
  return /^[2-9]\d{9}$/.test(digits);
}

/** Area codes without a place: N11 services, personal (5XX), Canada's 6XX, carriers, government, premium. */
const SERVICE_AREA =
  /^(?:[2-9]11|5(?:00|2[1-9]|3[2358]|4[2-79]|5[02-46]|6[69]|7[78]|8[89])|6(?:00|22|33|44|55|77|88)|7[01]0|900)/;
/** Toll-free numbers have any exchange, such as 1-800-411. */
const TOLL_FREE_AREA = /^8(?:00|33|44|55|66|77|88)/;
/** After the area code: no exchange, N11 services, carrier access, premium, directory assistance. */
const SERVICE_EXCHANGE = /^...(?:[01]|[2-9]11|950|976|5551212)/;

/**
 * Returns whether ten digits can be a person's line by the North American numbering plan
 * (docs/specification.md#field-checks). A call or a text message to any other number reaches nobody, or is
 * paid for by the minute.
 */
export function canBePersonsLine(digits: string): boolean {
  if (SERVICE_AREA.test(digits)) return false;
  return TOLL_FREE_AREA.test(digits) || !SERVICE_EXCHANGE.test(digits);
}

/** Returns whether this is another country's number, or has more digits than an American one. */
export function hasNoMask(input: string): boolean {
  return /^\s*\+(?!1)/.test(input) || phoneDigits(input).length > PHONE_DIGITS;
}

/**
 * What the masked phone input shows for the digits typed so far: `(###) ###-####`, growing as the
 * visitor types (docs/specification.md#field-checks). No separator trails, so that backspace always
 * removes a digit. A number without a mask stays as it was typed: cut, it would look like a mistake that nobody
 * made.
 */
export function formatPhoneMask(input: string): string {
  if (hasNoMask(input)) return input.replace(/[^\d +().-]/g, '');
  const digits = phoneDigits(input);
  if (digits.length === 0) return '';
  if (digits.length <= 3) return `(${digits}`;
  if (digits.length <= 6) return `(${digits.slice(0, 3)}) ${digits.slice(3)}`;
  return `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`;
}
