import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testLog } from '../../../../tests/support/postgres.ts';
import { endDatabaseProcesses, startPostmaster } from './postmaster.ts';

// Runs only on Linux, because other systems have no /proc.
describe.runIf(process.platform === 'linux')('endDatabaseProcesses', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'cluster ü '));
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await rm(dir, { recursive: true });
  });

  /** Starts a fake postmaster. Returns a promise that resolves when the process ends. */
  async function start(script: string) {
    const child = spawn('sh', ['-c', `${script} echo ready; while :; do sleep 0.02; done`], {
      argv0: `/postgres -D ${dir} `,
      cwd: dir,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const end = once(child, 'exit');
    await once(child.stdout, 'data');
    return { pid: child.pid as number, end };
  }

  it('a postmaster that ignores the fast shutdown is killed', async () => {
    const { pid, end } = await start("trap '' INT;");
    const real = performance.now.bind(performance);
    let aheadMs = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => {
      aheadMs = Math.min(aheadMs + 10_000, 40_000);
      return real() + aheadMs;
    });
    expect(await endDatabaseProcesses(dir)).toContain(pid);
    expect(await end).toEqual([null, 'SIGKILL']);
  });
});

it('startPostmaster fails with the reason if the program cannot be started', async () => {
  const postgres = '/missing/postgres';
  const programs = { postgres, initdb: '', version: 18, identity: undefined };
  const started = startPostmaster({ clusterDir: '/missing', programs, log: testLog, port: 1 });
  await expect(started).rejects.toThrow('did not start: spawn /missing/postgres ENOENT');
});
