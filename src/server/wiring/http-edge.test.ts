/** Tests, on real connections, requests that no browser sends (docs/specification.md#headers). */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { testApp } from '../../../tests/support/app.ts';
import type { Visitor } from '../../model/lead/context.ts';
import type { PageDocument } from '../http/page-document.ts';
import { visitorOf } from '../http/visitor.ts';

const empty = Buffer.of();
const home = { source: '/', at: ['/'], query: {}, headers: {} };

/** Builds an app that records each request's visitor, with a route that never answers. */
async function edge(options: Parameters<typeof testApp>[0] = {}) {
  const visitors: Visitor[] = [];
  const { promise: asked, resolve: tellAsked } = Promise.withResolvers<void>();
  const { promise: rendered, resolve: finishRendering } = Promise.withResolvers<PageDocument>();
  const { app, useCases } = await testApp({
    stopTimeoutMs: 10,
    site: {
      manifest: [{ source: '/404/', at: 'not-found', query: {}, headers: {} }, home],
      clientDir: import.meta.dirname,
      render: () => rendered,
      forms: () => Promise.reject(new Error('unused')),
      close: () => undefined,
    },
    ...options,
  });
  app.get('/never', () => {
    tellAsked();
    return new Promise(() => undefined);
  });
  app.get('/large', async () => Buffer.alloc(50_000_000));
  app.get('/page', async (request) => {
    visitors.push(visitorOf(request));
    return 'a page';
  });
  return { app, visitors, finishRendering, asked, useCases };
}

async function connectionTo(app: FastifyInstance) {
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  return connect(Number(port), '127.0.0.1');
}

async function answerTo(app: FastifyInstance, request: string): Promise<string> {
  const socket = await connectionTo(app);
  socket.write(request);
  return text(socket);
}

const HOST = 'Host: claims.example.com\r\n';
const CLOSE = 'Connection: close\r\n';

