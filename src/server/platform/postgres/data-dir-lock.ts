/**
 * Locks a data directory for one process. The lock is an SQLite file in an exclusive transaction. The kernel releases
 * it when the process ends, so a lock is never stale.
 */
import { chmodSync, closeSync, openSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

/** Maximum wait of a starting process for the previous owner's end. */
const LOCK_WAIT_MS = 1_500;
const SQLITE_BUSY = 5;

/** The contents of `server.json`, which people, the next start and the commands read. */
type ServerFile = {
  /** The process that owns the data directory; null after a clean stop. */
  pid: number | null;
  /** The embedded database's port on 127.0.0.1. The next start tries the same port. */
  port: number | null;
};

export type DataDirLock = { release(): void };

/** Takes the lock without waiting. @returns undefined if this or another process holds the lock */
export function tryLockDataDir(dataDir: string): DataDirLock | undefined {
  const file = path.join(dataDir, 'server.lock');
  // Whoever can open the file can take the lock, so only its owner may.
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
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

/** Takes the lock. Waits up to `waitMs` for the previous owner to end. @throws if it does not end */
export async function lockDataDir(dataDir: string, waitMs = LOCK_WAIT_MS): Promise<DataDirLock> {
  const deadlineMs = performance.now() + waitMs;
  for (;;) {
    const lock = tryLockDataDir(dataDir);
    if (lock !== undefined) return lock;
    if (performance.now() >= deadlineMs) {
      const { pid } = await readServerFile(dataDir);
      throw new Error(
        `The data directory ${dataDir} is in use by a running server${pid === null ? '' : ` (process ${pid})`}: stop it first, or set DATA_DIR to another directory.`,
      );
    }
    await sleep(50);
  }
}

/** Reads `server.json`. A missing or damaged file counts as empty. */
export async function readServerFile(dataDir: string): Promise<ServerFile> {
  try {
    return JSON.parse(await readFile(path.join(dataDir, 'server.json'), 'utf8')) as ServerFile;
  } catch {
    return { pid: null, port: null };
  }
}

/** Replaces `server.json` atomically. The caller must hold the lock. */
export async function writeServerFile(dataDir: string, content: ServerFile): Promise<void> {
  const file = path.join(dataDir, 'server.json');
  await writeFile(`${file}.tmp`, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  await rename(`${file}.tmp`, file);
}

/** Returns a file's text; undefined if there is no file. */
export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
