import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { testLead } from '../support/leads.ts';
import { preparedDataDir } from '../support/postgres.ts';

const root = join(import.meta.dirname, '..', '..');
const npmStart = ['npm', 'start'] as const;

let dataDir: string;
let program: ChildProcess | undefined;

afterEach(() => {
  if (program?.exitCode === null) program.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

/**
 * Starts the command on `dataDir` and waits for the site's address.
 * @param env settings in addition to the common ones
 */
async function start(
  [command, ...args]: readonly string[],
  options: SpawnOptions = {},
  env: NodeJS.ProcessEnv = {},
) {
  const child = spawn(command as string, args, {
    cwd: root,
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, NODE_OPTIONS: '', ...env },
    stdio: 'pipe',
    ...options,
  });
  program = child;
  const started = { child, output: '', exitCode: Promise.resolve<number | null>(null) };
  started.exitCode = new Promise((resolve) => child.once('exit', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      started.output += chunk.toString();
      const found = /Listening on (http:\/\/\S+)/.exec(started.output)?.[1];
      if (found) resolve(found);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', () => reject(new Error(`npm start ended:\n${started.output}`)));
  });
  return Object.assign(started, { url });
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

/** Waits until the server takes no new connection, so that it has handled its first signal. */
async function untilClosed(url: string): Promise<void> {
  const state = () =>
    fetch(`${url}/healthz`).then(
      () => 'open',
      () => 'closed',
    );
  await expect.poll(state).toBe('closed');
}

/** Expects that a stop answers the post in progress, and ends the server and its database. */
async function expectCleanEnd(
  { url, child, exitCode }: Awaited<ReturnType<typeof start>>,
  stop: (child: ChildProcess) => void,
): Promise<void> {
  const { status, finish } = await halfPost(url);
  expect(isDatabaseThere()).toBe(true);
  stop(child);
  await untilClosed(url);
  finish();
  expect(await status).toBe(200);
  expect(await exitCode).toBe(0);
  expect(isDatabaseThere()).toBe(false);
}

/**
 * Runs npm start in a terminal, which `script` provides. Its shell must be replaced by npm: a shell that
 * stays between (dash, if SHELL is unset) would exit with 130 itself.
 */
const inTerminal =
  process.platform === 'darwin'
    ? ['script', '-q', '/dev/null', ...npmStart]
    : ['script', '-qec', `exec ${npmStart.join(' ')}`, '/dev/null'];
const hasScript = spawnSync('script', ['--version']).error === undefined;

describe('npm start', () => {
  test.runIf(hasScript)('prints a few lines for people in a terminal', async () => {
    // An empty folder with a blank in its name, as users' folders have.
    dataDir = await mkdtemp(join(tmpdir(), 'npm start '));
    const started = await start(inTerminal);
    await expect.poll(() => started.output).toContain('US/Eastern');
    const lines = started.output.trim().split('\r\n');
    const at = lines.findIndex((line) => line.startsWith('Listening on '));
    // Every line is tested in wiring/start-summary.test.ts.
    expect(lines.slice(at)).toEqual([
      `Listening on ${started.url}`,
      expect.stringMatching(/^ {2}Console {3}http:\/\/localhost:\d+\/.* \(signs you in once/),
      expect.stringContaining(`  Leads     stored in ${join(dataDir, 'postgres')}; `),
      expect.stringContaining('  Services  '),
      expect.stringContaining('  Days      of the console are counted in UTC'),
    ]);
    // Skips npm's own lines, and those of the page build if it runs.
    const before = lines
      .slice(0, at)
      .filter((line) => line !== '' && !/^(>|Pages built)/.test(line));
    expect(before).toEqual([]);
    started.child.stdin?.write('\u0003');
    expect(await started.exitCode).toBe(0);
    expect(isDatabaseThere()).toBe(false);
  });

  test('without a terminal it serves the survey, logs JSON lines and ends cleanly at SIGTERM', async () => {
    dataDir = await preparedDataDir();
    const started = await start(npmStart, {}, { NODE_ENV: '' });
    // Production.
    expect((await fetch(`${started.url}/preview/`)).status).toBe(404);
    // The address is printed only after the pages are rendered, so no visitor waits for a page.
    expect((await fetch(`${started.url}/readyz`)).status).toBe(200);
    const page = await fetch(`${started.url}/survey/v4nv?s1=abc`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('data-step="StartPath"');
    await expectCleanEnd(started, (child) => child.kill('SIGTERM'));
    const lines = started.output
      .split('\n')
      .filter((line) => line !== '' && !/^(>|Pages)/.test(line));
    const others = lines.filter((line) => !line.startsWith('{'));
    expect(others).toEqual([`Listening on ${started.url}`]);
    for (const line of lines.filter((each) => each.startsWith('{'))) JSON.parse(line);
  });

  test('a second Ctrl-C two seconds later ends it at once', async () => {
    dataDir = await preparedDataDir();
    const { url, child, exitCode } = await start(npmStart, { detached: true }, { PAGES: 'off' });
    const { status } = await halfPost(url);
    const interrupt = () => process.kill(-(child.pid as number), 'SIGINT');
    interrupt();
    await untilClosed(url);
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    interrupt();
    expect(await exitCode).not.toBe(0);
    await expect(status).rejects.toThrow();
  });
});