test.each([
  ['malformed HTTP', 400, 'FOO\r\n\r\n'],
  ['too large a head', 431, `GET /page HTTP/1.1\r\n${HOST}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
  ['two hosts', 400, `GET /page HTTP/1.1\r\n${HOST}Host: other.example\r\n${CLOSE}\r\n`],
  ['the same host twice', 400, `GET /page HTTP/1.1\r\n${HOST}h${HOST.slice(1)}${CLOSE}\r\n`],
  ['no host', 400, `GET /page HTTP/1.1\r\n${CLOSE}\r\n`],
  ['an expectation', 417, `GET /page HTTP/1.1\r\n${HOST}Expect: 200-ok\r\n${CLOSE}\r\n`],
  ['CONNECT', 405, 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n'],
])('a request with %s is refused with problem+json', async (_, status, request) => {
  const { app, visitors } = await edge();
  const answer = await answerTo(app, request);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer.toLowerCase()).toContain('\r\ncontent-type: application/problem+json');
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(JSON.parse(body)).toMatchObject({ status, reason: 'invalid_request' });
  if (status === 405) expect(head).toContain('\r\nAllow: GET, HEAD, POST');
  expect(visitors).toEqual([]);
});

test('a pipelined request with "Expect: 100-continue" does not corrupt the answers', async () => {
  const { app } = await edge();
  const ask = (more = '') => `GET /healthz HTTP/1.1\r\n${HOST}${more}\r\n`;
  const last = ask(`Expect: 100-continue\r\n${CLOSE}`);
  const answers = (await answerTo(app, ask() + last)).split(/(?=HTTP\/1\.1 )/);
  const statuses = answers.map((answer) => answer.slice('HTTP/1.1 '.length).slice(0, 3));
  expect(statuses).toEqual(['200', '100', '200']);
  for (const answer of [answers[0] ?? '', answers[2] ?? '']) {
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(Number(/content-length: (\d+)/i.exec(head)?.[1])).toBe(body.length);
  }
});

test('the server closes the connection if a request takes too long to arrive', async () => {
  const { app, useCases } = await edge({ requestTimeoutMs: 500 });
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const cut = async (beginning: string) => {
    const socket = connect(Number(port), '127.0.0.1');
    const startedAtMs = performance.now();
    socket.write(beginning);
    const drip = setInterval(() => socket.write(' '), 50);
    // Ignores errors of later writes, because the server closes the connection.
    socket.on('error', () => undefined);
    const answer = await text(socket).catch(() => '');
    clearInterval(drip);
    const cutAfterMs = performance.now() - startedAtMs;
    expect(cutAfterMs).toBeGreaterThanOrEqual(500);
    // With Node's default check interval, the server would close the connection only after 30 s.
    expect(cutAfterMs).toBeLessThan(25_000);
    expect(answer).toMatch(/^(HTTP\/1.1 408 |$)/);
  };
  const post = `POST /post-lead HTTP/1.1\r\n${HOST}`;
  await Promise.all([
    cut(`${post}Content-Type: application/json\r\nContent-Length: 900\r\n\r\n{`),
    cut(`${post}X-Long: `),
  ]);
  expect(useCases.acceptLead).not.toHaveBeenCalled();
});

test('a request that gets no answer does not prevent the server from stopping', async () => {
  const { app, asked } = await edge();
  const answer = answerTo(app, `GET /never HTTP/1.1\r\n${HOST}\r\n`);
  await asked;
  await app.close();
  expect(await answer).toBe('');
});

describe('the server', () => {
  const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\n${HOST}${more}\r\n`;

  it('closes a connection whose client does not read the answer', async () => {
    const { promise, resolve: refused } = Promise.withResolvers();
    const { app } = await edge({ connections: { refused, unreadMs: 50 } });
    const socket = await connectionTo(app);
    socket.pause().write(get('/large'));
    expect(await promise).toBe('unread');
    socket.destroy();
  });

  it('limits connections per IP address, except those of a trusted proxy', async () => {
    for (const [proxies, answers] of [
      ['', 2],
      ['loopback', 4],
    ] as const) {
      const env = { CONNECTIONS_PER_ADDRESS: '2', TRUSTED_PROXIES: proxies };
      const { app } = await edge({ env });
      const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
      const sockets = Array.from({ length: 4 }, () => connect(Number(port), '127.0.0.1'));
      for (const socket of sockets) socket.write(get('/page'));
      const heard = sockets.map(
        (socket) =>
          new Promise((resolve) => {
            socket.once('data', () => resolve('answer'));
            socket.on('error', () => undefined).once('close', resolve);
          }),
      );
      const all = await Promise.all(heard);
      expect(all.filter((each) => each === 'answer')).toHaveLength(answers);
      for (const socket of sockets) socket.destroy();
    }
  });

  it('refuses every request except /healthz if memory exceeds the ceiling', async () => {
    vi.spyOn(process.memoryUsage, 'rss').mockReturnValue(641e6);
    onTestFinished(() => void vi.restoreAllMocks());
    const { app, visitors } = await edge({ env: { MEMORY_CEILING_MB: '640' } });
    expect(await answerTo(app, get('/healthz') + get('/page'))).toMatch(
      /^HTTP\/1.1 200 [\s\S]+HTTP\/1.1 503 [\s\S]+\r\nretry-after: 2\r\n[\s\S]+"reason":"unavailable"/,
    );
    expect(visitors).toEqual([]);
  });
});

test('/readyz answers 503 until the pages are rendered', async () => {
  const { app, finishRendering } = await edge();
  const answer = await app.inject('/readyz');
  expect([answer.statusCode, answer.json().detail]).toEqual([503, 'The pages are being rendered.']);
  expect((await app.inject('/page')).statusCode).toBe(200);
  finishRendering({ status: 200, headers: {}, identity: empty, gzip: empty, br: empty });
  await app.firstPages;
  expect((await app.inject('/readyz')).statusCode).toBe(200);
});

describe('X-Forwarded-Proto', () => {
  const https = 'https://claims.example.com';
  const http = 'http://claims.example.com';
  it('is ignored if the value is not http or https, even from a trusted proxy', async () => {
    const { app, visitors } = await edge({ env: { TRUSTED_PROXIES: 'loopback' } });
    for (const [protocol, origin] of [
      ['https', https],
      ['HTTPS', https],
      ['http', http],
      ['javascript', http],
      ['', http],
    ] as const) {
      const headers = { host: 'claims.example.com', 'x-forwarded-proto': protocol };
      expect((await app.inject({ url: '/page', headers })).statusCode).toBe(200);
      expect(visitors.at(-1)?.siteOrigin, protocol).toBe(origin);
    }
  });
});
