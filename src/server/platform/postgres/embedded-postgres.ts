/**
 * Manages the embedded PostgreSQL: initialises the cluster on the first start, cleans up after crashes, restarts a
 * database that died, and stops it at the end.
 *
 * Files in `dataDir`: `postgres/` (the cluster), `postgres-password` (generated, mode 600), `server.json` (owner and
 * port), `server.lock` (locked while a process owns the directory).
 */
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  applicationAddress,
  ensureApplicationRole,
  ensureCluster,
  readPassword,
  withClient,
} from './cluster.ts';
import { lockDataDir, readServerFile, tryLockDataDir, writeServerFile } from './data-dir-lock.ts';
import { checkDurability } from './durability.ts';
import type { Logger } from './logger.ts';
import { findPostgres } from './postgres-program.ts';
import {
  endDatabaseProcesses,
  isRunning,
  PortTakenError,
  type Postmaster,
  type PostmasterPlan,
  readyPort,
  sendSignal,
  startPostmaster,
  stopPostmaster,
} from './postmaster.ts';

export type RunningPostgres = {
  /** The connection string of the application's role. A restart of the database does not change it. */
  readonly connectionString: string;
  /** Process id of the postmaster. Changes when the database restarts. */
  readonly pid: number;
  /** Stops the database and waits for its end. Call it after everything else has stopped. Idempotent. */
  stop(): Promise<void>;
};

/** These ports are below the system's ephemeral ports, so no outgoing connection can take ours. */
const PORT_RANGE = { from: 20_000, to: 32_000 } as const;
const MOST_PORTS = 20;
/** Upper limit of the pauses between restarts, which double each time. */
const LONGEST_PAUSE_MS = 5_000;

/**
 * Starts the embedded database of a data directory. First it cleans up after earlier runs: orphaned processes, a stale
 * pid file, an unfinished initialisation.
 *
 * @param options.dataDir absolute path; created if missing. The cluster is in `${dataDir}/postgres`.
 * @throws if another server owns the directory, or if the database cannot start or is unsafe. Nothing is left running.
 * The message is one sentence for the terminal.
 */
export async function startEmbeddedPostgres({
  dataDir,
  log,
}: {
  dataDir: string;
  log: Logger;
}): Promise<RunningPostgres> {
  try {
    return await start(dataDir, log);
  } catch (error) {
    const { code, path: file } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error;
    throw new Error(
      `The data directory ${dataDir} cannot be used by this user (${code}${file ? ` at ${file}` : ''}): give it to the user, or set DATA_DIR to another directory.`,
      { cause: error },
    );
  }
}

async function start(dataDir: string, log: Logger): Promise<RunningPostgres> {
  const startedAtMs = performance.now();
  const clusterDir = path.join(dataDir, 'postgres');
  // As root we run PostgreSQL as another user, which must be able to pass through the directory.
  await mkdir(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const lock = await lockDataDir(dataDir);
  try {
    const programs = await findPostgres(clusterDir);
    const orphans = await endDatabaseProcesses(clusterDir);
    if (orphans.length > 0) {
      log.warn({ pids: orphans }, 'Stopped an orphaned database of an earlier run');
    }
    const password = await ensureCluster({ dataDir, clusterDir, programs, log });
    const postmaster = await startOnFreePort(dataDir, { clusterDir, programs, log });
    const { port, child } = postmaster;
    const connectionString = applicationAddress(password, port);
    try {
      await ensureApplicationRole(password, port);
      await withClient({ connectionString }, (client) =>
        checkDurability(client, { embedded: true, log }),
      );
      await writeServerFile(dataDir, { pid: process.pid, port });
    } catch (error) {
      await stopPostmaster(postmaster, clusterDir);
      throw error;
    }
    const readyAfterMs = Math.round(performance.now() - startedAtMs);
    log.info({ port, postmasterPid: child.pid, readyAfterMs }, 'Database ready');
    const plan = { clusterDir, programs, log, port };
    return supervise(plan, postmaster, connectionString, async () => {
      await writeServerFile(dataDir, { pid: null, port });
      lock.release();
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Starts the postmaster on the last run's port. If it is taken, tries random ports. */
async function startOnFreePort(
  dataDir: string,
  plan: Omit<PostmasterPlan, 'port'>,
): Promise<Postmaster> {
  const last = (await readServerFile(dataDir)).port;
  for (let attempt = 1; ; attempt += 1) {
    const any = randomInt(PORT_RANGE.from, PORT_RANGE.to);
    try {
      return await startPostmaster({ ...plan, port: attempt === 1 ? (last ?? any) : any });
    } catch (error) {
      if (!(error instanceof PortTakenError) || attempt === MOST_PORTS) throw error;
    }
  }
}

/**
 * Returns the connection string of the embedded database of a running server. Waits while that server starts or
 * restarts its database.
 *
 * @returns undefined if no server owns the directory, so the caller may start the database itself
 * @throws if the server's database does not answer within `waitMs`
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
      throw new Error(`A server owns ${dataDir}, but its database does not answer.`);
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
 * Restarts the postmaster when it dies. A single loop restarts it, so restarts cannot race. `stop` waits for the loop.
 * @param release called once, after the database has stopped
 */
function supervise(
  plan: PostmasterPlan,
  first: Postmaster,
  connectionString: string,
  release: () => Promise<void>,
): RunningPostgres {
  const { clusterDir, log } = plan;
  let postmaster = first;
  let restarting: Promise<void> | undefined;
  let stopped: Promise<void> | undefined;
  const stopping = new AbortController();

  // An uncaught exception ends the process without `stop`. The database must not be orphaned then.
  const onProcessExit = (): void => {
    if (isRunning(postmaster)) sendSignal(postmaster.child.pid as number, 'SIGINT');
  };
  process.once('exit', onProcessExit);

  async function watch(): Promise<void> {
    for (;;) {
      const { code, signal } = await postmaster.ended;
      if (stopping.signal.aborted) return;
      log.error(
        { code, signal },
        'The database has died; restarting it. Requests that need it get HTTP 503 until it is back',
      );
      restarting = restart();
      await restarting;
    }
  }

  async function restart(): Promise<void> {
    const lostAtMs = performance.now();
    for (let attempt = 1, pauseMs = 100; !stopping.signal.aborted; attempt += 1) {
      try {
        await endDatabaseProcesses(clusterDir);
        postmaster = await startPostmaster(plan);
        const awayMs = Math.round(performance.now() - lostAtMs);
        log.info({ postmasterPid: postmaster.child.pid, awayMs }, 'The database is back');
        return;
      } catch (error) {
        log.error({ err: error, attempt }, 'The database could not be restarted');
      }
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    }
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await restarting;
    await stopPostmaster(postmaster, clusterDir);
    process.off('exit', onProcessExit);
    await release();
    log.info('Database stopped');
  }

  void watch();
  return {
    connectionString,
    get pid() {
      return postmaster.child.pid ?? -1;
    },
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}
