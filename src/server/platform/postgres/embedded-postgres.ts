/** Starts, supervises and stops the embedded PostgreSQL, and cleans up after crashes. */
import { randomInt } from 'node:crypto';
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
import { isLocked, lockDataDir } from './data-dir-lock.ts';
import type { Logger } from './logger.ts';
import { findPostgres, type RunningProgram } from './postgres-program.ts';
import {
  endDatabaseProcesses,
  PortTakenError,
  type PostmasterPlan,
  readPort,
  startPostmaster,
} from './postmaster.ts';

export type RunningPostgres = {
  /** The connection string of the application's role. */
  readonly connectionString: string;
  /** Stops the database and waits until it has ended. Stop everything else first. */
  stop(): Promise<void>;
};

type StartOptions = {
  /** The absolute path of the data directory, which is created if it is missing. */
  readonly dataDir: string;
  readonly log: Logger;
  /** PostgreSQL settings that replace the defaults. */
  readonly settings?: Readonly<Record<string, string>>;
};

/** A range of ports that operating systems do not use for outgoing connections. */
const PORT_RANGE = { from: 20_000, to: 32_000 } as const;
const MOST_PORTS = 20;
const RESTART_PAUSE_MS = 1_000;

/** Starts a data directory's embedded database. If the start fails, no process is left. */
export async function startEmbeddedPostgres(options: StartOptions): Promise<RunningPostgres> {
  try {
    return await start(options);
  } catch (error) {
    const { code, path: file } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error;
    throw new Error(
      `The data directory ${options.dataDir} cannot be used by this user (${code}${file ? ` at ${file}` : ''}): give it to the user, or set DATA_DIR to another directory.`,
      { cause: error },
    );
  }
}

async function start({ dataDir, log, settings }: StartOptions): Promise<RunningPostgres> {
  const startedAtMs = performance.now();
  const clusterDir = path.join(dataDir, 'postgres');
  // A root process runs PostgreSQL as another user, who must be able to enter the directory.
  await mkdir(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const lock = await lockDataDir(dataDir);
  await using cleanUp = new AsyncDisposableStack();
  cleanUp.defer(() => lock.release());
  const programs = await findPostgres(clusterDir);
  const pids = await endDatabaseProcesses(clusterDir);
  if (pids.length > 0) log.warn({ pids }, 'Stopped an orphaned database of an earlier run');
  const password = await ensureCluster({ dataDir, clusterDir, programs, log });
  const { plan, postmaster } = await startOnFreePort({ clusterDir, programs, log, settings });
  cleanUp.defer(supervise(plan, postmaster));
  const { port } = plan;
  await ensureApplicationRole(password, port);
  const readyAfterMs = Math.round(performance.now() - startedAtMs);
  log.info({ port, postmasterPid: postmaster.child.pid, readyAfterMs }, 'Database ready');
  const stops = cleanUp.move();
  let stopped: Promise<void> | undefined;
  return {
    connectionString: applicationAddress(password, port),
    stop() {
      stopped ??= stops.disposeAsync().then(() => log.info('Database stopped'));
      return stopped;
    },
  };
}

async function startOnFreePort(parts: Omit<PostmasterPlan, 'port'>) {
  for (let attempt = 1; ; attempt += 1) {
    const plan = { ...parts, port: randomInt(PORT_RANGE.from, PORT_RANGE.to) };
    try {
      return { plan, postmaster: await startPostmaster(plan) };
    } catch (error) {
      if (!(error instanceof PortTakenError) || attempt === MOST_PORTS) throw error;
    }
  }
}

/** Restarts the postmaster whenever it dies. Returns a function that stops the database. */
function supervise(plan: PostmasterPlan, first: RunningProgram): () => Promise<void> {
  const { clusterDir, log } = plan;
  const stopping = new AbortController();
  const { signal: stop } = stopping;
  let postmaster = first;

  // If an exception ends this process, this stops the database, which would otherwise keep running.
  const onProcessExit = () => postmaster.child.kill('SIGINT');
  process.once('exit', onProcessExit);

  async function restartWhenDead(): Promise<void> {
    for (;;) {
      const { code, signal } = await postmaster.ended;
      if (stop.aborted) return;
      log.error(
        { code, signal },
        'The database has died; restarting it. Requests that need it get HTTP 503 until it is back',
      );
      const lostAtMs = performance.now();
      while (!(await restart())) {
        await sleep(RESTART_PAUSE_MS, undefined, { signal: stop }).catch(() => undefined);
        if (stop.aborted) return;
      }
      const awayMs = Math.round(performance.now() - lostAtMs);
      log.info({ postmasterPid: postmaster.child.pid, awayMs }, 'The database is back');
      // If the database was stopped during the restart, the new postmaster must be ended here.
      if (stop.aborted) await endDatabaseProcesses(clusterDir);
    }
  }

  async function restart(): Promise<boolean> {
    try {
      await endDatabaseProcesses(clusterDir);
      postmaster = await startPostmaster(plan);
      return true;
    } catch (error) {
      log.error({ err: error }, 'The database could not be restarted');
      return false;
    }
  }

  const supervising = restartWhenDead();
  return async () => {
    stopping.abort();
    await endDatabaseProcesses(clusterDir);
    await supervising;
    process.off('exit', onProcessExit);
  };
}

/** Returns the connection string of a running server's database; undefined without a server. */
export async function findRunningEmbeddedPostgres(dataDir: string, waitMs = 10_000) {
  const deadlineMs = performance.now() + waitMs;
  while (isLocked(dataDir)) {
    const port = await readPort(path.join(dataDir, 'postgres'));
    const password = await readPassword(dataDir);
    if (port !== undefined && password !== undefined) {
      const connectionString = applicationAddress(password, port);
      const isAnswering = withClient({ connectionString }, async () => true).catch(() => false);
      if (await isAnswering) return { connectionString };
    }
    if (performance.now() >= deadlineMs) {
      throw new Error(`A server owns ${dataDir}, but its database does not answer.`);
    }
    await sleep(50);
  }
  return undefined;
}
