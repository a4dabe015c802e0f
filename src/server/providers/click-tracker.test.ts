import { expect, test, vi } from 'vitest';
import { createClickTracker } from './click-tracker.ts';
import type { OutgoingAnswer, OutgoingRequest } from './outgoing-http.ts';
import { createService } from './service.ts';

const id = '0123456789abcdef0123456789abcdef';

function answering(status: number, text: string, truncated = false) {
  const request = vi.fn(
    async (_: OutgoingRequest): Promise<OutgoingAnswer> => ({
      status,
      text,
      headers: {},
      truncated,
      durationMs: 1,
    }),
  );
  const service = createService({
    name: 'click',
    http: { request },
    baseUrl: 'https://clicks.example',
    timeoutMs: 900,
  });
  const track = createClickTracker(service);
  return { track, request };
}

test('sends the tracking values by the names of the call', async () => {
  const { track, request } = answering(200, JSON.stringify({ transaction_id: id }));
  const click = { offer_id: '81', affiliate_id: '1', sub1: 'a b', uid: 'u', transaction_id: id };
  expect(await track(click)).toBe(id);
  expect(request).toHaveBeenCalledExactlyOnceWith({
    method: 'GET',
    url:
      'https://clicks.example/clk?async=json&oid=81&affid=1&sub1=a+b&uid=u' +
      `&_ef_transaction_id=${id}`,
    headers: { accept: 'application/json' },
    timeoutMs: 900,
  });
});

test.each([
  [302, `{"transaction_id":"${id}"}`],
  [400, '{"Error":"oid: missing"}'],
  [500, `{"transaction_id":"${id}"}`],
  [200, ''],
  [200, '<html>'],
  [200, 'null'],
  [200, '{}'],
  [200, '{"transaction_id":7}'],
  [200, '{"transaction_id":"<script>"}'],
])('an answer of %i %s gives no id', async (status, text) => {
  const { track } = answering(status, text);
  expect(await track({ offer_id: '81', affiliate_id: '1' })).toBe('');
});

test('a truncated answer and a failure give no id', async () => {
  const cut = answering(200, `{"transaction_id":"${id}"}`, true);
  expect(await cut.track({ offer_id: '81', affiliate_id: '1' })).toBe('');
  const { track, request } = answering(200, '');
  request.mockRejectedValueOnce(new Error('timeout'));
  expect(await track({ offer_id: '81', affiliate_id: '1' })).toBe('');
});
