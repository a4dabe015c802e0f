import { expect, it } from 'vitest';
import { safeAddress } from './address.tsx';

const origin = 'http://localhost:3001';

it.each([
  ['/leads?survey=/survey/v4nv', `${origin}/leads?survey=/survey/v4nv`],
  ['/leads/0198#consent', `${origin}/leads/0198#consent`],
  // In this URL, the host is the console, and `//evil.example` is only a path.
  ['/.//evil.example', `${origin}//evil.example`],
])('safeAddress returns a URL of the console for %s', (asked, expected) => {
  expect(safeAddress(asked, origin)).toBe(expected);
  expect(new URL(safeAddress(asked, origin)).origin).toBe(origin);
});

it.each([
  undefined,
  '',
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
  '/sign-in?next=/',
  '/api/sign-out',
  '//',
])('safeAddress returns the URL of the overview for the unsafe value %j', (asked) => {
  expect(safeAddress(asked, origin)).toBe(`${origin}/`);
});
