import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defaultCredentials as credentials } from '../credentials.ts';
import { type Sandbox, startSandbox } from '../server.ts';
import { get, postForm } from '../testing.ts';
import { invalidNumberMessage } from './ipqs.ts';

const minuteMs = 60_000;
let clockMs = Date.UTC(2026, 0, 15, 12);
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ now: () => new Date(clockMs) });
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

const problems = () => sandbox.violations().flatMap((one) => one.problems);

describe('phone check (IPQualityScore)', () => {
  const ask = (
    phone: string,
    headers: Record<string, string> = { 'IPQS-KEY': credentials.ipqsKey },
  ) => postForm(`${sandbox.url}/api/json/phone`, { phone, 'country[]': 'US' }, headers);

  it.each([
    [
      '2125550101',
      { success: true, valid: true, active: true, fraud_score: 0, line_type: 'Wireless' },
    ],
    ['8885550101', { success: true, line_type: 'Toll Free' }],
    ['2125550001', { success: false, message: invalidNumberMessage }],
    ['1125550101', { success: false, message: invalidNumberMessage }],
    ['2125550002', { valid: true, active: false }],
    ['2125550003', { valid: true, active: null }],
    ['2125550004', { success: false }],
    ['2125550005', { line_type: 'VOIP' }],
    ['2125550006', { line_type: 'Landline' }],
    ['2125550085', { fraud_score: 85 }],
    ['2125550086', { fraud_score: 86 }],
  ])('answers %s', async (phone, expected) => {
    const { status, body } = await ask(phone);
    expect(status).toBe(200);
    expect(body).toMatchObject(expected);
    expect(problems()).toEqual([]);
  });

  it.each([
    ['no key', '2125550101', {}, 'IPQS-KEY: missing'],
    ['a wrong key', '2125550101', { 'IPQS-KEY': 'x' }, 'IPQS-KEY: wrong'],
    ['punctuation', '212-555-0101', undefined, 'phone: expected 10 digits'],
  ])('refuses %s with 200 and success false', async (_name, phone, headers, violation) => {
    const { status, body } = await ask(phone, headers);
    expect([status, body]).toMatchObject([200, { success: false }]);
    expect(problems()).toEqual([violation]);
  });

  it('refuses an unknown field, and the number in the address', async () => {
    const headers = { 'IPQS-KEY': credentials.ipqsKey };
    const fields = { phone: '2125550101', color: 'red' };
    await postForm(`${sandbox.url}/api/json/phone`, fields, headers);
    await postForm(`${sandbox.url}/api/json/phone?phone=2125550101`, {}, headers);
    expect(problems().toSorted()).toEqual(['color: unknown field', 'query phone: unknown field']);
    const inPath = await get(`${sandbox.url}/api/json/phone/2125550101`, headers);
    expect(inPath.status).toBe(404);
  });

  it('does not record the key', async () => {
    await ask('2125550101');
    expect(JSON.stringify(sandbox.received())).not.toContain(credentials.ipqsKey);
  });
});

describe('e-mail check (IPQualityScore)', () => {
  const ask = (
    email: string,
    headers: Record<string, string> = { 'IPQS-KEY': credentials.ipqsKey },
  ) => postForm(`${sandbox.url}/api/json/email`, { email, timeout: '1' }, headers);

  it.each([
    [
      'maria@example.com',
      { success: true, valid: true, disposable: false, dns_valid: true, fraud_score: 0 },
    ],
    ['invalid+x@example.com', { valid: false, dns_valid: true }],
    ['a@mailinator.com', { valid: true, disposable: true }],
    ['nodns@example.com', { valid: false, dns_valid: false }],
    ['slow@example.com', { valid: false, timed_out: true }],
    ['fraud@example.com', { valid: true, fraud_score: 95 }],
  ])('answers %s', async (email, expected) => {
    expect((await ask(email)).body).toMatchObject(expected);
    expect(problems()).toEqual([]);
  });

  it.each([
    ['no key', 'maria@example.com', {}, 'IPQS-KEY: missing'],
    ['no address', 'maria', undefined, 'email: expected an address'],
  ])('refuses %s', async (_name, email, headers, violation) => {
    expect((await ask(email, headers)).body).toMatchObject({ success: false });
    expect(problems()).toEqual([violation]);
  });
});

