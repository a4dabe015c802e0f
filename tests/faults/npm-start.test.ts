/** The output and the exit of `npm start`, in a terminal and without one. */
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { testLead } from '../support/leads.ts';
import { preparedDataDir } from '../support/postgres.ts';
import { type Program, startProgram } from '../support/program.ts';

const npmStart = ['npm', 'start'] as const;

let dataDir: string;
let program: Program;

afterEach(async () => {
  await program.end('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

/** Starts the command on `dataDir`, and waits for the site's address. */
async function start(
  command: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv = {},
  options: Parameters<typeof startProgram>[1] = {},
): Promise<string> {
  const common = { ...process.env, PORT: '0', DATA_DIR: dataDir, NODE_OPTIONS: '' };
  program = startProgram(command, { timeoutMs: 600_000, ...options, env: { ...common, ...env } });
  return program.url;
}

/** Starts a post and sends only its first half. */
async function halfPost(url: string) {
  const text = JSON.stringify(testLead());
  const post = request(`${url}/post-lead`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
  });
  const status = new Promise<number | undefined>((resolve, reject) => {
    post.once('error', reject);
    post.once('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
  });
  status.catch(() => undefined);
  await new Promise((resolve) => post.write(text.slice(0, 100), resolve));
  return { status, finish: () => post.end(text.slice(100)) };
}

const isDatabaseThere = () => existsSync(join(dataDir, 'postgres', 'postmaster.pid'));

/** Waits until the server accepts no new connection: then it has handled its first signal. */
async function untilClosed(url: string): Promise<void> {
  const state = () =>
    fetch(`${url}/healthz`).then(
      () => 'open',
      () => 'closed',
    );
  await expect.poll(state).toBe('closed');
}

/**
 * Runs npm start in a terminal, which `script` provides. npm must replace the shell: dash, the default if SHELL is
 * unset, would stay and exit with 130 itself.
 */
const inTerminal =
  process.platform === 'darwin'
    ? (['script', '-q', '/dev/null', ...npmStart] as const)
    : (['script', '-qec', `exec ${npmStart.join(' ')}`, '/dev/null'] as const);
const hasScript = spawnSync('script', ['--version']).error === undefined;

describe('npm start', () => {
  test.runIf(hasScript)('prints a few lines for people in a terminal', async () => {
    // An empty folder with a space in its name, as users have.
    dataDir = await mkdtemp(join(tmpdir(), 'npm start '));
    const url = await start(inTerminal, {}, { stdin: 'pipe' });
    await expect.poll(program.output).toContain('US/Eastern');
    const lines = program.output().trim().split('\r\n');
    const at = lines.findIndex((line) => line.startsWith('Listening on '));
    // The tests of wiring/start-summary.test.ts cover each line.
    expect(lines.slice(at)).toEqual([
      `Listening on ${url}`,
      expect.stringMatching(/^ {2}Console {3}http:\/\/localhost:\d+\/.* \(signs you in once/),
      expect.stringContaining(`  Leads     stored in ${join(dataDir, 'postgres')}; `),
      expect.stringContaining('  Services  '),
      expect.stringContaining('  Days      of the console are counted in UTC'),
    ]);
    // Skips npm's own lines, and the page build's lines if it runs.
    const before = lines
      .slice(0, at)
      .filter((line) => line !== '' && !/^(>|Pages built)/.test(line));
    expect(before).toEqual([]);
    program.child.stdin?.write('\u0003');
    expect(await program.ended).toBe(0);
    expect(isDatabaseThere()).toBe(false);
  });

  test('serves the survey without a terminal, logs JSON lines and answers the post in progress at SIGTERM', async () => {
    dataDir = await preparedDataDir();
    const url = await start(npmStart, { NODE_ENV: '' });
    // Production has no preview.
    expect((await fetch(`${url}/preview/`)).status).toBe(404);
    // The address is printed only after the pages are rendered, so no visitor waits for a page.
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const page = await fetch(`${url}/survey/v4nv?s1=abc`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('data-step="StartPath"');
    const { status, finish } = await halfPost(url);
    expect(isDatabaseThere()).toBe(true);
    const ended = program.end();
    await untilClosed(url);
    finish();
    expect(await status).toBe(200);
    expect(await ended).toBe(0);
    expect(isDatabaseThere()).toBe(false);
    const lines = program
      .output()
      .split('\n')
      .filter((line) => line !== '' && !/^(>|Pages)/.test(line));
    const others = lines.filter((line) => !line.startsWith('{'));
    expect(others).toEqual([`Listening on ${url}`]);
    for (const line of lines.filter((each) => each.startsWith('{'))) JSON.parse(line);
  });

  test('ends at once at a second Ctrl-C', async () => {
    dataDir = await preparedDataDir();
    const url = await start(npmStart, { PAGES: 'off' }, { detached: true });
    const { status } = await halfPost(url);
    const interrupt = () => process.kill(-(program.child.pid as number), 'SIGINT');
    interrupt();
    await untilClosed(url);
    // npm repeats the first signal, so the server counts only a signal after two seconds as the
    // second.
    await sleep(2_100);
    interrupt();
    expect(await program.ended).not.toBe(0);
    await expect(status).rejects.toThrow();
  });
});
