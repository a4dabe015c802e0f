import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockDataDir, tryLockDataDir } from './data-dir-lock.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'data dir ü '));
});
afterEach(() => rm(dir, { recursive: true }));

it('the lock of a data directory has one owner at a time', async () => {
  const first = tryLockDataDir(dir);
  expect(first).toBeDefined();
  expect(tryLockDataDir(dir)).toBeUndefined();
  const refused = lockDataDir(dir, 100);

  await expect(refused).rejects.toThrow('in use by a running server');
  first?.release();
  const second = await lockDataDir(dir, 0);
  second.release();
});

it('only the lock file’s owner can open the lock file', async () => {
  tryLockDataDir(dir)?.release();
  expect((await stat(path.join(dir, 'server.lock'))).mode & 0o777).toBe(0o600);
});

it('lockDataDir waits until the previous owner has released the lock', async () => {
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
