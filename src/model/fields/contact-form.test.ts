import { expect, it } from 'vitest';
import { type ContactField, contactError } from './contact-form.ts';

it.each<[ContactField, string, string | undefined]>([
  ['email', 'ann@site.example', undefined],
  ['email', 'ann@site', 'invalid'],
  ['phoneNumber', '(305) 976-5550', undefined], // a premium number, which only surveys refuse
  ['phoneNumber', '+1 305 555 0123', undefined],
  ['phoneNumber', '(305) 555-012', 'invalid'],
  ['phoneNumber', '+44 2071234567', 'invalid'],
  ['phoneNumber', 'none', 'required'],
  ['message', 'x'.repeat(2000), undefined],
  ['message', 'x'.repeat(2001), 'too_long'],
  ['lastName', 'x'.repeat(101), 'too_long'],
])(
  'contactError returns an error only for invalid values of the field %s',
  (name, value, error) => {
    expect(contactError(name, value)).toBe(error);
  },
);
