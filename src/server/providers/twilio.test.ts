/** Tests the adapter with the sandbox and with faulty answers. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Sandbox, startSandbox } from '../../../sandbox/server.ts';
import { createOutgoingHttp, MAX_ANSWER_BYTES, type OutgoingHttp } from './outgoing-http.ts';
import { createService } from './service.ts';
import { createTwilioVerify, type TwilioAccount } from './twilio.ts';

const digits = '2125550123';
const clients: OutgoingHttp[] = [];
const called = vi.fn();
const warn = vi.fn();

function verifier(
  baseUrl: string,
  other: Partial<TwilioAccount & { timeoutMs: number }> = {},
  allowPrivateNetworks = true,
) {
  const http = createOutgoingHttp({ allowPrivateNetworks });
  clients.push(http);
  const { timeoutMs = 2_000, ...account } = other;
  const observer = { called, circuitChanged: () => undefined };
  return createTwilioVerify(
    createService({ name: 'sms', http, baseUrl, timeoutMs, observer }),
    {
      accountSid: 'AC00000000000000000000000000000001',
      authToken: 'sandbox-twilio-token',
      serviceSid: 'VA00000000000000000000000000000001',
      ...account,
    },
    warn,
  );
}

const outcomes = () => called.mock.calls.map(([service, outcome]) => [service, outcome]);

beforeEach(() => {
  called.mockReset();
  warn.mockReset();
});
afterEach(async () => {
  server.closeAllConnections();
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

let handle: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
const server = createServer((request, response) => handle(request, response));
let url = '';
let sandbox: Sandbox;
let now = new Date('2026-11-20T15:00:00Z');
beforeAll(async () => {
  sandbox = await startSandbox({ now: () => now });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await sandbox.close();
});

describe('with the sandbox', () => {
  beforeEach(() => sandbox.reset());

  test('a code is sent, rejected, approved, and then expired', async () => {
    const codes = verifier(`${sandbox.url}/`);
    sandbox.fail({ service: 'sms', mode: 'slow', delay_ms: 40, times: 1 });
    expect(await codes.send(digits, 'es')).toBe('sent');
    const sent = sandbox.codes().at(-1);
    expect(sent?.to).toBe(`+1${digits}`);
    expect(sandbox.received('sms')[0]).toMatchObject({
      path: '/v2/Services/VA00000000000000000000000000000001/Verifications',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: { To: `+1${digits}`, Channel: 'sms', Locale: 'es' },
    });
    const code = sent?.code ?? '';
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    expect(await codes.check(digits, wrong)).toBe('wrong');
    expect(await codes.check(digits, code)).toBe('approved');
    expect(await codes.check(digits, code)).toBe('expired');
    expect(sandbox.violations()).toEqual([]);
    expect(new Set(outcomes().map(String))).toEqual(new Set(['sms,answered']));
    // The first call was slow. A timer may fire a millisecond early.
    expect(called.mock.calls[0]?.[2]).toBeGreaterThanOrEqual(39);
    expect(warn).not.toHaveBeenCalled();
  });

  test('60203: too many sends', async () => {
    const codes = verifier(sandbox.url);
    for (let i = 0; i < 5; i += 1) expect(await codes.send(digits, 'en')).toBe('sent');
    expect(await codes.send(digits, 'en')).toBe('too_many');
  });

  test('60202: too many tries', async () => {
    const codes = verifier(sandbox.url);
    await codes.send(digits, 'en');
    const { code = '' } = sandbox.codes().at(-1) ?? {};
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    for (let i = 0; i < 5; i += 1) expect(await codes.check(digits, wrong)).toBe('wrong');
    expect(await codes.check(digits, code)).toBe('too_many');
  });

  test('20404: not sent, or expired', async () => {
    const codes = verifier(sandbox.url);
    expect(await codes.check(digits, '123456')).toBe('expired');
    await codes.send(digits, 'en');
    now = new Date(now.getTime() + 10 * 60_000);
    expect(await codes.check(digits, sandbox.codes().at(-1)?.code ?? '')).toBe('expired');
  });

  test('60410: a prefix blocked for fraud', async () => {
    expect(await verifier(sandbox.url).send('2125550060', 'en')).toBe('blocked');
  });

  test('a wrong account fails, with a warning that does not contain the number', async () => {
    const codes = verifier(sandbox.url, { authToken: 'another-token' });
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

describe('a faulty answer', () => {
  const ask = async (other: Parameters<typeof verifier>[1] = {}) => {
    const codes = verifier(url, other);
    return [await codes.send(digits, 'en'), await codes.check(digits, '123456')];
  };
  const answer =
    (status: number, body: string, headers: Record<string, string> = {}) =>
    (request: IncomingMessage, response: ServerResponse) => {
      request.resume();
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(body);
    };

  test.each<[string, number, string]>([
    ['nothing', 200, ''],
    ['no JSON', 200, '<html>approved</html>'],
    ['cut off', 200, '{"status":"approved","valid":tr'],
    ['null', 200, 'null'],
    ['a list', 200, '["approved"]'],
    ['no status', 200, '{"valid":true}'],
    ['a status of another kind', 200, '{"status":true,"valid":true}'],
    ['an unknown status', 200, '{"status":"Approved"}'],
    ['a contradiction', 200, '{"status":"approved","valid":false}'],
    ['a server error with a correct body', 500, '{"status":"approved","valid":true}'],
    ['an unknown error', 400, '{"code":60200,"message":"Invalid parameter"}'],
    ['a code as text', 429, '{"code":"60202"}'],
    ['an error code with a status of success', 200, '{"code":20404}'],
    ['a bad gateway', 502, 'Bad Gateway'],
  ])('%s fails both send and check', async (_, status, body) => {
    handle = answer(status, body);
    expect(await ask()).toEqual(['failed', 'failed']);
    expect(new Set(outcomes().map(String))).toEqual(new Set(['sms,failed']));
  });

  test.each<[string, string]>([
    ['max_attempts_reached', 'too_many'],
    ['expired', 'expired'],
    ['canceled', 'expired'],
  ])('the verification state %s is understood', async (status, outcome) => {
    handle = answer(200, JSON.stringify({ status, valid: false }));
    expect((await ask())[1]).toBe(outcome);
  });

  test('60205: a landline is blocked, which the visitor is told', async () => {
    handle = answer(
      403,
      '{"code":60205,"message":"SMS is not supported by landline phone number"}',
    );
    expect((await ask())[0]).toBe('blocked');
  });

  test('an answer that is too large fails', async () => {
    const padding = 'x'.repeat(MAX_ANSWER_BYTES);
    handle = answer(200, `{"status":"approved","valid":true,"x":"${padding}"}`);
    expect(await ask()).toEqual(['failed', 'failed']);
  });

  test('an answer that never comes times out', async () => {
    handle = () => undefined;
    expect(await ask({ timeoutMs: 150 })).toEqual(['failed', 'failed']);
    expect(outcomes()).toEqual([
      ['sms', 'timed_out'],
      ['sms', 'timed_out'],
    ]);
  });

  test('an answer whose body never ends times out', async () => {
    handle = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"status":');
    };
    expect(await ask({ timeoutMs: 150 })).toEqual(['failed', 'failed']);
    expect(outcomes()[0]).toEqual(['sms', 'timed_out']);
  });

  test('a refused or broken connection fails', async () => {
    handle = (request) => request.destroy();
    expect(await ask()).toEqual(['failed', 'failed']);
    expect(await verifier('http://127.0.0.1:9').send(digits, 'en')).toBe('failed');
    expect(new Set(outcomes().map(String))).toEqual(new Set(['sms,failed']));
  });

  test('a redirect to a private address is not followed', async () => {
    const paths: (string | undefined)[] = [];
    handle = (request, response) => {
      paths.push(request.url);
      answer(307, '{"status":"approved","valid":true}', { location: `${url}/inside` })(
        request,
        response,
      );
    };
    expect(await ask()).toEqual(['failed', 'failed']);
    expect(paths.filter((path) => path === '/inside')).toEqual([]);
  });

  test('a service at a private address is not called', async () => {
    const asked = vi.fn();
    handle = asked;
    expect(await verifier(url, {}, false).send(digits, 'en')).toBe('failed');
    expect(asked).not.toHaveBeenCalled();
  });
});
