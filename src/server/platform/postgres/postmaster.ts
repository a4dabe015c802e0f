/** Starts and ends the postmaster, which is the embedded database's main process. */
import { execFile } from 'node:child_process';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { HOST } from './cluster.ts';
import type { Logger } from './logger.ts';
import { type PostgresPrograms, type RunningProgram, startProgram } from './postgres-program.ts';

/** Maximum time of a start. Crash recovery may take minutes on a slow disk. */
const READY_TIMEOUT_MS = 120_000;

export type PostmasterPlan = {
  clusterDir: string;
  programs: PostgresPrograms;
  log: Logger;
  port: number;
  settings?: Readonly<Record<string, string>> | undefined;
};

/** Thrown if another process uses the port. */
export class PortTakenError extends Error {}

const SETTINGS = {
  listen_addresses: HOST,
  // Uses no socket file, which would be outside the data directory and could prevent a start.
  unix_socket_directories: '',
  // These settings make commits durable, even if a configuration file has other values.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // These settings keep statements and visitors' values out of PostgreSQL's output, which we log.
  lc_messages: 'C',
  log_line_prefix: '',
  log_destination: 'stderr',
  logging_collector: 'off',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
};

/** Starts the postmaster and waits until it accepts connections. */
export async function startPostmaster(plan: PostmasterPlan): Promise<RunningProgram> {
  const { clusterDir, programs, log, port } = plan;
  // PostgreSQL refuses to start if another program has the process id in this stale file.
  await rm(path.join(clusterDir, 'postmaster.pid'), { force: true });
  let fatal: string | undefined;
  const ready = Promise.withResolvers<undefined>();
  const settings = Object.entries({ ...SETTINGS, ...plan.settings });
  const options = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const started = startProgram(
    programs.postgres,
    ['-D', clusterDir, '-p', `${port}`, ...options],
    programs.identity,
    (line) => {
      const [, level, message = line] = /^([A-Z]+):\s+(.*)$/.exec(line) ?? [];
      const isFatal = level === 'FATAL' || level === 'PANIC';
      if (isFatal) fatal = message;
      if (message === 'database system is ready to accept connections') ready.resolve(undefined);
      // Every client gets these messages while PostgreSQL starts or stops.
      const isUsual = /^(the database system is|terminating connection due to admin)/.test(message);
      log[isFatal && !isUsual ? 'warn' : 'debug'](`Database: ${message}`);
    },
  );
  const late = { code: null, signal: null, error: new Error('no answer in two minutes') };
  const tooLate = sleep(READY_TIMEOUT_MS, late, { ref: false });
  const end = await Promise.race([ready.promise, started.ended, tooLate]);
  if (end === undefined) return started;
  await endDatabaseProcesses(clusterDir);
  const reason = fatal ?? end.error?.message ?? `it ended with ${end.signal ?? end.code}`;
  const message = `The embedded database in ${clusterDir} did not start: ${reason}`;
  const isTaken = /create any TCP\/IP sockets|could not bind|Address already in use/.test(reason);
  throw isTaken ? new PortTakenError(message) : new Error(message);
}

/** Returns the port of the postmaster that last started in a directory. */
export async function readPort(clusterDir: string): Promise<string | undefined> {
  const file = path.join(clusterDir, 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text?.split('\n')[3];
}

export type DatabaseProcess = { pid: number; isPostmaster: boolean };

/** Finds a cluster's processes by the directory, because `postmaster.pid` may be outdated. */
export async function databaseProcesses(clusterDir: string): Promise<DatabaseProcess[]> {
  const there = await stat(clusterDir).catch(() => undefined);
  if (there === undefined) return [];
  if (process.platform !== 'linux') return listedPostmasters(clusterDir);
  // Reads /proc, because small images have no `ps`.
  const processes = (await readdir('/proc')).map(async (pid): Promise<DatabaseProcess[]> => {
    try {
      const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ');
      const [, kind] = /(?:^|\/)postgres(: | -D )/.exec(command) ?? [];
      if (kind === undefined) return [];
      const { dev, ino } = await stat(`/proc/${pid}/cwd`);
      const isOurs = dev === there.dev && ino === there.ino;
      return isOurs ? [{ pid: Number(pid), isPostmaster: kind !== ': ' }] : [];
    } catch {
      // The process has ended, or we may not inspect it.
      return [];
    }
  });
  return (await Promise.all(processes)).flat();
}

async function listedPostmasters(clusterDir: string): Promise<DatabaseProcess[]> {
  const maxBuffer = 16 * 1024 * 1024;
  const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,command='], { maxBuffer });
  const lines = stdout.split('\n').filter((line) => line.includes(`/postgres -D ${clusterDir} `));
  return lines.map((line) => ({ pid: Number.parseInt(line, 10), isPostmaster: true }));
}

/** The signals that end the processes of a cluster, and the milliseconds to wait after each. */
const STAGES = [
  ['SIGINT', 30_000],
  // SIGKILL loses no commit, because the next start runs crash recovery.
  ['SIGKILL', 60_000],
] as const;

/** Ends every process of a cluster. Returns their ids. @throws if a process does not end */
export async function endDatabaseProcesses(clusterDir: string): Promise<number[]> {
  const seen = new Set<number>();
  for (const [signal, waitMs] of STAGES) {
    let processes = await databaseProcesses(clusterDir);
    for (const { pid, isPostmaster } of processes) {
      seen.add(pid);
      if (isPostmaster || signal === 'SIGKILL') sendSignal(pid, signal);
    }
    const deadlineMs = performance.now() + waitMs;
    while (processes.length > 0 && performance.now() < deadlineMs) {
      await sleep(50);
      processes = await databaseProcesses(clusterDir);
    }
    if (processes.length === 0) return [...seen];
  }
  throw new Error(`The database processes ${[...seen].join(', ')} do not end.`);
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // ESRCH means that the process has already ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
