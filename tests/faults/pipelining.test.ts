/** Connections that send thousands of requests and read no answer, beside a visitor. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { preparedDataDir } from '../support/postgres.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';

const SOCKETS = 200;
const REQUESTS_EACH = 2_400;
const MOST_MEMORY_MB = 700;
/** On a machine that is busy with other tests. */
const LONGEST_ANSWER_MS = 20_000;

let dataDir: string;
let server: ServerProcess;
beforeAll(async () => {
  dataDir = await preparedDataDir('funnel pipelining ');
  server = await startServerProcess(dataDir, { PAGES: 'off' });
});
afterAll(async () => {
  await server?.stop();
  if (dataDir) await rm(dataDir, { recursive: true, force: true });
});

test(`${SOCKETS} connections are closed, and the visitor is answered`, async () => {
  const { hostname, port } = new URL(server.url);
  const bytes = Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(REQUESTS_EACH));
  const sockets = Array.from({ length: SOCKETS }, () => {
    const socket = connect(Number(port), hostname).pause();
    socket.on('error', () => undefined).write(bytes);
    return socket;
  });
  const written = Promise.all(
    sockets.map((socket) => new Promise((resolve) => socket.write('', resolve))),
  );
  let isFlooding = true;
  const flood = written.then(() => {
    isFlooding = false;
  });
  const visitor = new Agent({ connect: { localAddress: '127.0.0.2' } });
  let mostMemoryMb = 0;
  do {
    const answer = await request(`${server.url}/healthz`, {
      dispatcher: visitor,
      signal: AbortSignal.timeout(LONGEST_ANSWER_MS),
    });
    await answer.body.dump();
    expect(answer.statusCode).toBe(200);
    const rss = execFileSync('ps', ['-o', 'rss=', '-p', String(server.pid)], { encoding: 'utf8' });
    mostMemoryMb = Math.max(mostMemoryMb, Number(rss) / 1_000);
  } while (isFlooding);
  await flood;
  await Promise.all(sockets.map((socket) => socket.closed || once(socket.resume(), 'close')));
  await visitor.close();
  expect(mostMemoryMb).toBeLessThan(MOST_MEMORY_MB);
  expect(server.isRunning()).toBe(true);
});
