/** The embedded phone check: the numbering plan of libphonenumber-js, with its full metadata. */
import { type NumberType, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { PhoneReport } from '../leads/ports.ts';

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

/** Whether the number exists in the plan, and what kind it is; nothing is known of its use. */
export async function checkPhoneByPlan(digits: string): Promise<PhoneReport> {
  const number = parsePhoneNumberFromString(digits, 'US');
  const valid = number?.isValid() === true && ourCountries.has(number.country ?? '');
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
