import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hashOfSecret, secretHeader, testLead, testSecret } from '../../../tests/support/leads.ts';
import type { Visitor } from '../../intake/visitor.ts';
import { OverLimitError, StoreUnavailableError } from '../base/errors.ts';
import { parseSettings } from '../config/settings.ts';
import type { UseCases } from '../routes/use-cases.ts';
import { buildApp } from './app.ts';
import { createLog } from './log.ts';

const leadId = '01939999-1111-7111-8111-111111111111';
let open: FastifyInstance | undefined;
afterEach(async () => {
  await open?.close();
});

async function testApp(
  options: {
    useCases?: Partial<UseCases>;
    env?: NodeJS.ProcessEnv;
    requestTimeoutMs?: number;
  } = {},
) {
  const lines: string[] = [];
  const useCases: UseCases = {
    acceptLead: async (body) => ({
      lead_id: String(body.lead_id),
      revision: 1,
      qualified: 'yes',
      dq_reason: '',
    }),
    saveProgress: async () => ({ userBackupStatus: true, userProgressionStatus: true }),
    lookUpZip: async (zip) => ({ zip, city: 'C', state: 'FL', state_long: 'Florida', county: 'D' }),
    checkPhone: async () => ({ valid: true, active: true }),
    checkEmail: async () => ({ blocked: false }),
    verifyPhone: async () => ({ status: 'pending', sent: true }),
    checkText: async () => ({ is_gibberish: 'no', bad_words: 'no' }),
    mapLead: async () => ({ mapped: true }),
    findBuyers: async () => ({ consent: 'no', timeout: 'no', buyers: [] }),
    estimate: async () => ({ compLevel: 3 }),
    checkPrefill: async () => false,
    takeContactForm: async () => ({
      ...{ wrong: [], doubtful: [], asked: '' },
      lead: { id: leadId, secret: testSecret },
    }),
    takeOptOut: async () => ({ wrong: [], reference: 'A1', at: new Date() }),
    tellOfPage: () => undefined,
    surveyForms: { take: async () => undefined, show: async () => undefined },
    isReady: async () => true,
    ...options.useCases,
  };
  const log = await createLog({ level: 'trace', stream: { write: (line) => lines.push(line) } });
  const { settings } = parseSettings(options.env ?? {});
  const { requestTimeoutMs = 30_000 } = options;
  open = await buildApp({
    settings,
    useCases,
    log,
    requestTimeoutMs,
    // Never sheds load here: other tests of this process may block the event loop.
    maxEventLoopDelayMs: 60_000,
  });
  const post = (url: string, payload: unknown, headers: Record<string, string> = {}) =>
    (open as FastifyInstance).inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...headers },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    });
  return { app: open, post, lines };
}

type Answer = Awaited<ReturnType<FastifyInstance['inject']>>;

function expectProblem(answer: Answer, status: number, reason: string): void {
  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(answer.json()).toMatchObject({ type: 'about:blank', status, reason });
  expect(answer.json()).toMatchObject({ title: expect.any(String), detail: expect.any(String) });
  expect(answer.statusCode).toBe(status);
}

describe('POST /api/estimate', () => {
  it('returns the level, and refuses anything but an object', async () => {
    const estimate = vi.fn<UseCases['estimate']>(async () => ({ compLevel: 6 }));
    const { post } = await testApp({ useCases: { estimate } });
    const answer = await post('/api/estimate', { specific_injury: 'Whiplash' });
    expect(answer.json()).toEqual({ compLevel: 6 });
    expect(estimate).toHaveBeenCalledExactlyOnceWith({ specific_injury: 'Whiplash' });
    expect((await post('/api/estimate', [])).statusCode).toBe(400);
    expect((await post('/api/estimate', '{')).statusCode).toBe(400);
    expect(estimate).toHaveBeenCalledOnce();
  });
});

