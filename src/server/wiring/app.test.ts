import { describe, expect, it } from 'vitest';
import { expectProblem, testApp } from '../../../tests/support/app.ts';
import { testLead } from '../../../tests/support/leads.ts';

describe('The visitor’s IP address', () => {
  const proxy = { TRUSTED_PROXIES: 'loopback' };
  const own = { ...proxy, VISITOR_ADDRESS_HEADER: 'CF-Connecting-IP' };
  const [forwarded, named] = ['198.51.100.9', '203.0.113.50'];

  it.each<[string, NodeJS.ProcessEnv, forwardedFor: string, named: string, expected: string]>([
    ['is the connection’s address without trusted proxies', {}, forwarded, '', '127.0.0.1'],
    [
      'is the address that a trusted proxy reports',
      proxy,
      '198.51.100.9, 10.1.2.3',
      '',
      '10.1.2.3',
    ],
    [
      'is the address that the first of several trusted proxies reports',
      { TRUSTED_PROXIES: 'loopback,10.0.0.0/8' },
      ...(['198.51.100.9, 10.1.2.3', '', forwarded] as const),
    ],
    ['is the value of the header that the setting names', own, forwarded, named, named],
    [
      'does not come from the named header if its value is markup',
      own,
      forwarded,
      '<script>',
      forwarded,
    ],
    ['does not come from the named header without a proxy', own, '', named, '127.0.0.1'],
    [
      'does not come from the named header of an unknown proxy',
      { ...own, TRUSTED_PROXIES: '192.0.2.7' },
      ...([forwarded, named, '127.0.0.1'] as const),
    ],
    ['does not come from the header if the setting is missing', proxy, forwarded, named, forwarded],
  ])('comes only from a trusted proxy’s header', async (_, env, forwardedFor, given, expected) => {
    const { post, useCases } = await testApp({ env });
    await post('/post-lead', testLead(), {
      ...(forwardedFor && { 'x-forwarded-for': forwardedFor }),
      ...(given && { 'cf-connecting-ip': given }),
      'sec-gpc': '1',
      referer: 'https://claims.example.com/survey/v4nv?s1=abc',
    });
    expect(useCases.acceptLead.mock.calls[0]?.[1]).toMatchObject({
      address: expected,
      addressKey: expected,
      secGpc: true,
      page: 'https://claims.example.com/survey/v4nv',
    });
  });
});

it('a request gets 404 for an unknown path and 405 for a wrong method', async () => {
  const { app } = await testApp();
  expectProblem(await app.inject('/api/nothing'), 404, 'not_found');
  const wrong = await app.inject({ method: 'GET', url: '/post-lead?email=x' });
  expectProblem(wrong, 405, 'invalid_request');
  expect(wrong.headers.allow).toBe('POST');
  const get = await app.inject({ method: 'DELETE', url: '/us/33101' });
  expect(get.headers.allow).toBe('GET, HEAD');
  expectProblem(await app.inject('/us/%E0%A4%A'), 400, 'invalid_request');
});

it('/readyz fails without the database, unlike /healthz', async () => {
  const { app, useCases } = await testApp();
  expect((await app.inject('/readyz')).json()).toEqual({ status: 'ok' });
  useCases.isReady.mockResolvedValue(false);
  expectProblem(await app.inject('/readyz'), 503, 'unavailable');
  expect((await app.inject('/healthz')).json()).toEqual({ status: 'ok' });
});

it('every answer has headers that protect a page from other sites', async () => {
  const { app } = await testApp();
  const { headers } = await app.inject('/healthz');
  expect(headers).toMatchObject({
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-frame-options': 'DENY',
  });
  expect(headers['x-powered-by']).toBeUndefined();
  // This header would delay the first paint (docs/decisions/0032-page-loading.md).
  expect(headers['cross-origin-opener-policy']).toBeUndefined();
});

it.each<[NodeJS.ProcessEnv, string | undefined]>([
  [{}, undefined],
  [{ PUBLIC_URL: 'https://claims.example.com' }, 'max-age=31536000'],
  [
    { PUBLIC_URL: 'https://claims.example.com', HSTS_SUBDOMAINS: 'on' },
    'max-age=31536000; includeSubDomains',
  ],
])('Strict-Transport-Security is sent only if PUBLIC_URL is https', async (env, expected) => {
  const { app } = await testApp({ env });
  const { headers } = await app.inject('/healthz');
  expect(headers['strict-transport-security']).toBe(expected);
});

it('the log has one line per request, without path, query or IP address', async () => {
  const { app, lines } = await testApp({ env: { TRUSTED_PROXIES: 'loopback' } });
  const headers = { 'user-agent': 'canary', 'x-forwarded-for': '198.51.100.77' };
  for (const url of ['/us/canary?q=canary', '/canary', '/%E0%A4%Acanary']) {
    await app.inject({ url, headers });
  }
  const log = lines.join('');
  expect(log.match(/"msg":"request"/g)?.length).toBeGreaterThanOrEqual(2);
  expect(log).toContain('"route":"/us/:zip"');
  expect(log).not.toMatch(/canary|198\.51/);
});