describe('SMS codes (Twilio Verify)', () => {
  const basic = (user: string, password: string) =>
    `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const authorization = basic(credentials.twilioAccountSid, credentials.twilioAuthToken);
  const base = () => `${sandbox.url}/v2/Services/${credentials.twilioServiceSid}`;
  const to = '+12125550101';
  const start = (fields: Record<string, string> = { To: to, Channel: 'sms' }, headers = {}) =>
    postForm(`${base()}/Verifications`, fields, { authorization, ...headers });
  const verify = (Code: string) =>
    postForm(`${base()}/VerificationCheck`, { To: to, Code }, { authorization });
  const sentCode = () => sandbox.codes().at(-1)?.code ?? '';
  const wrongCode = () => (sentCode() === '000000' ? '000001' : '000000');

  it('repeats the code within ten minutes and allows five sends', async () => {
    for (let send = 1; send <= 5; send += 1) expect((await start()).status).toBe(201);
    expect(new Set(sandbox.codes().map((one) => one.code)).size).toBe(1);
    expect(await start()).toMatchObject({ status: 429, body: { code: 60203 } });
    clockMs += 10 * minuteMs;
    expect((await start()).status).toBe(201);
  });

  it('expires a code after ten minutes, whatever is resent', async () => {
    await start();
    clockMs += 9 * minuteMs;
    await start();
    clockMs += minuteMs - 1;
    expect(await verify(wrongCode())).toMatchObject({ status: 200 });
    clockMs += 1;
    expect(await verify(sentCode())).toMatchObject({ status: 404, body: { code: 20404 } });
  });

  it.each([
    [
      'a number that is not E.164',
      { To: '2125550101', Channel: 'sms' },
      {},
      400,
      60200,
      'To: expected an E.164 number',
    ],
    ['another channel', { To: to, Channel: 'call' }, {}, 400, 60200, 'Channel: expected "sms"'],
    [
      'an unknown field',
      { To: to, Channel: 'sms', phone: '1' },
      {},
      400,
      60200,
      'phone: unknown field',
    ],
    [
      'a wrong token',
      { To: to, Channel: 'sms' },
      { authorization: basic('AC0', 'x') },
      401,
      20003,
      'authorization: wrong',
    ],
    [
      'JSON',
      { To: to, Channel: 'sms' },
      { 'content-type': 'application/json' },
      400,
      60200,
      'content-type: expected application/x-www-form-urlencoded',
    ],
  ])('refuses %s', async (_name, fields, headers, status, code, violation) => {
    expect(await start(fields, headers)).toMatchObject({ status, body: { code, status } });
    expect(problems()).toEqual([violation]);
    expect(sandbox.codes()).toEqual([]);
  });

  it('does not know another service, nor a number without a code', async () => {
    const other = `${sandbox.url}/v2/Services/VA0/Verifications`;
    expect(await postForm(other, { To: to, Channel: 'sms' }, { authorization })).toMatchObject({
      status: 404,
    });
    expect(await verify('123456')).toMatchObject({ status: 404, body: { code: 20404 } });
  });
});

describe('zip look-up (Zippopotam)', () => {
  it('answers a known zip with spaced keys and no county', async () => {
    const { status, body } = await get(`${sandbox.url}/us/90210`);
    expect([status, body]).toMatchObject([
      200,
      {
        'post code': '90210',
        places: [{ 'place name': 'Beverly Hills', 'state abbreviation': 'CA' }],
      },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/county/i);
  });

  it('answers an unknown zip with 404 {}, and a malformed one also with a violation', async () => {
    expect(await get(`${sandbox.url}/us/00000`)).toMatchObject({ status: 404, body: {} });
    expect(problems()).toEqual([]);
    expect(await get(`${sandbox.url}/us/9021`)).toMatchObject({ status: 404, body: {} });
    expect(problems()).toEqual(['zip: expected 5 digits']);
  });
});

describe('visitor address', () => {
  it('echoes as JSON and as text, and traces', async () => {
    expect((await get(`${sandbox.url}/ip?format=json`)).body).toEqual({ ip: '127.0.0.1' });
    const text = await get(`${sandbox.url}/ip`);
    expect(text.body).toBe('127.0.0.1');
    expect(text.headers.get('access-control-allow-origin')).toBe('*');
    expect((await get(`${sandbox.url}/cdn-cgi/trace`)).body).toMatch(/^ip=127\.0\.0\.1$/m);
    expect((await get(`${sandbox.url}/ip?format=xml`)).status).toBe(400);
  });
});

describe('gibberish', () => {
  it.each([
    ['I was hit from behind at a red light.', 'no'],
    ['Me chocaron por detrás en un semáforo.', 'no'],
    ['sdfkjh wqrtzx plmnbv', 'yes'],
  ])('judges %j', async (text, expected) => {
    expect((await postForm(`${sandbox.url}/gibberish`, { text })).body).toEqual({
      is_gibberish: expected,
    });
    const body = new FormData();
    body.set('text', text);
    const multipart = await fetch(`${sandbox.url}/gibberish`, { method: 'POST', body });
    expect(await multipart.json()).toEqual({ is_gibberish: expected });
    expect(problems()).toEqual([]);
  });

  it('refuses anything else', async () => {
    expect(await postForm(`${sandbox.url}/gibberish`, { words: 'x' })).toMatchObject({
      status: 400,
    });
    expect(problems().toSorted()).toEqual(['text: missing', 'words: unknown field']);
  });
});
