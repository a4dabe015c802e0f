import { beforeEach, expect, test, vi } from 'vitest';
import { sandboxForTests } from '../../../tests/support/sandbox-http.ts';
import { createDevelopmentCodes, createTwilioVerify, type TwilioAccount } from './code-senders.ts';
import { createService } from './service.ts';

const digits = '2125550123';
const account: TwilioAccount = {
  accountSid: 'AC00000000000000000000000000000001',
  authToken: 'sandbox-twilio-token',
  serviceSid: 'VA00000000000000000000000000000001',
};
const outside = sandboxForTests();
const warn = vi.fn();
beforeEach(() => void warn.mockReset());

test('the Twilio sender sends the phone number and the language to Twilio', async () => {
  const { http, sandbox } = outside;
  const service = createService({
    name: 'sms',
    http,
    baseUrl: `${sandbox.url}/`,
    timeoutMs: 2_000,
  });
  expect(await createTwilioVerify(service, account, warn).send(digits, 'es')).toBe('sent');
  expect(sandbox.received('sms')[0]).toMatchObject({
    path: '/v2/Services/VA00000000000000000000000000000001/Verifications',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: { To: `+1${digits}`, Channel: 'sms', Locale: 'es' },
  });
  expect(sandbox.violations()).toEqual([]);
  expect(warn).not.toHaveBeenCalled();
  const other = createTwilioVerify(service, { ...account, authToken: 'another-token' }, warn);
  expect(await other.send(digits, 'en')).toBe('failed');
  expect(await other.check(digits, '123456')).toBe('failed');
  expect(warn).toHaveBeenCalledWith({ status: 401, code: 20003 }, expect.any(String));
  expect(JSON.stringify(warn.mock.calls)).not.toMatch(/2125550123|123456|token/);
});

test.each<[status: number, text: string, sent: string, checked: string]>([
  [200, '{"status":"approved","valid":true}', 'failed', 'approved'],
  [200, '{"status":"pending","valid":false}', 'sent', 'wrong'],
  [404, '{"code":20404}', 'failed', 'expired'],
  [429, '{"code":60202}', 'failed', 'too_many'],
  [403, '{"code":60205}', 'blocked', 'failed'],
  [200, '<html>approved</html>', 'failed', 'failed'],
  [200, '{"status":true,"valid":true}', 'failed', 'failed'],
  [200, '{"status":"approved","valid":false}', 'failed', 'failed'],
  [500, '{"status":"approved","valid":true}', 'failed', 'failed'],
  [200, '{"code":20404}', 'failed', 'failed'],
])(
  'the Twilio sender maps each answer of Twilio to an outcome',
  async (status, text, sent, checked) => {
    const answer = { status, text, headers: {}, truncated: false, durationMs: 1 };
    const http = { request: async () => answer };
    const service = createService({
      name: 'sms',
      http,
      baseUrl: 'https://sms.example',
      timeoutMs: 1,
    });
    const codes = createTwilioVerify(service, account, warn);
    expect(await codes.send(digits, 'en')).toBe(sent);
    expect(await codes.check(digits, '123456')).toBe(checked);
  },
);

function development() {
  const warn = vi.fn((_: Readonly<Record<string, unknown>>, __: string) => undefined);
  const codes = createDevelopmentCodes(warn);
  const printed = () => String(warn.mock.lastCall?.[0].developmentCode);
  return { codes, warn, printed };
}

const another = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

test('the development sender logs the code without the phone number', async () => {
  const { codes, warn, printed } = development();
  expect(await codes.send(digits, 'en')).toBe('sent');
  expect(printed()).toMatch(/^\d{6}$/);
  expect(warn.mock.lastCall?.[1]).toContain(
    `DEVELOPMENT ONLY: no SMS was sent. The code is ${printed()}`,
  );
  expect(JSON.stringify(warn.mock.calls)).not.toContain(digits);
  expect(await codes.check(digits, another(printed()))).toBe('wrong');
  expect(await codes.check('2125550124', printed())).toBe('expired');
  expect(await codes.check(digits, printed())).toBe('approved');
  expect(await codes.check(digits, printed())).toBe('expired');
});
