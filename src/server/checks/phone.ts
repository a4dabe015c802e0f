/** The embedded phone check, based on the numbering plan in libphonenumber-js. */
import { type NumberType, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { canBePersonsLine } from '../../model/fields/phone-format.ts';
import type { PhoneReport } from './check-contact.ts';

/** The United States and their territories, whose numbers people keep when they move to the mainland. */
const ourCountries = new Set(['US', 'PR', 'VI', 'GU', 'AS', 'MP']);

/** Line types as the phone validation service names them. */
const lineTypes: Readonly<Partial<Record<NonNullable<NumberType>, string>>> = {
  TOLL_FREE: 'Toll Free',
  MOBILE: 'Wireless',
  FIXED_LINE: 'Landline',
  VOIP: 'VOIP',
  PREMIUM_RATE: 'Premium Rate',
  PAGER: 'Pager',
};

/**
 * Returns whether a number is possible in the numbering plan, and its line type; whether it is active stays
 * unknown. The library accepts exchanges that no person can have, so those are checked here.
 */
export async function checkPhoneByPlan(digits: string): Promise<PhoneReport> {
  const number = parsePhoneNumberFromString(digits, 'US');
  const isOurs = number?.isValid() === true && ourCountries.has(number.country ?? '');
  const valid = isOurs && canBePersonsLine(digits);
  const type = number?.getType();
  return {
    success: true,
    message: '',
    valid,
    active: null,
    fraud_score: 0,
    line_type: (type && lineTypes[type]) ?? 'Unknown',
  };
}
