/** The embedded phone check: the numbering plan of libphonenumber-js, with its full metadata. */
import { type NumberType, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { canBePersonsLine } from '../../domain/phone-format.ts';
import type { PhoneReport } from '../lookups/services.ts';

/** The United States and their territories, whose people live on the mainland with their numbers. */
const ourCountries = new Set(['US', 'PR', 'VI', 'GU', 'AS', 'MP']);

/** Line types by the names of the phone validation service. */
const lineTypes: Readonly<Partial<Record<NonNullable<NumberType>, string>>> = {
  TOLL_FREE: 'Toll Free',
  MOBILE: 'Wireless',
  FIXED_LINE: 'Landline',
  VOIP: 'VOIP',
  PREMIUM_RATE: 'Premium Rate',
  PAGER: 'Pager',
};

/**
 * Whether the number exists in the plan, and what kind it is; nothing is known of its use. The library takes
 * exchanges that no person can have.
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
