/**
 * Locks a data directory for one process. The lock is an SQLite file in an exclusive transaction. The kernel releases
 * it when the process ends, so a lock is never stale.
 */
import { closeSync, existsSync, openSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

/** Maximum time that a starting process waits for the lock's previous owner to end. */
const LOCK_WAIT_MS = 1_500;
const SQLITE_BUSY = 5;

type DataDirLock = { release(): void };

const lockFile = (dataDir: string) => path.join(dataDir, 'server.lock');

/**
 * Takes the lock without waiting.
 * @returns undefined if a process, even this one, holds the lock
 */
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

/**
 * Takes the lock. Waits up to `waitMs` for the previous owner to end.
 * @throws if the previous owner does not end
 */
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
