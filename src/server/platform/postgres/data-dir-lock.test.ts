import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockDataDir, readServerFile, tryLockDataDir, writeServerFile } from './data-dir-lock.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'data dir ü '));
});
afterEach(() => rm(dir, { recursive: true }));

it('the lock has one owner at a time', async () => {
  const first = tryLockDataDir(dir);
  expect(first).toBeDefined();
  expect(tryLockDataDir(dir)).toBeUndefined();
  await writeServerFile(dir, { pid: 4711, port: 5 });
  const refused = lockDataDir(dir, 100);

  await expect(refused).rejects.toThrow(/in use by a running server \(process 4711\)/);
  first?.release();
  const second = await lockDataDir(dir, 0);
  second.release();
});

it('taking the lock makes the lock file private, even if others could read it', async () => {
  const file = path.join(dir, 'server.lock');
  const modeOf = async () => (await stat(file)).mode & 0o777;
  tryLockDataDir(dir)?.release();
  expect(await modeOf()).toBe(0o600);
  await chmod(file, 0o644);
  tryLockDataDir(dir)?.release();
  expect(await modeOf()).toBe(0o600);
});

it('taking the lock waits for the previous owner to end', async () => {
  const first = tryLockDataDir(dir);
  let isOurs = false;
  const second = lockDataDir(dir, 60_000).finally(() => {
    isOurs = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOurs).toBe(false);
  first?.release();
  const lock = await second;
  expect(tryLockDataDir(dir)).toBeUndefined();
  lock.release();
});

it.each(['', '{'])('a damaged server.json (%s) is treated as empty', async (text) => {
  await writeFile(path.join(dir, 'server.json'), text);
  expect(await readServerFile(dir)).toEqual({ pid: null, port: null });
});
