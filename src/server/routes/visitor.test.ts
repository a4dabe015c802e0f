import { expect, test } from 'vitest';
import { plainAddress } from './visitor.ts';

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['203.0.113.9:51234', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['[::ffff:203.0.113.9]:443', '203.0.113.9'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['unknown', undefined],
  ['_hidden', undefined],
  ['<script>', undefined],
  ['1.2.3.4.5', undefined],
  ['', undefined],
  [undefined, undefined],
])('%j is %j', (given, expected) => {
  expect(plainAddress(given)).toBe(expected);
});
