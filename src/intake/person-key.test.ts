import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { createPersonKey, keyOfHash, mailboxOf } from './person-key.ts';

const secret = 'a secret of the test';
const personKey = createPersonKey(secret);
const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');
const hmac = (text: string) => createHmac('sha256', secret).update(text).digest('base64url');

describe('personKey', () => {
  it('is an HMAC of the kind and the value: what is stored must not change its meaning', () => {
    const key = personKey('email', 'Maria@mail.example');
    expect(key).toBe(`k1.${hmac(sha256('email:maria@mail.example'))}`);
    expect(key).toMatch(/^k1\.[\w-]{43}$/);
    expect(personKey('email', '2125550123')).not.toBe(personKey('phone', '2125550123'));
  });

  it('cannot be found by trying every number: another secret makes another key', () => {
    const other = createPersonKey('another secret');
    expect(other('phone', '2125550123')).not.toBe(personKey('phone', '2125550123'));
    expect(personKey('phone', '2125550123')).not.toContain(sha256('phone:2125550123'));
  });

  it('follows from the hash of before, whose value nobody may know any more', () => {
    expect(keyOfHash(secret, sha256('phone:2125550123'))).toBe(personKey('phone', '2125550123'));
  });
});

test.each([
  ['Ana.Maria.Diaz@Gmail.com', 'anamariadiaz@gmail.com'],
  ['anamariadiaz+claims@googlemail.com', 'anamariadiaz@gmail.com'],
  ['+tag@gmail.com', '+tag@gmail.com'],
  // Elsewhere dots and tags may be two persons.
  ['ana.diaz+claims@mail.example', 'ana.diaz+claims@mail.example'],
  ['ana.diaz@gmail.com.example', 'ana.diaz@gmail.com.example'],
])('the mailbox of %s', (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox);
});
