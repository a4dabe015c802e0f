import { PHONE_DIGITS } from './thresholds.ts';

/** Returns a U.S. phone number's digits without the country code. Keeps surplus digits. */
export function phoneDigits(input: string): string {
  const digits = input.replace(/\D/g, '');
  const hasCountryCode = digits.length > PHONE_DIGITS || /^\s*\+/.test(input);
  return hasCountryCode ? digits.replace(/^1+/, '') : digits;
}

/** Returns whether the digits form an American phone number: ten digits, the first at least 2. */
export function isPhoneNumber(digits: string): boolean {
  return /^[2-9]\d{9}$/.test(digits);
}

/** Area codes without a region: N11, personal, Canada's 6XX, carriers, government, premium. */
const SERVICE_AREA =
  /^(?:[2-9]11|5(?:00|2[1-9]|3[2358]|4[2-79]|5[02-46]|6[69]|7[78]|8[89])|6(?:00|22|33|44|55|77|88)|7[01]0|900)/;
/** Toll-free area codes, which allow any exchange, such as 1-800-411. */
const TOLL_FREE_AREA = /^8(?:00|33|44|55|66|77|88)/;
/** Exchanges that no person has: unassigned, N11, carrier access, premium, directory assistance. */
const SERVICE_EXCHANGE = /^...(?:[01]|[2-9]11|950|976|5551212)/;

/** Returns whether the numbering plan allows a person to have this ten-digit number. */
export function canBePersonsLine(digits: string): boolean {
  if (SERVICE_AREA.test(digits)) return false;
  return TOLL_FREE_AREA.test(digits) || !SERVICE_EXCHANGE.test(digits);
}

/** Formats the typed digits as `(###) ###-####`, unless the number is foreign or too long. */
export function formatPhoneMask(input: string): string {
  const digits = phoneDigits(input);
  const isForeign = /^\s*\+(?!1)/.test(input);
  if (isForeign || digits.length > PHONE_DIGITS) return input.replace(/[^\d +().-]/g, '');
  if (digits.length === 0) return '';
  if (digits.length <= 3) return `(${digits}`;
  if (digits.length <= 6) return `(${digits.slice(0, 3)}) ${digits.slice(3)}`;
  return `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`;
}
