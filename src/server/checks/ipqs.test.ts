import { expect, test, vi } from 'vitest';
import { askService } from './check.ts';
import { emailCheck, phoneCheck } from './ipqs.ts';
import { createService, createServiceCircuit } from './service.ts';

function serviceThatSays(body: unknown, alert = vi.fn()) {
  const circuit = createServiceCircuit('ipqs', { failures: 5, pauseMs: 1_000 }, { alert });
  const text = JSON.stringify(body);
  const answer = { status: 200, text, headers: {}, truncated: false, durationMs: 1 };
  const http = { request: async () => answer };
  const baseUrl = 'https://ipqs.example';
  return createService({ name: 'ipqs', http, baseUrl, timeoutMs: 1_000, circuit });
}

test.each([{ success: false }, { success: true, valid: true, active: true, fraud_score: 0 }])(
  'the message about an invalid phone number makes the number invalid',
  async (report) => {
    const message = 'Invalid/nonexistent phone number or country specified is not possible.';
    const service = serviceThatSays({ ...report, message });
    expect(await askService(service, phoneCheck('secret'), '2125550123')).toMatchObject({
      outcome: 'answered',
      said: { valid: false, active: false },
    });
  },
);

test('an e-mail address is valid if its mail server timed out', async () => {
  const report = { success: true, valid: false, disposable: false, fraud_score: 80 };
  const service = serviceThatSays({ ...report, timed_out: true });
  expect(await askService(service, emailCheck('secret', 1_000), 'ana@mail.example')).toMatchObject({
    said: { valid: true, timed_out: true },
  });
});

test.each([
  'Invalid or unauthorized key. Please check the API key and try again.',
  'You have insufficient credits to make this query.',
  'You have exceeded your request quota.',
])('the circuit breaker opens after the service answers with the message %j', async (message) => {
  for (const check of [phoneCheck('secret'), emailCheck('secret', 1_000)]) {
    const alert = vi.fn();
    const service = serviceThatSays({ success: false, message }, alert);
    const reason = `HTTP 200: ${message}`;
    const asked = await askService<string, unknown>(service, check, '2125550123');
    expect(asked).toMatchObject({ outcome: 'failed', reason });
    expect(alert).toHaveBeenCalledWith(expect.stringContaining(message), expect.anything());
  }
});
