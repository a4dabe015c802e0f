import { formatPhoneMask } from './phone-format.ts';

/** The lead field `survey` of each lead from the contact form. */
export const contactSurvey = '/contact/';
export const contactFlow = 'contact';

export const contactFields = [
  'typeOfAccident',
  'firstName',
  'lastName',
  'email',
  'phoneNumber',
  'message',
] as const;
export type ContactField = (typeof contactFields)[number];

/** Maximum length of each value, in characters. */
export const contactLengths: Readonly<Partial<Record<ContactField, number>>> = {
  firstName: 100,
  lastName: 100,
  email: 254,
  phoneNumber: 14,
  message: 2000,
};

type ContactError = 'required' | 'invalid' | 'too_long';

const formats: Readonly<Partial<Record<ContactField, RegExp>>> = {
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  phoneNumber: /^\(\d{3}\) \d{3}-\d{4}$/,
};

/** Returns the error of a typed value, or undefined if the value is valid. */
export function contactError(name: ContactField, typed: string): ContactError | undefined {
  const value = name === 'phoneNumber' ? formatPhoneMask(typed) : typed.trim();
  if (value === '') return 'required';
  if (value.length > (contactLengths[name] ?? 100)) return 'too_long';
  return formats[name]?.test(value) === false ? 'invalid' : undefined;
}
