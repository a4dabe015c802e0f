import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { exampleLead, postJson } from '../tests/support/sandbox-requests.ts';

const soon = { timeout: 60_000 };
let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill('SIGKILL');
});

function run(...args: string[]): { output: () => string; ended: Promise<number | null> } {
  let output = '';
  const { SANDBOX_PORT: _left, ...env } = process.env;
  const started = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], { env });
  child = started;
  for (const stream of [started.stdout, started.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  return {
    output: () => output,
    ended: once(started, 'close').then(([code]) => code as number | null),
  };
}

it('the program prints its settings, serves, logs no values, and stops on SIGTERM', async () => {
  const { output, ended } = run('--port', '0');
  await expect.poll(output, soon).toContain('PARTNER_URL=');
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output())?.[0];
  expect(output()).toContain(`INGEST_URL=${url}\n`);
  expect((await postJson(`${url}/ingest`, exampleLead())).body).toMatchObject({
    status: 'ACCEPTED',
  });
  await expect.poll(output, soon).toContain('POST /ingest 200');
  expect(output()).not.toMatch(/maria|2125550101/i);
  child?.kill('SIGTERM');
  expect(await ended).toBe(0);
}, 120_000);
