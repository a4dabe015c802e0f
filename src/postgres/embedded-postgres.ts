/**
 * Manages the embedded PostgreSQL: initialises the cluster on the first start, cleans up after crashes,
 * restarts the database if it dies, and stops it last.
 *
 * Files in `dataDir`: `postgres/` (the cluster), `postgres-password` (generated, mode 600), `server.json`
 * (owner and port), `server.lock` (held while a process owns the directory).
 */
import type { ChildProcess } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { applicationAddress, ensureApplicationRole, HOST, SUPERUSER } from './application-role.ts';
import {
  type DataDirLock,
  lockDataDir,
  readServerFile,
  tryLockDataDir,
  writeServerFile,
} from './data-dir-lock.ts';
import { checkDurability } from './durability.ts';
import type { Logger } from './logger.ts';
import { findPostgres, type PostgresPrograms, spawnPostgres } from './postgres-program.ts';
import { endDatabaseProcesses, sendSignal } from './process-table.ts';

export type EmbeddedPostgresOptions = {
  /** Absolute path; created if missing. The cluster is in `${dataDir}/postgres`. */
  dataDir: string;
  log: Logger;
  /** Port on 127.0.0.1. Default (also 0): a free port, the same as last time if possible. */
  port?: number;
};

export type RunningPostgres = {
  /** For the application's role (application-role.ts). Stays the same when the database restarts. */
  readonly connectionString: string;
  /** Process id of the postmaster. Changes when the database restarts. */
  readonly pid: number;
  /** Time from the call of `startEmbeddedPostgres` until the database answered. */
  readonly readyAfterMs: number;
  /** Calls the listener when the postmaster has died. It is being restarted. */
  onLost(listener: () => void): void;
  /** Calls the listener when the database answers again. */
  onRestored(listener: () => void): void;
  /** Shuts the database down and waits for its end. Call it last; may be called repeatedly. */
  stop(): Promise<void>;
};

/** Generous: crash recovery usually takes under a second, but disks can be slow. */
const READY_TIMEOUT_MS = 120_000;
/** A fast shutdown writes a checkpoint. After this time it is cut short, and the next start recovers. */
const STOP_TIMEOUT_MS = 30_000;
/** Pauses before each attempt to restart the database. The last one repeats. */
const RESTART_PAUSES_MS = [0, 100, 250, 500, 1_000, 2_000, 5_000] as const;
/** Below the system's ephemeral ports, so that no outgoing connection takes ours. */
const PORT_RANGE = { from: 20_000, to: 32_000 } as const;
const CLUSTER_VERSION = '18';

