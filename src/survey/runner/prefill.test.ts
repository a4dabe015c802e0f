import { describe, expect, test, vi } from 'vitest';
import { isPrefilled } from './prefill.ts';

describe('the check', () => {
  const answering = (status: number, body: string) =>
    vi.fn<typeof fetch>(async () => new Response(body, { status }));

  test('asks our own server for the affiliate, and hands on no detail', async () => {
    const fetcher = answering(200, '{"result":"yes"}');
    expect(await isPrefilled('252', fetcher)).toBe(true);
    expect(fetcher.mock.calls.map(([url]) => url)).toEqual(['/api/prefill?affid=252']);
  });

  test.each([
    [200, '{"result":"no"}'],
    [200, 'oops'],
    [429, '{"reason":"too_many_requests"}'],
  ])('%i %s is a no', async (status, body) => {
    expect(await isPrefilled('1', answering(status, body))).toBe(false);
  });

  test('a failure is a no', async () => {
    const fetcher = vi.fn<typeof fetch>(async () => Promise.reject(new TypeError('offline')));
    expect(await isPrefilled('1', fetcher)).toBe(false);
  });
});
