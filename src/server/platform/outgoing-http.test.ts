import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  createOutgoingHttp,
  isPublicAddress,
  MAX_ANSWER_BYTES,
  OutgoingError,
  type OutgoingHttp,
  USER_AGENT,
} from './outgoing-http.ts';

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;
let handle: Handle = () => undefined;
let requests = 0;
let connections = 0;
const server = createServer((request, response) => {
  requests += 1;
  handle(request, response);
});
server.on('connection', () => {
  connections += 1;
});
let port = 0;
let url = '';
const clients: OutgoingHttp[] = [];

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  url = `http://127.0.0.1:${port}/secret-path?key=secret-query`;
});
afterEach(async () => {
  server.closeAllConnections();
  await Promise.all(clients.splice(0).map((client) => client.close()));
  requests = 0;
  connections = 0;
});
afterAll(() => {
  server.close();
});

function client(options: Partial<Parameters<typeof createOutgoingHttp>[0]> = {}): OutgoingHttp {
  const made = createOutgoingHttp({ allowPrivateNetworks: true, ...options });
  clients.push(made);
  return made;
}

async function failure(promise: Promise<unknown>): Promise<OutgoingError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OutgoingError);
  expect((error as OutgoingError).message).not.toMatch(/secret/);
  return error as OutgoingError;
}

test('a POST request returns the status, headers and text of the answer', async () => {
  handle = (request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      response.writeHead(202, { 'Retry-After': '7', 'content-type': 'text/plain' });
      const { 'content-type': type, 'user-agent': agent } = request.headers;
      response.end(`${request.method} ${request.url} ${type} ${agent} ${body}`);
    });
  };
  const answer = await client().request({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    body: '{"á":1}',
    timeoutMs: 2_000,
  });
  expect(answer.status).toBe(202);
  expect(answer.headers['retry-after']).toBe('7');
  expect(answer.text).toBe(
    `POST /secret-path?key=secret-query application/json ${USER_AGENT} {"á":1}`,
  );
  expect(answer.truncated).toBe(false);
});

test('the client does not follow a redirect', async () => {
  handle = (_request, response) => {
    response.writeHead(307, { location: url });
    response.end();
  };
  const answer = await client().request({ method: 'POST', url, body: 'x', timeoutMs: 2_000 });
  expect(answer.status).toBe(307);
  expect(requests).toBe(1);
});

test('only the first 64 KiB of an answer are read', async () => {
  handle = (_request, response) => {
    const timer = setInterval(() => response.write('x'.repeat(16 * 1024)), 1);
    response.on('close', () => clearInterval(timer));
  };
  const answer = await client().request({ method: 'GET', url, timeoutMs: 5_000 });
  expect(answer.truncated).toBe(true);
  expect(answer.text.length).toBe(MAX_ANSWER_BYTES);
});

test.each<[string, Handle, string]>([
  ['without an answer', () => undefined, 'timeout'],
  ['with an endless body', (_, response) => response.writeHead(200).write('{'), 'timeout'],
  ['whose connection is reset', ({ socket }) => socket.resetAndDestroy(), 'connection_lost'],
])('without a full answer, mayHaveArrived is true', async (_, answering, reason) => {
  handle = answering;
  const error = await failure(client().request({ method: 'POST', url, body: 'x', timeoutMs: 500 }));
  expect(error).toMatchObject({ failure: reason, mayHaveArrived: true });
});

test('a request that the caller aborts fails with "aborted"', async () => {
  const controller = new AbortController();
  handle = () => controller.abort();
  const { signal } = controller;
  const error = await failure(client().request({ method: 'GET', url, timeoutMs: 5_000, signal }));
  expect(error).toMatchObject({ failure: 'aborted', mayHaveArrived: true });
});

test('after a refused connection, mayHaveArrived is false', async () => {
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const free = (closed.address() as AddressInfo).port;
  await new Promise((resolve) => closed.close(resolve));
  const error = await failure(
    client().request({ method: 'GET', url: `http://127.0.0.1:${free}/secret`, timeoutMs: 2_000 }),
  );
  expect(error).toMatchObject({ failure: 'no_connection', mayHaveArrived: false });
  expect(error.message).toContain('ECONNREFUSED');
});

test.each(['ftp://example.com/', 'not an address', ''])('%j is refused', async (address) => {
  const error = await failure(client().request({ method: 'GET', url: address, timeoutMs: 1_000 }));
  expect(error).toMatchObject({ failure: 'invalid_address', mayHaveArrived: false });
});

test.each(['127.0.0.1', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', 'localhost'])(
  'a request to %s stays away from private networks',
  async (host) => {
    const careful = client({ allowPrivateNetworks: false });
    const address = `http://${host}:${port}/secret`;
    const error = await failure(careful.request({ method: 'GET', url: address, timeoutMs: 2_000 }));
    expect(error).toMatchObject({ failure: 'private_address', mayHaveArrived: false });
    expect(connections).toBe(0);
  },
);

test('a host name that resolves to a private IP address is refused', async () => {
  handle = (_request, response) => response.end('reached');
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }];
  const address = `http://rebound.example:${port}/secret`;
  const request = { method: 'GET', url: address, timeoutMs: 2_000 } as const;
  const error = await failure(client({ allowPrivateNetworks: false, lookup }).request(request));
  expect(error).toMatchObject({ failure: 'private_address', mayHaveArrived: false });
  expect(connections).toBe(0);
  expect((await client({ lookup }).request(request)).text).toBe('reached');
});

const PRIVATE = [
  '127.0.0.1 0.0.0.0 10.1.2.3 100.64.0.1 169.254.169.254 172.31.255.255 192.168.1.1 198.19.0.1 224.0.0.1',
  ':: ::1 ::FFFF:169.254.169.254 ::ffff:7f00:1 64:ff9b::7f00:1 2002:7f00:1:: fe80::1 fd00::1 ff02::1',
  '2001:db8::1 localhost ?',
];
const PUBLIC = '8.8.8.8 172.15.255.255 172.32.0.1 100.63.255.255 2606:4700:4700::1111';

test('isPublicAddress returns true only for IP addresses on the public internet', () => {
  expect(PRIVATE.flatMap((line) => line.split(' ')).filter(isPublicAddress)).toEqual([]);
  expect(PUBLIC.split(' ').filter((address) => !isPublicAddress(address))).toEqual([]);
});
