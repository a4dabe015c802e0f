import { expect, test } from 'vitest';
import { isPublicAddress } from './outgoing-http.ts';

const PRIVATE = [
  '127.0.0.1 0.0.0.0 10.1.2.3 100.64.0.1 169.254.169.254 172.31.255.255 192.168.1.1 198.19.0.1 224.0.0.1',
  ':: ::1 ::FFFF:169.254.169.254 ::ffff:7f00:1 64:ff9b::7f00:1 2002:7f00:1:: fe80::1 fd00::1 ff02::1',
  '2001:db8::1 localhost ?',
];
const PUBLIC =
  '8.8.8.8 172.15.255.255 172.32.0.1 100.63.255.255 2606:4700:4700::1111 ::ffff:8.8.8.8';

test('only addresses on the public internet are public', () => {
  expect(PRIVATE.flatMap((line) => line.split(' ')).filter(isPublicAddress)).toEqual([]);
  expect(PUBLIC.split(' ').filter((address) => !isPublicAddress(address))).toEqual([]);
});