describe('POST /api/click', () => {
  const id = '0123456789abcdef0123456789abcdef';
  const click = { offer_id: '81', affiliate_id: '1', sub1: 'a', transaction_id: 'x' };

  it('exists only if our server creates the clicks', async () => {
    const { post } = await testApp();
    expect((await post('/api/click', click)).statusCode).toBe(404);
  });

  it('returns the transaction id, and creates no click with the opt-out signal', async () => {
    const trackClick = vi.fn<NonNullable<UseCases['trackClick']>>(async () => id);
    const { post } = await testApp({ useCases: { trackClick } });
    expect((await post('/api/click', click)).json()).toEqual({ transaction_id: id });
    const optedOut = await post('/api/click', click, { 'sec-gpc': '1' });
    expect(optedOut.json()).toEqual({ transaction_id: '' });
    expect(trackClick).toHaveBeenCalledExactlyOnceWith(click);
  });

  it.each([
    ['an unknown field', { ...click, email: 'a@b.example' }],
    ['an offer that is not a number', { ...click, offer_id: 'x' }],
    ['a value that is too long', { ...click, sub1: 'a'.repeat(501) }],
    ['no affiliate', { offer_id: '81' }],
  ])('refuses %s', async (_, body) => {
    const trackClick = vi.fn<NonNullable<UseCases['trackClick']>>(async () => id);
    const { post } = await testApp({ useCases: { trackClick } });
    expectProblem(await post('/api/click', body), 400, 'invalid_request');
    expect(trackClick).not.toHaveBeenCalled();
  });
});

describe('GET /api/prefill', () => {
  it('returns whether the contact fields are prefilled for an affiliate', async () => {
    const checkPrefill = vi.fn<UseCases['checkPrefill']>(async (affid) => affid === '252');
    const { app } = await testApp({ useCases: { checkPrefill } });
    const on = await app.inject('/api/prefill?affid=252');
    expect(on.json()).toEqual({ result: 'yes' });
    expect(on.headers['cache-control']).toBe('no-store');
    expect((await app.inject('/api/prefill?affid=1')).json()).toEqual({ result: 'no' });
    expect(checkPrefill.mock.calls).toEqual([['252'], ['1']]);
  });

  it.each(['', '?affid=', '?affid=x', '?affid=1%2F2'])('refuses %s', async (query) => {
    const { app } = await testApp();
    expect((await app.inject(`/api/prefill${query}`)).statusCode).toBe(400);
  });
});

