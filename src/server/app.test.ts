import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { testLead } from '../../tests/support/leads.ts';
import { buildApp } from './app.ts';
import { parseSettings } from './config/settings.ts';
import { StoreUnavailableError } from './leads/ports.ts';
import type { UseCases } from './leads/use-cases.ts';
import type { Visitor } from './leads/visitor.ts';
import { createLog } from './log.ts';

const leadId = '01939999-1111-7111-8111-111111111111';
let open: FastifyInstance | undefined;
afterEach(async () => {
  await open?.close();
});

async function testApp(options: { useCases?: Partial<UseCases>; env?: NodeJS.ProcessEnv } = {}) {
  const lines: string[] = [];
  const useCases: UseCases = {
    acceptLead: async (body) => ({
      lead_id: String(body.lead_id),
      revision: 1,
      qualified: 'yes',
      dq_reason: '',
    }),
    saveProgress: async () => ({ userBackupStatus: true, userProgressionStatus: true }),
    lookUpZip: (zip) => ({ zip, city: 'C', state: 'FL', state_long: 'Florida', county: 'D' }),
    checkPhone: async () => ({ valid: true, active: true }),
    checkEmail: async () => ({ blocked: false }),
    checkText: () => ({ is_gibberish: 'no', bad_words: 'no' }),
    mapLead: async () => ({ mapped: true }),
    offerBuyers: async () => ({ consent: 'no', timeout: 'no', buyers: [] }),
    estimate: async () => ({ compLevel: 3 }),
    checkPrefill: async () => false,
    isReady: async () => true,
    ...options.useCases,
  };
  const log = await createLog({ level: 'trace', stream: { write: (line) => lines.push(line) } });
  open = await buildApp({ settings: parseSettings(options.env ?? {}).settings, useCases, log });
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
  it('answers the level of the answers, and refuses what is no object', async () => {
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

describe('GET /api/prefill', () => {
  it('says whether the contact fields of an affiliate are prefilled', async () => {
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
    ['an id that is none', { lead_id: '123' }, 'no_lead_id'],
    ['an id of the wrong type', { lead_id: 7 }, 'no_lead_id'],
  ])('refuses %s with 400', async (_, body, reason) => {
    const { post } = await testApp();
    expectProblem(await post('/post-lead', body), 400, reason);
  });

  it('refuses what is too large or no JSON by its type', async () => {
    const { post } = await testApp();
    const large = { lead_id: leadId, case_description: 'x'.repeat(70_000) };
    expectProblem(await post('/post-lead', large), 413, 'too_large');
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'text/html']) {
      const answer = await post('/post-lead', 'lead_id=1', { 'content-type': type });
      expectProblem(answer, 415, 'unsupported_media_type');
    }
  });

  it('takes a lead with hostile keys, without them', async () => {
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

  it('answers a flood of what is no lead with 429, and still takes every lead', async () => {
    const { post } = await testApp();
    const statuses = new Set<number>();
    for (let i = 0; i < 70; i += 1) statuses.add((await post('/post-lead', '{')).statusCode);
    expect([...statuses]).toEqual([400, 429]);
    const refused = await post('/post-lead', '{');
    expectProblem(refused, 429, 'too_many_requests');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await post('/post-lead', testLead())).statusCode).toBe(200);
  });

  it('puts off with 503 and Retry-After when the lead could not be stored', async () => {
    const acceptLead = () => Promise.reject(new StoreUnavailableError('away'));
    const { post } = await testApp({ useCases: { acceptLead } });
    const answer = await post('/post-lead', testLead());
    expectProblem(answer, 503, 'unavailable');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('answers 500 without a word of what went wrong', async () => {
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

  it('is the connection’s own without trusted proxies, whatever a header says', async () => {
    expect(await addressSeen({})).toMatchObject({ address: '127.0.0.1' });
  });

  it('comes through the trusted ones only', async () => {
    expect(await addressSeen({ TRUSTED_PROXIES: 'loopback' })).toMatchObject({
      address: '10.1.2.3',
    });
    expect(await addressSeen({ TRUSTED_PROXIES: 'loopback,10.0.0.0/8' })).toMatchObject({
      address: '198.51.100.9',
      secGpc: true,
      page: 'https://claims.example.com/survey/v4nv',
    });
  });

  it('is the proxy’s where the proxy names none: a buyer refuses a lead with a word there', async () => {
    expect(await addressSeen({ TRUSTED_PROXIES: 'loopback' }, 'unknown')).toMatchObject({
      address: '127.0.0.1',
      addressKey: '127.0.0.1',
    });
  });
});

describe('a slash at the end', () => {
  it('is taken off, with method and query, where the path without it is known', async () => {
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
  it('answer', async () => {
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

  it('are limited by address without its port', async () => {
    const env = { CHECKS_PER_ADDRESS_PER_MINUTE: '2', TRUSTED_PROXIES: 'loopback' };
    const { app } = await testApp({ env });
    const statuses = [];
    for (const port of ['50001', '50002', '50003']) {
      const headers = { 'x-forwarded-for': `203.0.113.9:${port}` };
      statuses.push((await app.inject({ url: '/us/33101', headers })).statusCode);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });

  it('are a problem when unknown or asked with the wrong method', async () => {
    const { app } = await testApp();
    expectProblem(await app.inject('/api/nothing'), 404, 'not_found');
    const wrong = await app.inject({ method: 'GET', url: '/post-lead?email=x' });
    expectProblem(wrong, 405, 'invalid_request');
    expect(wrong.headers.allow).toBe('POST');
    const get = await app.inject({ method: 'DELETE', url: '/us/33101' });
    expect(get.headers.allow).toBe('GET, HEAD');
    expectProblem(await app.inject('/us/%E0%A4%A'), 400, 'invalid_request');
  });

  it('say when the database is away', async () => {
    const { app } = await testApp({ useCases: { isReady: async () => false } });
    expectProblem(await app.inject('/readyz'), 503, 'unavailable');
    expect((await app.inject('/healthz')).statusCode).toBe(200);
  });
});

describe('headers', () => {
  it('keep the site out of frames and its addresses from other sites', async () => {
    const { app } = await testApp();
    const { headers } = await app.inject('/healthz');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['referrer-policy']).toBe('same-origin');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['strict-transport-security']).toBeUndefined();
    expect(headers['x-powered-by']).toBeUndefined();
  });

  it('hold browsers to https only where the public address has it', async () => {
    const { app } = await testApp({ env: { PUBLIC_URL: 'https://claims.example.com' } });
    const { headers } = await app.inject('/healthz');
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
  });
});

describe('the log', () => {
  it('has a line a request, and no personal value of any', async () => {
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
