/** Starts and stops one postmaster: the main process of the embedded database. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { HOST } from './cluster.ts';
import { readIfThere } from './data-dir-lock.ts';
import type { Logger } from './logger.ts';
import { type PostgresPrograms, type RunningProgram, startProgram } from './postgres-program.ts';

/** Crash recovery usually takes under a second, but a slow disk may take minutes. */
const READY_TIMEOUT_MS = 120_000;
/** A fast shutdown writes a checkpoint. After this time we kill the database, and the next start recovers. */
const STOP_TIMEOUT_MS = 30_000;

/** A running postmaster, and its port on 127.0.0.1. */
export type Postmaster = RunningProgram & { port: number };
export type PostmasterPlan = {
  clusterDir: string;
  programs: PostgresPrograms;
  log: Logger;
  port: number;
};

/** Another process uses the port. */
export class PortTakenError extends Error {}

const SETTINGS = {
  listen_addresses: HOST,
  // A socket file would lie outside the data directory and could block the next start.
  unix_socket_directories: '',
  // PostgreSQL's output is copied to our log, so it must contain no statements or values.
  lc_messages: 'C',
  log_line_prefix: '',
  log_destination: 'stderr',
  logging_collector: 'off',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
};

/** Starts the postmaster and waits until it accepts connections. Earlier processes must have ended. */
export async function startPostmaster(plan: PostmasterPlan): Promise<Postmaster> {
  const { clusterDir, programs, log, port } = plan;
  // With a stale file PostgreSQL would refuse to start if another program had the same process id.
  await rm(path.join(clusterDir, 'postmaster.pid'), { force: true });
  let fatal: string | undefined;
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { child, ended } = startProgram(
    programs.postgres,
    ['-D', clusterDir, '-p', String(port), ...settings],
    programs.identity,
    (line) => {
      const [, level, message = line] = /^([A-Z]+):\s+(.*)$/.exec(line) ?? [];
      const isFatal = level === 'FATAL' || level === 'PANIC';
      if (isFatal) fatal = message;
      // PostgreSQL sends these messages to every client while it starts or stops.
      const isUsual = /^(the database system is|terminating connection due to admin)/.test(message);
      log[isFatal && !isUsual ? 'warn' : 'debug'](`Database: ${message}`);
    },
  );
  const deadlineMs = performance.now() + READY_TIMEOUT_MS;
  for (;;) {
    if ((await readyPort(clusterDir, child.pid)) === port) return { child, ended, port };
    const end = await Promise.race([ended, sleep(10)]);
    if (end) {
      const reason = end.error?.message ?? fatal ?? `it ended with ${end.signal ?? end.code}`;
      const message = `The embedded database in ${clusterDir} did not start: ${reason}`;
      const isTaken = /create any TCP\/IP sockets|could not bind|Address already in use/;
      throw isTaken.test(reason) ? new PortTakenError(message) : new Error(message);
    }
    if (performance.now() > deadlineMs) {
      await stopPostmaster({ child }, clusterDir);
      throw new Error(
        `The embedded database in ${clusterDir} was not ready after ${READY_TIMEOUT_MS / 1000} s.`,
      );
    }
  }
}

/**
 * Returns the port in `postmaster.pid` if the database is ready.
 *
 * @param pid only the file of this process counts. Default: any process
 */
export async function readyPort(clusterDir: string, pid?: number): Promise<number | undefined> {
  const text = await readIfThere(path.join(clusterDir, 'postmaster.pid')).catch(() => undefined);
  const lines = text?.split('\n') ?? [];
  if (lines[7]?.trim() !== 'ready') return undefined;
  if (pid !== undefined && Number(lines[0]) !== pid) return undefined;
  return Number(lines[3]) || undefined;
}

export function isRunning({ child }: Pick<Postmaster, 'child'>): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/** Shuts down fast, and harder after `STOP_TIMEOUT_MS`. Also ends children of a postmaster that died. */
export async function stopPostmaster(
  postmaster: Pick<Postmaster, 'child'>,
  clusterDir: string,
): Promise<void> {
  const { child } = postmaster;
  if (child.pid !== undefined && isRunning(postmaster)) {
    const exited = once(child, 'exit');
    sendSignal(child.pid, 'SIGINT');
    await Promise.race([exited, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
  }
  await endDatabaseProcesses(clusterDir);
}

export type DatabaseProcess = { pid: number; isPostmaster: boolean };

/**
 * Returns the running processes of a cluster (on macOS only the postmaster). Searches by the cluster's directory,
 * because the process id in a stale file may belong to another program.
 */
export async function databaseProcesses(clusterDir: string): Promise<DatabaseProcess[]> {
  const there = await stat(clusterDir).catch(() => undefined);
  if (there === undefined) return [];
  if (process.platform !== 'linux') return postmastersOf(clusterDir);
  // Small images have no `ps`.
  const processes = (await readdir('/proc')).map(async (pid): Promise<DatabaseProcess[]> => {
    try {
      const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ');
      const [, kind] = /(?:^|\/)postgres(: | -D )/.exec(command) ?? [];
      if (kind === undefined) return [];
      const { dev, ino } = await stat(`/proc/${pid}/cwd`);
      const isOurs = dev === there.dev && ino === there.ino;
      return isOurs ? [{ pid: Number(pid), isPostmaster: kind !== ': ' }] : [];
    } catch {
      // The process has ended, or we lack the permission to inspect it.
      return [];
    }
  });
  return (await Promise.all(processes)).flat();
}

async function postmastersOf(clusterDir: string): Promise<DatabaseProcess[]> {
  const starts = [clusterDir, await realpath(clusterDir)].map((dir) => `/postgres -D ${dir} `);
  const maxBuffer = 16 * 1024 * 1024;
  const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,command='], { maxBuffer });
  return stdout
    .split('\n')
    .filter((line) => starts.some((start) => line.includes(start)))
    .map((line) => ({ pid: Number.parseInt(line, 10), isPostmaster: true }));
}

/** The signals that end a cluster, and the milliseconds to wait after each signal. */
const STAGES: readonly (readonly [NodeJS.Signals, number])[] = [
  ['SIGINT', 5_000],
  ['SIGQUIT', 3_000],
  // SIGKILL loses no commit, because the next start runs crash recovery.
  ['SIGKILL', 60_000],
];

/**
 * Ends every process of a cluster: first by a fast shutdown (SIGINT), then by harder signals. Children without a
 * postmaster end by themselves or are killed.
 *
 * @returns the ids of the processes that it ended
 * @throws if a process cannot be ended
 */
export async function endDatabaseProcesses(clusterDir: string): Promise<number[]> {
  const seen = new Set<number>();
  for (const [signal, waitMs] of STAGES) {
    // The wait begins after the signal, because this process or the machine may have been frozen
    // before.
    let deadlineMs: number | undefined;
    for (;;) {
      const processes = await databaseProcesses(clusterDir);
      if (processes.length === 0) return [...seen];
      if (deadlineMs === undefined) {
        for (const { pid, isPostmaster } of processes) {
          seen.add(pid);
          if (isPostmaster || signal === 'SIGKILL') sendSignal(pid, signal);
        }
        deadlineMs = performance.now() + waitMs;
      } else if (performance.now() >= deadlineMs) break;
      await sleep(10);
    }
  }
  throw new Error(`The database processes ${[...seen].join(', ')} of an earlier run do not end.`);
}

/** Sends a signal. Ignores a process that has already ended. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