describe('POST /post-lead', () => {
  it('answers a lead', async () => {
    const { post } = await testApp();
    const answer = await post('/post-lead', testLead());
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      lead_id: leadId,
      revision: 1,
      qualified: 'yes',
      dq_reason: '',
    });
  });

  it.each<[string, unknown, string]>([
    ['no JSON', '{"lead_id":', 'not_json'],
    ['nothing', '', 'not_json'],
    ['an array', [], 'not_an_object'],
    ['null', 'null', 'not_an_object'],
    ['a string', '"lead"', 'not_an_object'],
    ['no id', { survey: '/survey/v4nv' }, 'no_lead_id'],
    ['a malformed id', { lead_id: '123' }, 'no_lead_id'],
    ['an id of the wrong type', { lead_id: 7 }, 'no_lead_id'],
  ])('refuses %s with 400', async (_, body, reason) => {
    const { post } = await testApp();
    expectProblem(await post('/post-lead', body), 400, reason);
  });

  it('refuses bodies that are too large or of another type than JSON', async () => {
    const { post } = await testApp();
    const large = { lead_id: leadId, case_description: 'x'.repeat(70_000) };
    expectProblem(await post('/post-lead', large), 413, 'too_large');
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'text/html']) {
      const answer = await post('/post-lead', 'lead_id=1', { 'content-type': type });
      expectProblem(answer, 415, 'unsupported_media_type');
    }
  });

  it('accepts a lead with hostile keys, but removes the keys', async () => {
    const acceptLead = vi.fn<UseCases['acceptLead']>(async () => ({
      lead_id: leadId,
      revision: 1,
      qualified: 'no',
      dq_reason: '',
    }));
    const { post } = await testApp({ useCases: { acceptLead } });
    const body = `{"lead_id":"${leadId}","__proto__":{"a":1},"constructor":{"prototype":{}},"x":"y"}`;
    expect((await post('/post-lead', body)).statusCode).toBe(200);
    expect(acceptLead.mock.calls[0]?.[0]).toEqual({ lead_id: leadId, x: 'y' });
  });

  it('limits bad requests with 429, but still accepts every lead', async () => {
    const { post } = await testApp();
    const statuses = new Set<number>();
    for (let i = 0; i < 70; i += 1) statuses.add((await post('/post-lead', '{')).statusCode);
    expect([...statuses]).toEqual([400, 429]);
    const refused = await post('/post-lead', '{');
    expectProblem(refused, 429, 'too_many_requests');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await post('/post-lead', testLead())).statusCode).toBe(200);
  });

  it('answers 503 with Retry-After when the lead could not be stored', async () => {
    const acceptLead = () => Promise.reject(new StoreUnavailableError('away'));
    const { post } = await testApp({ useCases: { acceptLead } });
    const answer = await post('/post-lead', testLead());
    expectProblem(answer, 503, 'unavailable');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  it.each(['too_many_posts', 'too_many_fields'] as const)(
    'answers 429 with Retry-After above a lead’s limits (%s), and does not count it as a bad request',
    async (reason) => {
      const acceptLead = vi.fn<UseCases['acceptLead']>(() =>
        Promise.reject(new OverLimitError(reason, 3_600)),
      );
      const { post } = await testApp({ useCases: { acceptLead } });
      for (let n = 0; n < 70; n += 1) {
        const answer = await post('/post-lead', testLead());
        expectProblem(answer, 429, reason);
        expect(answer.headers['retry-after']).toBe('3600');
      }
      expect(acceptLead).toHaveBeenCalledTimes(70);
      // None of them counted as a bad request.
      expectProblem(await post('/post-lead', '{'), 400, 'not_json');
    },
  );

  it('answers 500 without details of the error', async () => {
    const acceptLead = () => Promise.reject(new Error('secret detail'));
    const { post } = await testApp({ useCases: { acceptLead } });
    const answer = await post('/post-lead', testLead());
    expectProblem(answer, 500, 'internal');
    expect(answer.body).not.toContain('secret');
  });
});

describe('the visitor’s address', () => {
  async function addressSeen(
    env: NodeJS.ProcessEnv,
    forwardedFor = '198.51.100.9, 10.1.2.3',
  ): Promise<Visitor | undefined> {
    const acceptLead = vi.fn<UseCases['acceptLead']>(async () => ({
      lead_id: leadId,
      revision: 1,
      qualified: 'no',
      dq_reason: '',
    }));
    const { post } = await testApp({ useCases: { acceptLead }, env });
    await post('/post-lead', testLead(), {
      'x-forwarded-for': forwardedFor,
      'sec-gpc': '1',
      referer: 'https://claims.example.com/survey/v4nv?s1=abc',
    });
    return acceptLead.mock.calls[0]?.[1];
  }

  it('is the connection’s without trusted proxies, whatever the headers say', async () => {
    expect(await addressSeen({})).toMatchObject({ address: '127.0.0.1' });
  });

  it('is taken from X-Forwarded-For of trusted proxies only', async () => {
    expect(await addressSeen({ TRUSTED_PROXIES: 'loopback' })).toMatchObject({
      address: '10.1.2.3',
    });
    expect(await addressSeen({ TRUSTED_PROXIES: 'loopback,10.0.0.0/8' })).toMatchObject({
      address: '198.51.100.9',
      secGpc: true,
      page: 'https://claims.example.com/survey/v4nv',
    });
  });

  it('is the proxy’s if the header holds no address, since buyers refuse anything else', async () => {
    expect(await addressSeen({ TRUSTED_PROXIES: 'loopback' }, 'unknown')).toMatchObject({
      address: '127.0.0.1',
      addressKey: '127.0.0.1',
    });
  });
});

