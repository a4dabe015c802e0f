import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { expect, it } from 'vitest';
import { canBePersonsLine, formatPhoneMask } from './phone-format.ts';

it.each([
  ['the area code 911', '9115550123'],
  ['the exchange 911', '2129115550'],
  ['the number of directory assistance', '2125551212'],
  ['an exchange that begins with 0', '2120555550'],
  ['a personal number', '5002345678'],
  ['a machine-to-machine number', '5882345678'],
  ['a non-geographic Canadian number', '6002345678'],
  ['the number of a long-distance carrier', '7002345678'],
  ['a number of the government’s emergency network', '7102345678'],
  ['a premium number', '9002345678'],
])('canBePersonsLine is false for %s', (_, digits) => {
  expect(canBePersonsLine(digits)).toBe(false);
});

it('canBePersonsLine is true for every geographic and toll-free area code', () => {
  const codes = Array.from({ length: 800 }, (_, at) => String(at + 200));
  const types = new Set<string | undefined>(['PERSONAL_NUMBER', 'PREMIUM_RATE', 'VOIP']);
  const real = codes.filter((code) => {
    const number = parsePhoneNumberFromString(`+1${code}2345678`);
    return number?.isValid() && !types.has(number.getType());
  });
  expect(real.length).toBeGreaterThan(400);
  expect(real.filter((code) => !canBePersonsLine(`${code}2345678`))).toEqual([]);
});

it.each([
  ['', ''],
  ['212', '(212'],
  ['212555', '(212) 555'],
  ['2125550123', '(212) 555-0123'],
  ['+1 (212) 555-0123', '(212) 555-0123'],
  ['1234567890', '(123) 456-7890'],
  ['+1 23', '(23'],
  ['21255501239', '21255501239'],
  ['abc', ''],
])('formatPhoneMask formats the digits of the typed text %j', (input, mask) => {
  expect(formatPhoneMask(input)).toBe(mask);
});
