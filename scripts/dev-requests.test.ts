import { expect, test } from 'vitest';
import { isForApi } from './dev-requests.ts';

test.each([
  ['POST', '/post-lead', true],
  ['POST', '/survey/v4nv?s1=abc', true],
  ['POST', '/contact/', true],
  ['GET', '/survey/v4nv/continue?step=AtFault', true],
  ['GET', '/_astro/client.D.js', true],
  ['GET', '/api/state', true],
  ['GET', '/us/10001', true],
  ['GET', '/survey/v4nv?to=/continue', false],
  ['GET', '/contact/?sent=1', false],
  ['GET', '/src/survey/entry.tsx', false],
  ['GET', '/@vite/client', false],
  ['GET', '/', false],
])('%s %s goes to the API: %s', (method, url, expected) => {
  expect(isForApi(method, url)).toBe(expected);
});