describe('the address in a proxy’s own header', () => {
  const env = { TRUSTED_PROXIES: 'loopback', VISITOR_ADDRESS_HEADER: 'CF-Connecting-IP' };

  async function addressOf(told: string, from = '198.51.100.9', settings: NodeJS.ProcessEnv = env) {
    let seen: Visitor | undefined;
    const { app } = await testApp({
      env: settings,
      useCases: {
        acceptLead: async (body, visitor) => {
          seen = visitor;
          return { lead_id: String(body.lead_id), revision: 1, qualified: 'yes', dq_reason: '' };
        },
      },
    });
    const headers = { 'cf-connecting-ip': told, ...(from && { 'x-forwarded-for': from }) };
    await app.inject({ method: 'POST', url: '/post-lead', headers, payload: { lead_id: leadId } });
    return [seen?.address, seen?.addressKey];
  }

  it('is the visitor’s address, also for limits', async () => {
    expect(await addressOf('203.0.113.50')).toEqual(['203.0.113.50', '203.0.113.50']);
  });

  it.each(['', 'unknown', '<script>'])('is ignored if it is %j', async (told) => {
    expect((await addressOf(told))[0]).toBe('198.51.100.9');
  });

  it('is ignored without a trusted proxy or without the setting', async () => {
    expect((await addressOf('203.0.113.50', ''))[0]).toBe('127.0.0.1');
    const elsewhere = { ...env, TRUSTED_PROXIES: '192.0.2.7' };
    expect((await addressOf('203.0.113.50', '198.51.100.9', elsewhere))[0]).toBe('127.0.0.1');
    const { VISITOR_ADDRESS_HEADER: _, ...without } = env;
    expect((await addressOf('203.0.113.50', '198.51.100.9', without))[0]).toBe('198.51.100.9');
  });
});

