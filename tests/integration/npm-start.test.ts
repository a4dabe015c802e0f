import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** A folder whose name has a blank, as people's folders do. */
const dataDir = join(mkdtempSync(join(tmpdir(), 'npm-start-')), 'my data');

test('npm start serves the survey, and SIGTERM to npm stops server and database', async () => {
  const npm = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const address = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const found = /Listening on (http:\/\/\S+)/.exec(output)?.[1];
      if (found) resolve(found);
    };
    npm.stdout.on('data', read);
    npm.stderr.on('data', read);
    npm.once('exit', () => reject(new Error(`npm start ended:\n${output}`)));
  });
  try {
    const url = await address;
    const page = await fetch(`${url}/survey/v4nv?s1=abc`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('data-step="StartPath"');
    npm.removeAllListeners('exit');
    const ended = new Promise((resolve) => npm.once('exit', resolve));
    npm.kill('SIGTERM');
    await ended;
    await expect.poll(() => output, { timeout: 15_000 }).toContain('Database stopped');
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  } finally {
    npm.kill('SIGKILL');
    rmSync(join(dataDir, '..'), { recursive: true, force: true });
  }
});
