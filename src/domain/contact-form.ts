/**
 * The rules of the contact form (docs/specification.md#contact-form), the same in the browser and on the
 * server; no more is imported than its page's script can carry.
 */
import { canBePersonsLine, formatPhoneMask, isPhoneNumber, phoneDigits } from './phone-format.ts';

/** Where its lead is from: what a survey's path is for the leads of surveys. */
export const contactSurvey = '/contact/';
/** In place of the flow of a survey's lead. */
export const contactFlow = 'contact';

/** Its fields, in their order on the page. */
export const contactFields = [
  'typeOfAccident',
  'firstName',
  'lastName',
  'email',
  'phoneNumber',
  'message',
] as const;
export type ContactField = (typeof contactFields)[number];

/** The longest values, in characters: those of the same fields of a survey. */
export const contactLengths: Readonly<Partial<Record<ContactField, number>>> = {
  firstName: 100,
  lastName: 100,
  email: 254,
  phoneNumber: 14,
  message: 2000,
};

export type ContactError = 'required' | 'invalid' | 'too_long';

/** Length of a masked number, `(###) ###-####`. */
const MASKED_LENGTH = 14;
const SIMPLE_EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** What is wrong with one value as it was typed; undefined: nothing. */
export function contactError(name: ContactField, typed: string): ContactError | undefined {
  const value = name === 'phoneNumber' ? formatPhoneMask(typed) : typed.trim();
  if (value === '') return 'required';
  if (value.length > (contactLengths[name] ?? 100)) return 'too_long';
  const isValid =
    name === 'email'
      ? SIMPLE_EMAIL.test(value)
      : name !== 'phoneNumber' ||
        (value.length === MASKED_LENGTH &&
          isPhoneNumber(phoneDigits(typed)) &&
          canBePersonsLine(phoneDigits(typed)));
  return isValid ? undefined : 'invalid';
}
