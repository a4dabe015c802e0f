import { expect, test } from 'vitest';
import { isDoubtful, suggestEmail } from './typos.ts';

test.each([
  ['maria@gmial.com', 'maria@gmail.com'],
  ['maria@gmial.com.', 'maria@gmail.com'],
  ['maria@gmail.co', 'maria@gmail.com'],
  ['maria@gmai.con', 'maria@gmail.com'],
  ['Maria.S@GMAILL.com', 'Maria.S@gmail.com'],
  ['maria@garcia-law.con', 'maria@garcia-law.com'],
])('suggestEmail corrects the mistyped e-mail address %s', (given, meant) => {
  expect(suggestEmail(given)).toBe(meant);
});

test.each([
  'maria@gmail.com',
  'maria@gmail.com. ',
  'maria@yahoo.com.mx',
  'maria',
  '@gmial.com',
  'a@b@gmial.com',
  '',
])('suggestEmail suggests nothing for the text %j', (given) => {
  expect(suggestEmail(given)).toBeUndefined();
});

test.each([
  ['name', 'Mar1a', true],
  ['name', 'Mary-Ann O’Neil', false],
  ['email', 'maria@gmial.com', true],
  ['email', 'maria2@gmail.com', false],
  ['text', 'Route 66', false],
  [undefined, '1', false],
])('isDoubtful is true only for a probable typing error', (kind, value, isAsked) => {
  expect(isDoubtful(kind, value)).toBe(isAsked);
});
