import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPublicAddress } from './outgoing-http.ts';

test.each([
  '127.0.0.1',
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '172.31.255.255',
  '192.168.1.1',
  '198.19.0.1',
  '224.0.0.1',
  '::',
  '::1',
  '::FFFF:169.254.169.254',
  '::ffff:7f00:1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  'fe80::1',
  'fd00::1',
  'ff02::1',
  '2001:db8::1',
  'localhost',
  '',
])('%j is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(['8.8.8.8', '172.15.255.255', '172.32.0.1', '100.63.255.255', '2606:4700:4700::1111'])(
  '%j is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test('an IPv4 address wrapped in IPv6 is public only if the IPv4 address is', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(isPublicAddress(`::ffff:${address}`)).toBe(isPublicAddress(address));
    }),
  );
});
