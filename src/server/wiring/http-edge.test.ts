/** Request heads that no browser sends (docs/specification.md#headers). */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, describe, expect, it, test } from 'vitest';
import type { Visitor } from '../../intake/visitor.ts';
import { parseSettings } from '../config/settings.ts';
import type { UseCases } from '../routes/use-cases.ts';
import { visitorOf } from '../routes/visitor.ts';
import { buildApp } from './app.ts';

let open: FastifyInstance | undefined;
afterEach(() => open?.close());

/** Builds an app with one page, which records its visitors, and one route that never answers. */
async function edge(env: NodeJS.ProcessEnv = {}) {
  const visitors: Visitor[] = [];
  let tellRendered: () => void = () => undefined;
  const { promise: asked, resolve: tellAsked } = Promise.withResolvers<void>();
  open = await buildApp({
    settings: parseSettings(env).settings,
    useCases: { isReady: async () => true } as unknown as UseCases,
    log: pino({ level: 'silent' }),
    stopTimeoutMs: 10,
    pages: async (app, { rendered }) => {
      tellRendered = rendered;
      app.get('/never', () => {
        tellAsked();
        return new Promise(() => undefined);
      });
      app.get('/page', async (request) => {
        visitors.push(visitorOf(request));
        return 'a page';
      });
    },
    maxEventLoopDelayMs: 60_000,
  });
  return { app: open, visitors, tellRendered, asked };
}

async function answerTo(app: FastifyInstance, lines: readonly string[]): Promise<string> {
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return text(socket);
}

function expectProblem(answer: string, status: number): void {
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer.toLowerCase()).toContain('\r\ncontent-type: application/problem+json');
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({
    status,
    reason: 'invalid_request',
  });
}

describe('a request with two Host headers', () => {
  it.each([
    ['with different names', 'Host: other.example'],
    ['with the same name', 'hOST: claims.example.com'],
  ])('%s is refused and reaches no route', async (_, second) => {
    const { app, visitors } = await edge();
    const head = ['Host: claims.example.com', second, 'Connection: close'];
    expectProblem(await answerTo(app, ['GET /page HTTP/1.1', ...head]), 400);
    expect(visitors).toEqual([]);
  });
});

describe('a request that Node alone would refuse without a body', () => {
  it.each([
    ['no Host header', ['Connection: close'], 400],
    ['an expectation', ['Host: claims.example.com', 'Expect: 200-ok', 'Connection: close'], 417],
  ])('(%s) is refused with a problem and reaches no route', async (_, head, status) => {
    const { app, visitors } = await edge();
    expectProblem(await answerTo(app, ['GET /page HTTP/1.1', ...head]), status);
    expect(visitors).toEqual([]);
  });
});

test('an expectation in a pipelined request is refused after the first answer', async () => {
  const { app } = await edge();
  const head = ['Host: claims.example.com'];
  const first = ['GET /page HTTP/1.1', ...head, '', ''].join('\r\n');
  const second = ['GET /page HTTP/1.1', ...head, 'Expect: 200-ok', 'Connection: close'];
  const answers = await answerTo(app, [first + second[0], ...second.slice(1)]);
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 417']);
});

test('a request that never ends does not keep the server from stopping', async () => {
  const { app, asked } = await edge();
  const answer = answerTo(app, ['GET /never HTTP/1.1', 'Host: claims.example.com']);
  await asked;
  await app.close();
  expect(await answer).toBe('');
});

describe('CONNECT', () => {
  it('is refused with 405', async () => {
    const { app } = await edge();
    const lines = ['CONNECT evil.example:443 HTTP/1.1', 'Host: evil.example:443'];
    const answer = await answerTo(app, lines);
    expectProblem(answer, 405);
    expect(answer).toContain('\r\nAllow: GET, HEAD, POST\r\n');
  });
});

describe('/readyz', () => {
  it('is 503 until the pages are rendered, while requests are already answered', async () => {
    const { app, tellRendered } = await edge();
    const answer = await app.inject('/readyz');
    expect([answer.statusCode, answer.json().detail]).toEqual([
      503,
      'The pages are being rendered.',
    ]);
    expect((await app.inject('/page')).statusCode).toBe(200);
    tellRendered();
    await app.firstPages;
    expect((await app.inject('/readyz')).statusCode).toBe(200);
  });
});

describe('X-Forwarded-Proto', () => {
  const env = { TRUSTED_PROXIES: 'loopback' };
  const originFor = async (told: string) => {
    const { app, visitors } = await edge(env);
    const headers = { host: 'claims.example.com', 'x-forwarded-proto': told };
    expect((await app.inject({ url: '/page', headers })).statusCode).toBe(200);
    return visitors[0]?.siteOrigin;
  };

  it.each([
    ['https', 'https://claims.example.com'],
    ['HTTPS', 'https://claims.example.com'],
    ['http, https', 'https://claims.example.com'],
    ['http', 'http://claims.example.com'],
  ])('from a trusted proxy is used: %j', async (told, origin) => {
    expect(await originFor(told)).toBe(origin);
  });

  it.each(['javascript', 'data', 'ftp', 'https, x', '', ',', '://', 'h\u00fc'])(
    'other than http and https is ignored: %j',
    async (told) => {
      expect(await originFor(told)).toBe('http://claims.example.com');
    },
  );
});

describe('Strict-Transport-Security', () => {
  const headerFor = async (env: NodeJS.ProcessEnv) => {
    const { app } = await edge(env);
    return (await app.inject('/healthz')).headers['strict-transport-security'];
  };
  const env = { PUBLIC_URL: 'https://claims.example.com' };

  it('includes the subdomains only with the setting', async () => {
    expect(await headerFor(env)).toBe('max-age=31536000');
    const all = { ...env, HSTS_SUBDOMAINS: 'on' };
    expect(await headerFor(all)).toBe('max-age=31536000; includeSubDomains');
  });

  it('cannot include the subdomains of a site without https', () => {
    for (const PUBLIC_URL of ['', 'http://claims.example.com']) {
      expect(() => parseSettings({ HSTS_SUBDOMAINS: 'on', PUBLIC_URL })).toThrow(
        /HSTS_SUBDOMAINS=on needs a PUBLIC_URL that begins with "https:"/,
      );
    }
  });
});
