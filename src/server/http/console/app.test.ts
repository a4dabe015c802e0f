import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { consoleForTests, ownHeaders } from '../../../../tests/support/console.ts';
import { databaseForTests } from '../../../../tests/support/own-database.ts';
import { refused } from '../../platform/operator-error.ts';
import { type Area, anyone, viewer } from './route.ts';

const database = await databaseForTests();
const area: Area = () => ({
  'GET /api/refused': anyone({}, async () => {
    throw refused('The lead is erased.');
  }),
  'GET /api/slow': anyone({}, async () => {
    throw Object.assign(new Error('canceling statement'), { code: '57014' });
  }),
  'GET /api/impossible': anyone({}, async () => {
    throw Object.assign(new Error('out of range: "2026-02-30"'), { code: '22008' });
  }),
  'POST /api/echo': anyone({}, async ({ body }) => ({ body })),
});

let distDir: string;
let test: Awaited<ReturnType<typeof consoleForTests>>;
beforeAll(async () => {
  distDir = await mkdtemp(path.join(tmpdir(), 'console-'));
  await mkdir(path.join(distDir, 'assets'));
  await writeFile(path.join(distDir, 'index.html'), '<html><head></head><body></body></html>');
  await writeFile(path.join(distDir, 'assets', 'app-1a2b3c4d.js'), 'let app;');
  await writeFile(path.join(distDir, 'assets', 'app-1a2b3c4d.js.gz'), gzipSync('let app;'));
  test = await consoleForTests(database, { areas: [area], distDir });
});
afterAll(async () => {
  await test.app.close();
  await rm(distDir, { recursive: true });
});

const page = (url: string, headers: Record<string, string> = {}) =>
  test.app.inject({ url, headers: { host: ownHeaders.host, accept: 'text/html', ...headers } });

it('the server aborts an unfinished answer within 5 s after the session has ended', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const source = new Readable({ read() {} });
  source.push('the beginning');
  const endless: Area = () => ({ 'GET /api/endless': viewer({}, async () => source) });
  const { app, headersOf } = await consoleForTests(database, { areas: [endless] });
  onTestFinished(() => app.close());
  const headers = await headersOf('viewer');
  const answer = await app.inject({ url: '/api/endless', headers, payloadAsStream: true });
  const cut = once(source, 'close');
  expect(answer.statusCode).toBe(200);
  await database.pool.query('update console_sessions set revoked_at = now()');
  vi.advanceTimersByTime(5_000);
  await cut;
});

describe('the pages of the console', () => {
  it('have the same HTML document at every URL', async () => {
    for (const url of ['/', '/sign-in', '/leads?survey=/survey/v4nv', '/leads/0198']) {
      const answer = await page(url, { 'sec-fetch-site': 'cross-site' });
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['cache-control']).toBe('no-store');
      const policy = String(answer.headers['content-security-policy']);
      const [, nonce] = /'nonce-([^']+)'/.exec(policy) ?? [];
      expect(answer.body).toContain(`<meta property="csp-nonce" content="${nonce}">`);
      expect(policy).toContain("script-src 'self';");
      expect(policy).not.toContain('unsafe');
    }
    const [one, two] = [await page('/'), await page('/')];
    expect(one.body).not.toBe(two.body);
  });

  it('load assets that browsers may cache for a year', async () => {
    const plain = await page('/assets/app-1a2b3c4d.js');
    expect(plain.body).toBe('let app;');
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const packed = await page('/assets/app-1a2b3c4d.js', { 'accept-encoding': 'gzip' });
    expect(packed.headers['content-encoding']).toBe('gzip');
  });

  it('are not sent for an API path, an unknown asset or a path outside the build', async () => {
    for (const url of [
      '/api/nothing',
      '/assets/old.js',
      '/assets/..%2Findex.html',
      '/assets/x/..%2F..%2Findex.html',
    ]) {
      const answer = await page(url);
      expect([403, 404], url).toContain(answer.statusCode);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });
});

it.each([
  ['evil.example', 403],
  ['console.example.com', 403],
  ['127.0.0.1:3001', 200],
  ['[::1]:3001', 200],
])(
  'without CONSOLE_URL, the console answers only requests to a loopback IP address',
  async (host, status) => {
    expect((await page('/', { host })).statusCode).toBe(status);
  },
);

it('a request for the host of CONSOLE_URL gets 200 with Strict-Transport-Security', async () => {
  const env = { CONSOLE_URL: 'https://console.example.com' };
  const { app } = await consoleForTests(database, { areas: [], distDir, env });
  const headers = { host: 'console.example.com', accept: 'text/html' };
  const answer = await app.inject({ url: '/', headers });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['strict-transport-security']).toContain('max-age=');
  await app.close();
});

it.each([
  ['refused', 409, 'The lead is erased.'],
  ['slow', 503, 'choose a shorter period'],
  ['impossible', 400, ''],
])(
  'an error at /api/%s gets an answer that repeats no value of the request',
  async (path, status, said) => {
    const answer = await test.get(`/api/${path}`, null);
    expect(answer.statusCode).toBe(status);
    expect(answer.json().detail).toContain(said);
    expect(answer.body).not.toContain('2026');
  },
);

it('a request with the key __proto__ in the body gets 400', async () => {
  expect((await test.post('/api/echo', { a: 1 }, null)).json()).toEqual({ body: { a: 1 } });
  const request = { method: 'POST', url: '/api/echo' } as const;
  const json = { ...ownHeaders, 'content-type': 'application/json' };
  expect((await test.app.inject({ ...request, headers: ownHeaders })).json()).toEqual({});
  const hostile = await test.app.inject({ ...request, headers: json, payload: '{"__proto__":{}}' });
  expect(hostile.statusCode).toBe(400);
});
