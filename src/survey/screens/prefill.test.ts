import { expect, test, vi } from 'vitest';
import { isPrefilled } from './prefill.ts';

test.each([
  ['{"result":"yes"}', async () => new Response('{"result":"yes"}'), true],
  ['{"result":"no"}', async () => new Response('{"result":"no"}'), false],
  ['unreadable', async () => new Response('oops'), false],
  ['a refusal', async () => new Response('{"reason":"too_many_requests"}', { status: 429 }), false],
  ['no network', () => Promise.reject(new TypeError('offline')), false],
])('%s: %3$s', async (_, answer, isOn) => {
  const fetcher = vi.fn<typeof fetch>(answer);
  expect(await isPrefilled('252', fetcher)).toBe(isOn);
  expect(fetcher).toHaveBeenCalledExactlyOnceWith('/api/prefill?affid=252');
});