describe('the state in a proxy’s header', () => {
  const env = { TRUSTED_PROXIES: 'loopback', VISITOR_STATE_HEADER: 'X-Visitor-State' };

  async function stateOf(given: string, from = '198.51.100.9', settings: NodeJS.ProcessEnv = env) {
    const { app } = await testApp({ env: settings });
    const headers = { 'x-visitor-state': given, ...(from && { 'x-forwarded-for': from }) };
    return app.inject({ url: '/api/state', headers });
  }

  it.each([
    ['AL', 'AL'],
    [' us-ne ', 'NE'],
    ['Alabama', ''],
    ['', ''],
  ])('%j is %j', async (given, state) => {
    const answer = await stateOf(given);
    expect(answer.json()).toEqual({ state });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('is ignored without a trusted proxy', async () => {
    expect((await stateOf('AL', '')).json()).toEqual({ state: '' });
    const elsewhere = { ...env, TRUSTED_PROXIES: '192.0.2.7' };
    expect((await stateOf('AL', '198.51.100.9', elsewhere)).json()).toEqual({ state: '' });
  });

  it('has no route without the setting', async () => {
    expectProblem(await stateOf('AL', '198.51.100.9', {}), 404, 'not_found');
  });
});

describe('the secret of a lead', () => {
  it('reaches the use cases of the lead only as a hash', async () => {
    const acceptLead = vi.fn<UseCases['acceptLead']>(async () => ({
      lead_id: leadId,
      revision: 1,
      qualified: 'no',
      dq_reason: '',
    }));
    const saveProgress = vi.fn<UseCases['saveProgress']>(async () => ({
      userBackupStatus: true,
      userProgressionStatus: true,
    }));
    const mapLead = vi.fn<UseCases['mapLead']>(async () => ({ mapped: true }));
    const findBuyers = vi.fn<UseCases['findBuyers']>(async () => ({
      consent: 'no',
      timeout: 'no',
      buyers: [],
    }));
    const useCases = { acceptLead, saveProgress, mapLead, findBuyers };
    const { post, lines } = await testApp({ useCases });
    const survey = '/survey/v6';
    const calls = async (headers: Record<string, string>) => {
      await post('/post-lead', testLead(), headers);
      await post('/api/save-data', { session: { lead_id: leadId }, data: [] }, headers);
      await post('/api/mapping', { lead_id: leadId, survey, affid: 1, oid: 1 }, headers);
      await post('/api/buyers', { lead_id: leadId, survey, zip_code: '10001' }, headers);
    };
    await calls(secretHeader());
    await calls({});
    await calls(secretHeader(''));
    const seen = [
      acceptLead.mock.calls.map(([, visitor]) => visitor.secretSha256),
      saveProgress.mock.calls.map(([, visitor]) => visitor.secretSha256),
      mapLead.mock.calls.map(([request]) => request.secretSha256),
      findBuyers.mock.calls.map(([, visitor]) => visitor.secretSha256),
    ];
    for (const each of seen) expect(each).toEqual([hashOfSecret(testSecret), null, null]);
    const all = JSON.stringify(
      [acceptLead, saveProgress, mapLead, findBuyers].map((one) => one.mock),
    );
    expect(all).not.toContain(testSecret);
    expect(lines.join('')).not.toContain(testSecret);
  });

  it('gets 429 with Retry-After above its limit of buyer lists', async () => {
    const findBuyers = () => Promise.reject(new OverLimitError('too_many_offers', 3_600));
    const { post } = await testApp({ useCases: { findBuyers } });
    const body = { lead_id: leadId, survey: '/survey/v6', zip_code: '10001' };
    const answer = await post('/api/buyers', body);
    expectProblem(answer, 429, 'too_many_offers');
    expect(answer.headers['retry-after']).toBe('3600');
  });
});

describe('a trailing slash', () => {
  it('redirects to the known path without it, keeping method and query', async () => {
    const { app, post } = await testApp();
    const posted = await post('/post-lead/?a=1', testLead());
    expect(posted.statusCode).toBe(308);
    expect(posted.headers.location).toBe('/post-lead?a=1');
    expect((await app.inject('/us/33101/')).headers.location).toBe('/us/33101');
    for (const url of ['/nothing/', '//example.com/post-lead/', '/us//']) {
      expect((await app.inject(url)).headers.location).toBeUndefined();
    }
    expectProblem(await app.inject('/post-lead/'), 404, 'not_found');
  });
});

describe('the other routes', () => {
  it('answer as specified', async () => {
    const { app, post } = await testApp();
    expect((await app.inject('/healthz')).json()).toEqual({ status: 'ok' });
    expect((await app.inject('/readyz')).json()).toEqual({ status: 'ok' });
    expect((await app.inject('/us/33101')).json()).toMatchObject({ zip: '33101', county: 'D' });
    expect((await post('/api/check/phone', { phone: '2125550123', survey: '' })).json()).toEqual({
      valid: true,
      active: true,
    });
    expect((await post('/api/check/email', { email: 'a@b.c', lead_id: leadId })).json()).toEqual({
      blocked: false,
    });
    expect((await post('/api/check/text', { text: 'x' })).json()).toEqual({
      is_gibberish: 'no',
      bad_words: 'no',
    });
    const saved = await post('/api/save-data', { session: { lead_id: leadId }, data: [] });
    expect(saved.json()).toEqual({ userBackupStatus: true, userProgressionStatus: true });
  });

  it.each<[string, unknown, string]>([
    ['/api/check/phone', {}, 'invalid_request'],
    ['/api/check/email', { email: 'a@b.c', lead_id: 'x' }, 'no_lead_id'],
    ['/api/check/text', { text: 7 }, 'invalid_request'],
    ['/api/save-data', { session: {}, data: [] }, 'no_lead_id'],
    ['/api/save-data', { data: [] }, 'invalid_request'],
  ])('%s refuses %o', async (url, body, reason) => {
    const { post } = await testApp();
    expectProblem(await post(url, body), 400, reason);
  });

  it('are limited by address', async () => {
    const { app } = await testApp({ env: { CHECKS_PER_ADDRESS_PER_MINUTE: '2' } });
    const answers = [];
    for (let i = 0; i < 3; i += 1) answers.push(await app.inject('/us/33101'));
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 429]);
    expectProblem(answers[2] as Answer, 429, 'too_many_requests');
    expect(Number(answers[2]?.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('are limited by address, ignoring its port', async () => {
    const env = { CHECKS_PER_ADDRESS_PER_MINUTE: '2', TRUSTED_PROXIES: 'loopback' };
    const { app } = await testApp({ env });
    const statuses = [];
    for (const port of ['50001', '50002', '50003']) {
      const headers = { 'x-forwarded-for': `203.0.113.9:${port}` };
      statuses.push((await app.inject({ url: '/us/33101', headers })).statusCode);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });

  it('answer a problem to unknown paths and wrong methods', async () => {
    const { app } = await testApp();
    expectProblem(await app.inject('/api/nothing'), 404, 'not_found');
    const wrong = await app.inject({ method: 'GET', url: '/post-lead?email=x' });
    expectProblem(wrong, 405, 'invalid_request');
    expect(wrong.headers.allow).toBe('POST');
    const get = await app.inject({ method: 'DELETE', url: '/us/33101' });
    expect(get.headers.allow).toBe('GET, HEAD');
    expectProblem(await app.inject('/us/%E0%A4%A'), 400, 'invalid_request');
  });

  it('report when the database is away', async () => {
    const { app } = await testApp({ useCases: { isReady: async () => false } });
    expectProblem(await app.inject('/readyz'), 503, 'unavailable');
    expect((await app.inject('/healthz')).statusCode).toBe(200);
  });
});

describe('malformed HTTP', () => {
  it.each([
    [400, 'FOO\r\n\r\n'],
    [431, `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('is refused with %i and a problem, like any bad request', async (status, request) => {
    const { app } = await testApp();
    const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(request);
    const answer = await text(socket);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toContain('\r\nContent-Type: application/problem+json; charset=utf-8\r\n');
    const [, body = ''] = answer.split('\r\n\r\n');
    expect(JSON.parse(body)).toMatchObject({ status, reason: 'invalid_request' });
  });
});

describe('a slow request', () => {
  it.each([
    [
      'with a slow body',
      'POST /post-lead HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{',
    ],
    ['with a slow head', 'POST /post-lead HTTP/1.1\r\nHost: x\r\nX-Long: '],
  ])('%s is cut at its time-out, even if bytes keep coming', async (_, beginning) => {
    const acceptLead = vi.fn<UseCases['acceptLead']>();
    const { app } = await testApp({ useCases: { acceptLead }, requestTimeoutMs: 1_000 });
    const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
    const socket = connect(Number(port), '127.0.0.1');
    const startedAtMs = performance.now();
    socket.write(beginning);
    const drip = setInterval(() => socket.write(' '), 50);
    // Writes after the cut fail.
    socket.on('error', () => undefined);
    const answer = await text(socket).catch(() => '');
    clearInterval(drip);
    const cutAfterMs = performance.now() - startedAtMs;
    expect(cutAfterMs).toBeGreaterThanOrEqual(1_000);
    // Below Node's default check interval of 30 s, so ours is in effect.
    expect(cutAfterMs).toBeLessThan(25_000);
    expect(answer).toMatch(/^(HTTP\/1.1 408 |$)/);
    expect(acceptLead).not.toHaveBeenCalled();
  });
});

it('a pipelined request that expects 100 Continue does not corrupt the answers', async () => {
  const { app } = await testApp({});
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const socket = connect(Number(port), '127.0.0.1');
  const ask = (more = '') => `GET /healthz HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
  socket.write(ask() + ask('Expect: 100-continue\r\n'));
  const answers = (await text(socket)).split(/(?=HTTP\/1\.1 )/);
  expect(answers.map((answer) => answer.slice(0, 12))).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
  for (const answer of answers) {
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(Number(/content-length: (\d+)/i.exec(head)?.[1])).toBe(body.length);
  }
});

describe('headers', () => {
  it('of cacheable answers do not depend on the visitor', async () => {
    const { app } = await testApp({ env: { CHECKS_PER_ADDRESS_PER_MINUTE: '1' } });
    for (const status of [200, 429]) {
      const answer = await app.inject('/us/33101');
      expect(answer.statusCode).toBe(status);
      expect(Object.keys(answer.headers).filter((name) => name.includes('ratelimit'))).toEqual([]);
    }
  });

  it('forbid framing and hide our addresses from other sites', async () => {
    const { app } = await testApp();
    const { headers } = await app.inject('/healthz');
    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'origin-agent-cluster': '?1',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-dns-prefetch-control': 'off',
      'x-download-options': 'noopen',
      'x-frame-options': 'DENY',
      'x-permitted-cross-domain-policies': 'none',
      'x-xss-protection': '0',
    });
    expect(headers['strict-transport-security']).toBeUndefined();
    expect(headers['x-powered-by']).toBeUndefined();
  });

  it('include HSTS only if the public address is https', async () => {
    const { app } = await testApp({ env: { PUBLIC_URL: 'https://claims.example.com' } });
    const { headers } = await app.inject('/healthz');
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
  });
});

describe('the log', () => {
  it('has a line per request and no personal data', async () => {
    const canary = 'canary7f3a';
    const acceptLead = () =>
      Promise.reject(
        Object.assign(new Error(`value too long: "${canary}"`), {
          code: '22001',
          detail: `Failing row contains (${canary})`,
          where: canary,
        }),
      );
    const { app, post, lines } = await testApp({
      useCases: { acceptLead },
      env: { TRUSTED_PROXIES: 'loopback' },
    });
    const headers = {
      'user-agent': canary,
      referer: `https://x.example/?${canary}`,
      'x-forwarded-for': '198.51.100.77',
    };
    const body = testLead({ first_name: canary, email: `${canary}@mail.example` });
    await post(`/post-lead?email=${canary}`, body, headers);
    await post('/post-lead', `{"${canary}`, headers);
    await post('/api/check/email', { email: `${canary}@x.com`, lead_id: leadId }, headers);
    await post('/api/check/text', { text: [canary] }, headers);
    await app.inject({ url: `/us/${canary}?q=${canary}`, headers });
    await app.inject({ url: `/${canary}`, headers });
    await app.inject({ url: `/%E0%A4%A${canary}`, headers });
    const log = lines.join('');
    expect(log.match(/"msg":"request"/g)?.length).toBeGreaterThanOrEqual(6);
    expect(log).toContain('"route":"/us/:zip"');
    expect(log).not.toContain(canary);
    expect(log).not.toContain('198.51.100.77');
    expect(log).not.toContain('33101');
  });
});

describe('POST /send-slack-message', () => {
  const path = '/send-slack-message';
  const text = 'An e-mail address was blocked, given again, and accepted';

  it('accepts the texts that our pages send, and answers 204', async () => {
    const tellOfPage = vi.fn<UseCases['tellOfPage']>();
    const { post, lines } = await testApp({ useCases: { tellOfPage } });
    const answer = await post(path, { text }, { 'sec-fetch-site': 'same-origin' });
    expect(answer.statusCode).toBe(204);
    expect(answer.body).toBe('');
    expect(tellOfPage.mock.calls).toEqual([[text]]);
    expect(lines.join('')).not.toContain('blocked');
  });

  it.each([
    [{ text: 'Buy now at https://spam.example' }, {}, 400],
    [{ text: `${text}!` }, {}, 400],
    [{ text: text.toLowerCase() }, {}, 400],
    [{ text, channel: '#general' }, {}, 400],
    [{ text: [text] }, {}, 400],
    [{}, {}, 400],
    [text, {}, 400],
    [{ text }, { 'sec-fetch-site': 'cross-site' }, 403],
    [{ text }, { 'sec-fetch-site': 'same-site' }, 403],
    [{ text }, { 'content-type': 'text/plain' }, 415],
  ])('refuses %j with %o: %i', async (body, headers, status) => {
    const tellOfPage = vi.fn<UseCases['tellOfPage']>();
    const { post } = await testApp({ useCases: { tellOfPage } });
    const answer = await post(path, body, headers as Record<string, string>);
    expect(answer.statusCode).toBe(status);
    expect(tellOfPage).not.toHaveBeenCalled();
    expect(answer.body).not.toContain('spam');
  });

  it('accepts five per minute from one address', async () => {
    const tellOfPage = vi.fn<UseCases['tellOfPage']>();
    const { post } = await testApp({ useCases: { tellOfPage } });
    const answers = [];
    for (let index = 0; index < 7; index += 1) answers.push(await post(path, { text }));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([
      204, 204, 204, 204, 204, 429, 429,
    ]);
    expect(tellOfPage).toHaveBeenCalledTimes(5);
  });
});