/** Thrown when the embedded database cannot start. The message is one sentence for the terminal. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

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
  const startedAtMs = performance.now();
  const { dataDir } = options;
  if (!path.isAbsolute(dataDir)) throw new EmbeddedPostgresError('The data directory is relative.');
  try {
    return await start(options, startedAtMs);
  } catch (error) {
    const { code, path: file } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error;
    throw new EmbeddedPostgresError(
      `The data directory ${dataDir} cannot be used by this user (${code}${file ? ` at ${file}` : ''}): give it to the user, or set DATA_DIR to another directory.`,
      { cause: error },
    );
  }
}

async function start(
  options: EmbeddedPostgresOptions,
  startedAtMs: number,
): Promise<RunningPostgres> {
  const { dataDir, log } = options;
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
    const postmaster = await startOnFreePort({
      clusterDir,
      programs,
      log,
      port: options.port,
      remembered,
    });
    const connectionString = applicationAddress(password, postmaster.port);
    try {
      await ensureApplicationRole(password, postmaster.port);
      await refuseUnsafeSettings(connectionString, log);
      await writeServerFile(dataDir, {
        pid: process.pid,
        startedAt: new Date().toISOString(),
        port: postmaster.port,
      });
    } catch (error) {
      await stopPostmaster(postmaster.child);
      throw error;
    }
    const readyAfterMs = Math.round(performance.now() - startedAtMs);
    log.info(
      { port: postmaster.port, postmasterPid: postmaster.child.pid, readyAfterMs },
      'Database ready',
    );
    return supervise({
      connectionString,
      postmaster,
      readyAfterMs,
      log,
      start: () =>
        startPostmaster({ clusterDir, programs, log, port: postmaster.port }).then(
          ({ child }) => child,
        ),
      clean: () => endDatabaseProcesses(clusterDir),
      async released() {
        await writeServerFile(dataDir, { pid: null, startedAt: null, port: postmaster.port });
        lock.release();
      },
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
    if (!(await isOwned(dataDir))) return undefined;
    const port = await readyPort(path.join(dataDir, 'postgres'));
    const password = await readPassword(dataDir);
    if (port !== undefined && password !== undefined) {
      const connectionString = applicationAddress(password, port);
      // The first start creates the role only after the database is ready.
      if (await isAnswering(connectionString)) return { connectionString };
    }
    if (performance.now() >= deadlineMs) {
      throw new EmbeddedPostgresError(
        `A server owns ${dataDir}, but its database does not answer.`,
      );
    }
    await sleep(50);
  }
}

async function isOwned(dataDir: string): Promise<boolean> {
  let lock: DataDirLock | undefined;
  try {
    await stat(path.join(dataDir, 'server.lock'));
    lock = tryLockDataDir(dataDir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  lock?.release();
  return lock === undefined;
}

async function isAnswering(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function refuseUnsafeSettings(connectionString: string, log: Logger): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined); // The query rejects with the same error.
  try {
    await client.connect();
    await checkDurability(client, { embedded: true, log });
  } finally {
    await client.end().catch(() => undefined);
  }
}

// ---------------------------------------------------------------------------------------------
// Creating the cluster

type ClusterPlace = {
  dataDir: string;
  clusterDir: string;
  programs: PostgresPrograms;
  log: Logger;
};

const INIT_PREFIX = '.postgres-init-';

/** Creates the cluster if there is none. @returns the superuser's password */
async function ensureCluster(place: ClusterPlace): Promise<string> {
  const { dataDir, clusterDir } = place;
  // Removes the rest of a killed initialisation. We hold the lock, so no other process uses it.
  for (const entry of await readdir(dataDir)) {
    if (entry.startsWith(INIT_PREFIX)) {
      // initdb may have outlived its server and still be writing.
      await endDatabaseProcesses(path.join(dataDir, entry, 'cluster'));
      await rm(path.join(dataDir, entry), { recursive: true, force: true, maxRetries: 5 });
    }
  }
  const version = await readIfThere(path.join(clusterDir, 'PG_VERSION'));
  if (version !== undefined) {
    if (version.trim() !== CLUSTER_VERSION) {
      throw new EmbeddedPostgresError(
        `${clusterDir} was created by PostgreSQL ${version.trim()}, but this is version ${CLUSTER_VERSION}: export it with the old version and import it, or set DATA_DIR to another directory.`,
      );
    }
    const password = await readPassword(dataDir);
    if (password === undefined) {
      throw new EmbeddedPostgresError(
        `${path.join(dataDir, 'postgres-password')} is missing: without it the database in ${clusterDir} cannot be opened.`,
      );
    }
    // A copy or a restore may have widened the mode.
    await chmod(path.join(dataDir, 'postgres-password'), 0o600);
    return password;
  }
  const entries = await readdir(clusterDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (entries.length > 0) {
    throw new EmbeddedPostgresError(
      `${clusterDir} is not a complete database: move it away to begin with an empty one, or restore it.`,
    );
  }
  await rm(clusterDir, { recursive: true, force: true });
  const password = (await readPassword(dataDir)) ?? (await createPassword(dataDir));
  await initialise(place, password);
  return password;
}

/** Initialises in a temporary directory and renames it, so that a killed initdb never looks like a cluster. */
async function initialise(place: ClusterPlace, password: string): Promise<void> {
  const { dataDir, clusterDir, programs } = place;
  const startedAtMs = performance.now();
  const temporary = await mkdtemp(path.join(dataDir, INIT_PREFIX));
  const passwordFile = path.join(temporary, 'password');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (programs.identity !== undefined) {
    const { uid, gid } = programs.identity;
    await chown(temporary, uid, gid);
    await chown(passwordFile, uid, gid);
  }
  const child = spawnPostgres(
    programs.initdb,
    [
      `--pgdata=${path.join(temporary, 'cluster')}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--data-checksums',
      '--no-instructions',
    ],
    programs.identity,
  );
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const { code, signal, error } = await ended(child);
  if (code !== 0) {
    await rm(temporary, { recursive: true, force: true });
    const reason = error?.message ?? lastLine(output) ?? `it ended with ${signal ?? code}`;
    throw new EmbeddedPostgresError(
      `The embedded database could not be initialised in ${dataDir}: ${reason}`,
    );
  }
  await rename(path.join(temporary, 'cluster'), clusterDir);
  await syncDirectory(dataDir);
  await rm(temporary, { recursive: true, force: true });
  place.log.info(
    { initialisedInMs: Math.round(performance.now() - startedAtMs) },
    'Created a new database',
  );
}

async function createPassword(dataDir: string): Promise<string> {
  const password = randomBytes(24).toString('hex');
  const file = path.join(dataDir, 'postgres-password');
  await writeFile(`${file}.tmp`, `${password}\n`, { mode: 0o600, flush: true });
  await rename(`${file}.tmp`, file);
  await syncDirectory(dataDir);
  return password;
}

async function readPassword(dataDir: string): Promise<string | undefined> {
  const password = (await readIfThere(path.join(dataDir, 'postgres-password')))?.trim();
  return password === '' ? undefined : password;
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function syncDirectory(dir: string): Promise<void> {
  const handle = await open(dir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function lastLine(output: string): string | undefined {
  return output.trim().split('\n').at(-1)?.trim() || undefined;
}

// ---------------------------------------------------------------------------------------------
// Starting and stopping one postmaster

type Postmaster = { child: ChildProcess; port: number };
type PostmasterPlan = { clusterDir: string; programs: PostgresPrograms; log: Logger; port: number };

/** Thrown when another process took the port after we had found it free. */
class PortTakenError extends EmbeddedPostgresError {}

async function startOnFreePort(
  plan: Omit<PostmasterPlan, 'port'> & { port: number | undefined; remembered: number | null },
): Promise<Postmaster> {
  const { port: fixed, remembered, ...rest } = plan;
  if (fixed) return startPostmaster({ ...rest, port: fixed });
  for (let attempt = 1; ; attempt += 1) {
    const port =
      attempt === 1 && remembered !== null && (await isPortFree(remembered))
        ? remembered
        : await findFreePort();
    try {
      return await startPostmaster({ ...rest, port });
    } catch (error) {
      if (!(error instanceof PortTakenError) || attempt === 5) throw error;
    }
  }
}

async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(PORT_RANGE.from, PORT_RANGE.to);
    if (await isPortFree(port)) return port;
  }
  throw new EmbeddedPostgresError(`No port is free for the database on ${HOST}.`);
}

function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: HOST, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Starts the postmaster and waits until it accepts connections. The caller must have cleaned up. */
async function startPostmaster(plan: PostmasterPlan): Promise<Postmaster> {
  const { clusterDir, programs, log, port } = plan;
  // No database runs in the directory, so the file is stale. PostgreSQL would refuse to start if another
  // process had its process id now.
  await rm(path.join(clusterDir, 'postmaster.pid'), { force: true });
  const child = spawnPostgres(
    programs.postgres,
    [
      '-D',
      clusterDir,
      '-p',
      String(port),
      ...settings({
        listen_addresses: HOST,
        // A socket file would lie outside the data directory and could block the next start.
        unix_socket_directories: '',
        // PostgreSQL's output goes to our log, so it must contain no statements or values.
        lc_messages: 'C',
        log_line_prefix: '',
        log_destination: 'stderr',
        logging_collector: 'off',
        log_min_messages: 'log',
        log_min_error_statement: 'panic',
        log_error_verbosity: 'terse',
        log_checkpoints: 'off',
      }),
    ],
    programs.identity,
  );
  const fatal = { line: undefined as string | undefined };
  forwardOutput(child, log, fatal);
  const end = ended(child);
  let hasEnded = false;
  void end.then(() => {
    hasEnded = true;
  });
  const deadlineMs = performance.now() + READY_TIMEOUT_MS;
  while (!hasEnded) {
    if ((await readyPort(clusterDir, child.pid)) === port) return { child, port };
    if (performance.now() > deadlineMs) {
      await stopPostmaster(child);
      throw new EmbeddedPostgresError(
        `The embedded database in ${clusterDir} was not ready after ${READY_TIMEOUT_MS / 1000} s.`,
      );
    }
    await Promise.race([end, sleep(10)]);
  }
  const { code, signal, error } = await end;
  const reason = error?.message ?? fatal.line ?? `it ended with ${signal ?? code}`;
  const message = `The embedded database in ${clusterDir} did not start: ${reason}`;
  throw /could not create any TCP\/IP sockets|could not bind|Address already in use/.test(reason)
    ? new PortTakenError(message)
    : new EmbeddedPostgresError(message);
}

function settings(values: Record<string, string>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/**
 * Returns the port from `postmaster.pid` if the database is ready.
 *
 * @param pid ignores the file if it belongs to another process.
 */
async function readyPort(clusterDir: string, pid?: number): Promise<number | undefined> {
  const text = await readIfThere(path.join(clusterDir, 'postmaster.pid')).catch(() => undefined);
  const lines = text?.split('\n') ?? [];
  if (lines[7]?.trim() !== 'ready') return undefined;
  if (pid !== undefined && Number(lines[0]) !== pid) return undefined;
  const port = Number(lines[3]);
  return Number.isInteger(port) && port > 0 ? port : undefined;
}

function forwardOutput(
  child: ChildProcess,
  log: Logger,
  fatal: { line: string | undefined },
): void {
  let rest = '';
  const onText = (text: string): void => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [, level, message] = /^([A-Z]+):\s+(.*)$/.exec(line) ?? [];
      if (level === 'FATAL' || level === 'PANIC') {
        fatal.line = message;
        // Normal while the database starts or stops: PostgreSQL sends it to every client.
        if (/^(the database system is|terminating connection due to admin)/.test(message ?? ''))
          log.debug(`Database: ${message}`);
        else log.warn(`Database: ${message}`);
      } else if (line.trim() !== '') {
        log.debug(`Database: ${message ?? line}`);
      }
    }
  };
  child.stdout?.setEncoding('utf8').on('data', onText);
  child.stderr?.setEncoding('utf8').on('data', onText);
}

type End = { code: number | null; signal: NodeJS.Signals | null; error?: Error };

function ended(child: ChildProcess): Promise<End> {
  return new Promise((resolve) => {
    // "close" comes once all output has been read. Orphaned children of a killed postmaster keep the pipe
    // open, so this waits only a moment after "exit".
    child.once('error', (error) => resolve({ code: null, signal: null, error }));
    child.once('close', (code, signal) => resolve({ code, signal }));
    child.once('exit', (code, signal) => {
      setTimeout(() => resolve({ code, signal }), 100).unref();
    });
  });
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/** Shuts down fast, and harder after `STOP_TIMEOUT_MS`. */
async function stopPostmaster(child: ChildProcess): Promise<void> {
  if (!isRunning(child)) return;
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const { pid } = child;
  if (pid === undefined) return;
  for (const [signal, waitMs] of [
    ['SIGINT', STOP_TIMEOUT_MS],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (!isRunning(child)) return;
    sendSignal(pid, signal);
    const abort = new AbortController();
    await Promise.race([
      exited,
      sleep(waitMs, undefined, { signal: abort.signal }).catch(() => undefined),
    ]);
    abort.abort();
  }
}

// ---------------------------------------------------------------------------------------------
// Supervising the database

type Supervision = {
  connectionString: string;
  postmaster: Postmaster;
  readyAfterMs: number;
  log: Logger;
  /** Starts a new postmaster on the same port. */
  start(): Promise<ChildProcess>;
  /** Ends the processes that a dead postmaster left behind. */
  clean(): Promise<unknown>;
  /** Called once, when the database has been stopped. */
  released(): Promise<void>;
};

/** Restarts the postmaster when it dies. Only one loop does so, so restarts cannot race; `stop` waits for it. */
function supervise(supervision: Supervision): RunningPostgres {
  const { connectionString, log } = supervision;
  let child = supervision.postmaster.child;
  const lostListeners: (() => void)[] = [];
  const restoredListeners: (() => void)[] = [];
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
      log.error({ code, signal }, 'The database has died; restarting it');
      for (const listener of lostListeners) listener();
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
        await supervision.clean();
        child = await supervision.start();
      } catch (error) {
        log.error({ err: error, attempt: attempt + 1 }, 'The database could not be restarted');
        continue;
      }
      const awayMs = Math.round(performance.now() - lostAtMs);
      log.info({ postmasterPid: child.pid, awayMs }, 'The database is back');
      for (const listener of restoredListeners) listener();
      return;
    }
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await restarting;
    await stopPostmaster(child);
    process.off('exit', onProcessExit);
    await supervision.released();
    log.info('Database stopped');
  }

  watch();
  return {
    connectionString,
    get pid() {
      return child.pid ?? -1;
    },
    readyAfterMs: supervision.readyAfterMs,
    onLost(listener) {
      lostListeners.push(listener);
    },
    onRestored(listener) {
      restoredListeners.push(listener);
    },
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}
