import { isPhoneNumber, phoneDigits } from './phone-format.ts';

export const optOutFields = ['name', 'email', 'phone', 'state'] as const;
export type OptOutField = (typeof optOutFields)[number];

const SIMPLE_EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const MOST = 254;

/** Returns the invalid fields of a do-not-sell form (docs/specification.md#do-not-sell). */
export function optOutErrors(typed: Readonly<Partial<Record<string, string>>>): OptOutField[] {
  const [name = '', email = '', phone = '', state = ''] = optOutFields.map((field) =>
    typed[field]?.trim(),
  );
  if (email === '' && phone === '') return ['email', 'phone'];
  const isWrong: Readonly<Record<OptOutField, boolean>> = {
    name: name.length > MOST,
    email: email !== '' && (email.length > MOST || !SIMPLE_EMAIL.test(email)),
    phone: phone !== '' && !isPhoneNumber(phoneDigits(phone)),
    state: state !== '' && !/^[A-Z]{2}$/.test(state),
  };
  return optOutFields.filter((field) => isWrong[field]);
}
