import { PHONE_DIGITS } from './thresholds.ts';

/** Returns the digits of a U.S. phone number without the country code. */
export function phoneDigits(input: string): string {
  const digits = input.replace(/\D/g, '');
  const hasCountryCode = digits.length > PHONE_DIGITS || /^\s*\+/.test(input);
  return hasCountryCode ? digits.replace(/^1+/, '') : digits;
}

/** Returns whether the digits are a ten-digit American phone number. */
export function isPhoneNumber(digits: string): boolean {
  return /^[2-9]\d{9}$/.test(digits);
}

/** Matches area codes that belong to a service, not to a region. */
const SERVICE_AREA =
  /^(?:[2-9]11|5(?:00|2[1-9]|3[2358]|4[2-79]|5[02-46]|6[69]|7[78]|8[89])|6(?:00|22|33|44|55|77|88)|7[01]0|900)/;
/** Matches toll-free area codes. */
const TOLL_FREE_AREA = /^8(?:00|33|44|55|66|77|88)/;
/** Matches numbers whose digits 4 to 6 belong to a service, not to a person. */
const SERVICE_EXCHANGE = /^...(?:[01]|[2-9]11|950|976|5551212)/;

/** Returns whether a person can have this ten-digit phone number. */
export function canBePersonsLine(digits: string): boolean {
  if (SERVICE_AREA.test(digits)) return false;
  return TOLL_FREE_AREA.test(digits) || !SERVICE_EXCHANGE.test(digits);
}

/** Formats typed digits as `(###) ###-####`. */
export function formatPhoneMask(input: string): string {
  const digits = phoneDigits(input);
  const isForeign = /^\s*\+(?!1)/.test(input);
  if (isForeign || digits.length > PHONE_DIGITS) return input.replace(/[^\d +().-]/g, '');
  if (digits.length === 0) return '';
  if (digits.length <= 3) return `(${digits}`;
  if (digits.length <= 6) return `(${digits.slice(0, 3)}) ${digits.slice(3)}`;
  return `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`;
}
