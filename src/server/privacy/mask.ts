/** Masks contact details, so that a person can be recognised by who knows them and by nobody else. */

const DOT = '•';

/** Returns the first letters of each name: `M… R…`. */
export function maskName(...names: readonly (string | undefined)[]): string {
  return names
    .map((name) => name?.trim() ?? '')
    .filter((name) => name !== '')
    .map((name) => `${[...name][0]}…`)
    .join(' ');
}

/** Returns the last two digits of an American number: `(•••) •••-••17`; empty without digits. */
export function maskPhone(phone: string | undefined): string {
  const digits = (phone ?? '').replace(/\D/g, '');
  if (digits.length < 4) return digits === '' ? '' : DOT.repeat(digits.length);
  return `(${DOT.repeat(3)}) ${DOT.repeat(3)}-${DOT.repeat(2)}${digits.slice(-2)}`;
}

/** Returns the first letter of the address and of its domain: `m…@g….com`; empty for an empty one. */
export function maskEmail(email: string | undefined): string {
  const [local = '', domain = ''] = (email ?? '').split('@');
  if (local === '') return '';
  const end = /\.[a-z]{2,}$/i.exec(domain)?.[0] ?? '';
  return `${[...local][0]}…@${[...domain][0] ?? ''}…${end}`;
}
