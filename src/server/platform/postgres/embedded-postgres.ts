/**
 * Manages the embedded PostgreSQL: initialises the cluster on the first start, cleans up after crashes,
 * restarts the database if it dies, and stops it last.
 *
 * Files in `dataDir`: `postgres/` (the cluster), `postgres-password` (generated, mode 600), `server.json`
 * (owner and port), `server.lock` (held while a process owns the directory).
 */
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { applicationAddress, ensureApplicationRole, withClient } from './application-role.ts';
import { ensureCluster, readPassword } from './cluster.ts';
import { lockDataDir, readServerFile, tryLockDataDir, writeServerFile } from './data-dir-lock.ts';
import { checkDurability } from './durability.ts';
import type { Logger } from './logger.ts';
import { findPostgres } from './postgres-program.ts';
import {
  EmbeddedPostgresError,
  isRunning,
  type PostmasterPlan,
  readyPort,
  startOnFreePort,
  startPostmaster,
  stopPostmaster,
} from './postmaster.ts';
import { endDatabaseProcesses, sendSignal } from './process-table.ts';

type EmbeddedPostgresOptions = {
  /** Absolute path; created if missing. The cluster is in `${dataDir}/postgres`. */
  dataDir: string;
  log: Logger;
};

export type RunningPostgres = {
  /** For the application's role (application-role.ts). Stays the same when the database restarts. */
  readonly connectionString: string;
  /** Process id of the postmaster. Changes when the database restarts. */
  readonly pid: number;
  /** Shuts the database down and waits for its end. Call it last; may be called repeatedly. */
  stop(): Promise<void>;
};

/** Pauses before each attempt to restart the database. The last one repeats. */
const RESTART_PAUSES_MS = [0, 100, 250, 500, 1_000, 2_000, 5_000] as const;

/**
 * Starts the embedded database of a data directory. Cleans up after an earlier run first: an orphaned database,
 * a stale pid file, an unfinished initialisation.
 *
 * @throws DataDirInUseError when a server owns the directory; EmbeddedPostgresError or UnsafeDurabilityError
 * when the database cannot or must not start. Nothing is left running then.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<RunningPostgres> {
  try {
    return await start(options);
  } catch (error) {
    const { code, path: file } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error;
    throw new EmbeddedPostgresError(
      `The data directory ${options.dataDir} cannot be used by this user (${code}${file ? ` at ${file}` : ''}): give it to the user, or set DATA_DIR to another directory.`,
      { cause: error },
    );
  }
}

async function start({ dataDir, log }: EmbeddedPostgresOptions): Promise<RunningPostgres> {
  const startedAtMs = performance.now();
  const clusterDir = path.join(dataDir, 'postgres');
  // If we are root, PostgreSQL runs as another user, which must be able to pass through the directory.
  await mkdir(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const lock = await lockDataDir(dataDir);
  try {
    const programs = await findPostgres(clusterDir);
    const leftovers = await endDatabaseProcesses(clusterDir);
    if (leftovers.length > 0) {
      log.warn({ pids: leftovers }, 'Stopped an orphaned database of an earlier run');
    }
    const password = await ensureCluster({ dataDir, clusterDir, programs, log });
    const remembered = (await readServerFile(dataDir)).port;
    const postmaster = await startOnFreePort({ clusterDir, programs, log, remembered });
    const connectionString = applicationAddress(password, postmaster.port);
    try {
      await ensureApplicationRole(password, postmaster.port);
      await withClient({ connectionString }, (client) =>
        checkDurability(client, { embedded: true, log }),
      );
      await writeServerFile(dataDir, { pid: process.pid, port: postmaster.port });
    } catch (error) {
      await stopPostmaster(postmaster.child, clusterDir);
      throw error;
    }
    const readyAfterMs = Math.round(performance.now() - startedAtMs);
    log.info(
      { port: postmaster.port, postmasterPid: postmaster.child.pid, readyAfterMs },
      'Database ready',
    );
    const plan = { clusterDir, programs, log, port: postmaster.port };
    return supervise(plan, postmaster.child, connectionString, async () => {
      await writeServerFile(dataDir, { pid: null, port: postmaster.port });
      lock.release();
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Returns the connection string of the embedded database that a running server owns. Waits while the server
 * starts or restarts the database.
 *
 * @returns undefined when no server owns the directory, so the caller may start the database itself.
 * @throws EmbeddedPostgresError when the owner's database does not answer within `waitMs`.
 */
