import { expect, test, vi } from 'vitest';
import type { OutgoingAnswer, OutgoingRequest } from './outgoing-http.ts';
import { createPrefillCheck, noPrefill } from './prefill.ts';
import { createService } from './service.ts';

function answering(status: number, text: string) {
  const request = vi.fn(
    async (_: OutgoingRequest): Promise<OutgoingAnswer> => ({
      status,
      text,
      headers: {},
      truncated: false,
      durationMs: 1,
    }),
  );
  const baseUrl = 'https://pre.example/v1/';
  const service = createService({ name: 'prefill', http: { request }, baseUrl, timeoutMs: 900 });
  const check = createPrefillCheck(service, 40);
  return { check, request };
}

test('sends only the affiliate and the percentage', async () => {
  const { check, request } = answering(200, '{"result":"yes"}');
  expect(await check('252')).toBe(true);
  expect(request).toHaveBeenCalledExactlyOnceWith({
    method: 'GET',
    url: 'https://pre.example/v1/check-affid-pre/252/40',
    headers: { accept: 'application/json' },
    timeoutMs: 900,
  });
});

test.each([
  [200, '{"result":"Yes"}', true],
  [200, '{"result":"no"}', false],
  [200, '{"result":true}', false],
  [200, '{}', false],
  [200, 'null', false],
  [200, 'yes', false],
  [200, '', false],
  [302, '{"result":"yes"}', false],
  [500, '{"result":"yes"}', false],
])('an answer of %i %s gives %s', async (status, text, expected) => {
  expect(await answering(status, text).check('1')).toBe(expected);
});

test('a failure gives no', async () => {
  const { check, request } = answering(200, '');
  request.mockRejectedValueOnce(new Error('timeout'));
  expect(await check('1')).toBe(false);
});

test('the default is off', async () => {
  expect(await noPrefill('1')).toBe(false);
});
