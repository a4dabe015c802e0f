import { expect, it } from 'vitest';
import { optOutErrors } from './opt-out-form.ts';

it.each([
  [{ email: 'ann@mail.example' }, []],
  [{ phone: '(305) 555-0123', name: 'Ann', state: 'CA' }, []],
  [{ email: ' ann@mail.example ', phone: '+1 305-555-0123' }, []],
  [{ name: 'Ann', state: 'CA' }, ['email', 'phone']],
  [{ email: ' ', phone: '' }, ['email', 'phone']],
  [{ email: 'ann', phone: '3055550123' }, ['email']],
  [{ email: 'ann@mail.example', phone: '555-0123' }, ['phone']],
  [{ email: 'ann@mail.example', state: 'California' }, ['state']],
  [{ email: 'ann@mail.example', name: 'x'.repeat(255) }, ['name']],
])('optOutErrors returns the names of the invalid fields', (typed, wrong) => {
  expect(optOutErrors(typed)).toEqual(wrong);
});
