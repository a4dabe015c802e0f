import { existsSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testLead } from '../support/leads.ts';
import { preparedDataDir } from '../support/postgres.ts';
import { startProgram } from '../support/program.ts';

/** Sends only the first half of a post. */
async function halfPost(url: string) {
  const text = JSON.stringify(testLead());
  const post = request(`${url}/post-lead`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
  });
  const status = new Promise<number | undefined>((resolve, reject) => {
    post.once('error', reject);
    post.once('response', (response) => resolve(response.resume().statusCode));
  });
  await new Promise((resolve) => post.write(text.slice(0, 100), resolve));
  return { status, finish: () => post.end(text.slice(100)) };
}

test('npm start answers a post in progress before the program exits after SIGTERM', async () => {
  const dataDir = await preparedDataDir();
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const env = { ...process.env, PORT: '0', DATA_DIR: dataDir, NODE_OPTIONS: '', NODE_ENV: '' };
  const program = startProgram(['npm', 'start'], { timeoutMs: 600_000, env });
  onTestFinished(async () => void (await program.end('SIGKILL')));
  const isDatabaseThere = () => existsSync(join(dataDir, 'postgres', 'postmaster.pid'));
  const url = await program.url;
  const statusOf = async (path: string) => (await fetch(url + path)).status;
  // In production mode, the server must not show the preview of steps.
  expect(await statusOf('/preview/')).toBe(404);
  expect(await statusOf('/readyz')).toBe(200);
  const page = await fetch(`${url}/survey/v4nv?s1=abc`);
  expect(await page.text()).toContain('data-step="StartPath"');
  const { status, finish } = await halfPost(url);
  expect(isDatabaseThere()).toBe(true);
  const ended = program.end();
  // The server refuses new connections as soon as it has received the signal.
  await expect.poll(() => statusOf('/healthz').catch(() => 'closed')).toBe('closed');
  finish();
  expect([await status, await ended, isDatabaseThere()]).toEqual([200, 0, false]);
  const lines = program.output().split('\n');
  const own = lines.filter((line) => line !== '' && !/^(>|Pages)/.test(line));
  expect(own.filter((line) => !line.startsWith('{'))).toEqual([`Listening on ${url}`]);
  for (const line of own.filter((each) => each.startsWith('{'))) JSON.parse(line);
});
