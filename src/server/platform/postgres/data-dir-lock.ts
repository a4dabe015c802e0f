/** Locks a data directory with an SQLite file, which the kernel unlocks when the process ends. */
import { closeSync, existsSync, openSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

/** Maximum time that a starting process waits for the previous owner of the lock to end. */
const LOCK_WAIT_MS = 1_500;
const SQLITE_BUSY = 5;

type DataDirLock = { release(): void };

const lockFile = (dataDir: string) => path.join(dataDir, 'server.lock');

/** Takes the lock without waiting. Returns undefined if this or another process has the lock. */
export function tryLockDataDir(dataDir: string): DataDirLock | undefined {
  const file = lockFile(dataDir);
  // Only the owner may open the file, because anyone who can open it can take the lock.
  closeSync(openSync(file, 'a', 0o600));
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
  return { release: () => database.close() };
}

/** Waits up to `waitMs` and takes the lock. @throws if another process still holds the lock */
export async function lockDataDir(dataDir: string, waitMs = LOCK_WAIT_MS): Promise<DataDirLock> {
  const deadlineMs = performance.now() + waitMs;
  for (;;) {
    const lock = tryLockDataDir(dataDir);
    if (lock !== undefined) return lock;
    if (performance.now() >= deadlineMs) {
      throw new Error(
        `The data directory ${dataDir} is in use by a running server: stop it first, or set DATA_DIR to another directory.`,
      );
    }
    await sleep(50);
  }
}

/** Returns whether a process holds the lock. */
export function isLocked(dataDir: string): boolean {
  if (!existsSync(lockFile(dataDir))) return false;
  const lock = tryLockDataDir(dataDir);
  lock?.release();
  return lock === undefined;
}
