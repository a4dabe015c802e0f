/** Starts and stops one postmaster: the main process of the embedded database. */
import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOST } from './application-role.ts';
import type { Logger } from './logger.ts';
import { type PostgresPrograms, spawnPostgres } from './postgres-program.ts';
import { endDatabaseProcesses, sendSignal } from './process-table.ts';

/** Generous: crash recovery usually takes under a second, but disks can be slow. */
const READY_TIMEOUT_MS = 120_000;
/** A fast shutdown writes a checkpoint. After this time it is cut short, and the next start recovers. */
const STOP_TIMEOUT_MS = 30_000;
/** Below the system's ephemeral ports, so that no outgoing connection takes ours. */
const PORT_RANGE = { from: 20_000, to: 32_000 } as const;
const MOST_PORTS = 20;

/** Thrown when the embedded database cannot start. The message is one sentence for the terminal. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/** A running postmaster, and its port on 127.0.0.1. */
export type Postmaster = { child: ChildProcess; port: number };
export type PostmasterPlan = {
  clusterDir: string;
  programs: PostgresPrograms;
  log: Logger;
  port: number;
};

/** Thrown when another process has the port. */
class PortTakenError extends EmbeddedPostgresError {}

/** Starts the postmaster on the remembered port if it is free, else on any free port. */
export async function startOnFreePort(
  plan: Omit<PostmasterPlan, 'port'> & { remembered: number | null },
): Promise<Postmaster> {
  const { remembered, ...rest } = plan;
  for (let attempt = 1; ; attempt += 1) {
    const any = randomInt(PORT_RANGE.from, PORT_RANGE.to);
    const port = attempt === 1 ? (remembered ?? any) : any;
    try {
      return await startPostmaster({ ...rest, port });
    } catch (error) {
      if (!(error instanceof PortTakenError) || attempt === MOST_PORTS) throw error;
    }
  }
}

const SETTINGS = {
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
};

/** Starts the postmaster and waits until it accepts connections. The caller must have cleaned up. */
export async function startPostmaster(plan: PostmasterPlan): Promise<Postmaster> {
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
      ...Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
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
      await stopPostmaster(child, clusterDir);
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

/**
 * Returns the port from `postmaster.pid` if the database is ready.
 *
 * @param pid ignores the file if it belongs to another process.
 */
export async function readyPort(clusterDir: string, pid?: number): Promise<number | undefined> {
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
  for (const input of [child.stdout, child.stderr]) {
    if (input === null) continue;
    createInterface({ input }).on('line', (line) => {
      const [, level, message = line] = /^([A-Z]+):\s+(.*)$/.exec(line) ?? [];
      const isFatal = level === 'FATAL' || level === 'PANIC';
      if (isFatal) fatal.line = message;
      // Normal while the database starts or stops: PostgreSQL sends it to every client.
      const isNormal = /^(the database system is|terminating connection due to admin)/.test(
        message,
      );
      log[isFatal && !isNormal ? 'warn' : 'debug'](`Database: ${message}`);
    });
  }
}

/** How a process ended. */
type End = { code: number | null; signal: NodeJS.Signals | null; error?: Error };

/** Resolves when a process has ended and its output has been read. */
export function ended(child: ChildProcess): Promise<End> {
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

export function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/** Shuts down fast, and harder after `STOP_TIMEOUT_MS`. Ends the children that a dead postmaster left, too. */
export async function stopPostmaster(child: ChildProcess, clusterDir: string): Promise<void> {
  if (child.pid !== undefined && isRunning(child)) {
    const exited = once(child, 'exit');
    sendSignal(child.pid, 'SIGINT');
    await Promise.race([exited, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
  }
  await endDatabaseProcesses(clusterDir);
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