export async function findRunningEmbeddedPostgres(
  dataDir: string,
  waitMs = 10_000,
): Promise<{ connectionString: string } | undefined> {
  const deadlineMs = performance.now() + waitMs;
  for (;;) {
    if (!isOwned(dataDir)) return undefined;
    const port = await readyPort(path.join(dataDir, 'postgres'));
    const password = await readPassword(dataDir);
    if (port !== undefined && password !== undefined) {
      const connectionString = applicationAddress(password, port);
      // The first start creates the role only after the database is ready.
      const isAnswering = withClient({ connectionString }, async () => true).catch(() => false);
      if (await isAnswering) return { connectionString };
    }
    if (performance.now() >= deadlineMs) {
      throw new EmbeddedPostgresError(
        `A server owns ${dataDir}, but its database does not answer.`,
      );
    }
    await sleep(50);
  }
}

function isOwned(dataDir: string): boolean {
  if (!existsSync(path.join(dataDir, 'server.lock'))) return false;
  const lock = tryLockDataDir(dataDir);
  lock?.release();
  return lock === undefined;
}

/**
 * Restarts the postmaster when it dies. Only one loop does so, so restarts cannot race; `stop` waits for it.
 * @param released called once, when the database has been stopped
 */
function supervise(
  plan: PostmasterPlan,
  first: ChildProcess,
  connectionString: string,
  released: () => Promise<void>,
): RunningPostgres {
  const { clusterDir, log } = plan;
  let child = first;
  let restarting: Promise<void> | undefined;
  let stopped: Promise<void> | undefined;
  const stopping = new AbortController();

  // If the process ends without `stop`, for example by an uncaught exception, the database must not be orphaned.
  const onProcessExit = (): void => {
    if (isRunning(child) && child.pid !== undefined) sendSignal(child.pid, 'SIGINT');
  };
  process.once('exit', onProcessExit);

  function watch(): void {
    const onExit = (code: number | null, signal: NodeJS.Signals | null): void => {
      if (stopping.signal.aborted || restarting !== undefined) return;
      log.error(
        { code, signal },
        'The database has died; restarting it. Requests that need it get HTTP 503 until it is back',
      );
      restarting = restart().finally(() => {
        restarting = undefined;
        // `watch` notices if the database has died again meanwhile.
        if (!stopping.signal.aborted) watch();
      });
    };
    if (isRunning(child)) child.once('exit', onExit);
    else onExit(child.exitCode, child.signalCode);
  }

  async function restart(): Promise<void> {
    const lostAtMs = performance.now();
    for (let attempt = 0; !stopping.signal.aborted; attempt += 1) {
      const pauseMs = RESTART_PAUSES_MS[Math.min(attempt, RESTART_PAUSES_MS.length - 1)];
      try {
        await sleep(pauseMs, undefined, { signal: stopping.signal });
      } catch {
        return;
      }
      try {
        await endDatabaseProcesses(clusterDir);
        ({ child } = await startPostmaster(plan));
      } catch (error) {
        log.error({ err: error, attempt: attempt + 1 }, 'The database could not be restarted');
        continue;
      }
      const awayMs = Math.round(performance.now() - lostAtMs);
      log.info({ postmasterPid: child.pid, awayMs }, 'The database is back');
      return;
    }
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await restarting;
    await stopPostmaster(child, clusterDir);
    process.off('exit', onProcessExit);
    await released();
    log.info('Database stopped');
  }

  watch();
  return {
    connectionString,
    get pid() {
      return child.pid ?? -1;
    },
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}
