/** Tests the adapter with the sandbox and with faulty answers. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { sandboxForTests } from '../../../tests/support/sandbox-http.ts';
import { type OutgoingAnswer, OutgoingError } from './outgoing-http.ts';
import { createService } from './service.ts';
import { createTwilioVerify, type TwilioAccount } from './twilio.ts';

const digits = '2125550123';
const account: TwilioAccount = {
  accountSid: 'AC00000000000000000000000000000001',
  authToken: 'sandbox-twilio-token',
  serviceSid: 'VA00000000000000000000000000000001',
};
const called = vi.fn();
const warn = vi.fn();
const now = new Date('2026-11-20T15:00:00Z');
const outside = sandboxForTests({ now: () => now });

function verifier(other: Partial<TwilioAccount> = {}) {
  const observer = { called, circuitChanged: () => undefined };
  const { http, sandbox } = outside;
  return createTwilioVerify(
    createService({ name: 'sms', http, baseUrl: `${sandbox.url}/`, timeoutMs: 2_000, observer }),
    { ...account, ...other },
    warn,
  );
}

const outcomes = () => called.mock.calls.map(([service, outcome]) => [service, outcome]);

beforeEach(() => {
  called.mockReset();
  warn.mockReset();
});

describe('with the sandbox', () => {
  test('a code is sent, rejected, approved, and then expired', async () => {
    const codes = verifier();
    outside.sandbox.fail({ service: 'sms', mode: 'slow', delay_ms: 40, times: 1 });
    expect(await codes.send(digits, 'es')).toBe('sent');
    const sent = outside.sandbox.codes().at(-1);
    expect(sent?.to).toBe(`+1${digits}`);
    expect(outside.sandbox.received('sms')[0]).toMatchObject({
      path: '/v2/Services/VA00000000000000000000000000000001/Verifications',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: { To: `+1${digits}`, Channel: 'sms', Locale: 'es' },
    });
    const code = sent?.code ?? '';
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    expect(await codes.check(digits, wrong)).toBe('wrong');
    expect(await codes.check(digits, code)).toBe('approved');
    expect(await codes.check(digits, code)).toBe('expired');
    expect(outside.sandbox.violations()).toEqual([]);
    expect(new Set(outcomes().map(String))).toEqual(new Set(['sms,answered']));
    // The first call was slow. A timer may fire a millisecond early.
    expect(called.mock.calls[0]?.[2]).toBeGreaterThanOrEqual(39);
    expect(warn).not.toHaveBeenCalled();
  });

  test('60202: too many tries', async () => {
    const codes = verifier();
    await codes.send(digits, 'en');
    const { code = '' } = outside.sandbox.codes().at(-1) ?? {};
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    for (let i = 0; i < 5; i += 1) expect(await codes.check(digits, wrong)).toBe('wrong');
    expect(await codes.check(digits, code)).toBe('too_many');
  });

  test('60410: a prefix blocked for fraud', async () => {
    expect(await verifier().send('2125550060', 'en')).toBe('blocked');
  });

  test('a wrong account fails, with a warning that does not contain the number', async () => {
    const codes = verifier({ authToken: 'another-token' });
    expect(await codes.send(digits, 'en')).toBe('failed');
    expect(await codes.check(digits, '123456')).toBe('failed');
    expect(outcomes()).toEqual([
      ['sms', 'failed'],
      ['sms', 'failed'],
    ]);
    expect(warn).toHaveBeenCalledWith({ status: 401, code: 20003 }, expect.any(String));
    expect(JSON.stringify(warn.mock.calls)).not.toMatch(/2125550123|123456|token/);
  });
});

describe('an answer', () => {
  const ask = async (answer: Partial<OutgoingAnswer> | OutgoingError) => {
    const request = async () => {
      if (answer instanceof OutgoingError) throw answer;
      return { status: 200, headers: {}, text: '', truncated: false, durationMs: 1, ...answer };
    };
    const codes = createTwilioVerify(
      createService({
        name: 'sms',
        http: { request },
        baseUrl: 'https://sms.example',
        timeoutMs: 1,
      }),
      account,
      warn,
    );
    return [await codes.send(digits, 'en'), await codes.check(digits, '123456')];
  };

  test.each<[string, number, string]>([
    ['nothing', 200, ''],
    ['no JSON', 200, '<html>approved</html>'],
    ['cut off', 200, '{"status":"approved","valid":tr'],
    ['a status of another kind', 200, '{"status":true,"valid":true}'],
    ['a contradiction', 200, '{"status":"approved","valid":false}'],
    ['a redirect with a correct body', 307, '{"status":"approved","valid":true}'],
    ['a server error with a correct body', 500, '{"status":"approved","valid":true}'],
    ['an unknown error', 400, '{"code":60200,"message":"Invalid parameter"}'],
    ['an error code with a status of success', 200, '{"code":20404}'],
  ])('%s fails both send and check', async (_, status, text) => {
    expect(await ask({ status, text })).toEqual(['failed', 'failed']);
  });

  test('60205: a landline is blocked, which the visitor is told', async () => {
    const text = '{"code":60205,"message":"SMS is not supported by landline phone number"}';
    expect((await ask({ status: 403, text }))[0]).toBe('blocked');
  });
});
