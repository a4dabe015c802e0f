import { createHash, createHmac } from 'node:crypto';
import { expect, it, test } from 'vitest';
import { createPersonKey, mailboxOf } from './person-key.ts';

const secret = 'a secret of the test';
const personKey = createPersonKey(secret);
const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');
const hmac = (text: string) => createHmac('sha256', secret).update(text).digest('base64url');

it('personKey always returns the same HMAC for a value, because the database stores keys', () => {
  const key = personKey('email', 'Maria@mail.example');
  expect(key).toBe(`k1.${hmac(sha256('email:maria@mail.example'))}`);
  expect(key).toMatch(/^k1\.[\w-]{43}$/);
  expect(personKey('email', '2125550123')).not.toBe(personKey('phone', '2125550123'));
});

test.each([
  ['Ana.Maria.Diaz@Gmail.com', 'anamariadiaz@gmail.com'],
  ['anamariadiaz+claims@googlemail.com', 'anamariadiaz@gmail.com'],
  ['+tag@gmail.com', '+tag@gmail.com'],
  // Only Gmail ignores dots and tags. Other providers may give such addresses to different persons.
  ['ana.diaz+claims@mail.example', 'ana.diaz+claims@mail.example'],
  ['ana.diaz@gmail.com.example', 'ana.diaz@gmail.com.example'],
])('mailboxOf normalises the e-mail address %s', (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox);
});
