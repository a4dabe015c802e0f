/**
 * Finds and ends the database processes of a cluster. Identifies them by their directory, since a stale process
 * id may belong to another program now.
 *
 * Linux: reads `/proc`. Elsewhere (macOS): `ps`, which shows the postmaster's `-D <directory>`.
 */
import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type DatabaseProcess = {
  pid: number;
  /** The postmaster or `initdb`, which owns the other processes. Without it they end by themselves. */
  isPostmaster: boolean;
};

/** Returns the running database processes of a cluster, without zombies. Does not trust pid files. */
export async function databaseProcesses(clusterDir: string): Promise<DatabaseProcess[]> {
  let dir: string;
  try {
    dir = await realpath(clusterDir);
  } catch {
    return [];
  }
  return process.platform === 'linux' ? linuxProcesses(dir) : psProcesses(dir, clusterDir);
}

async function linuxProcesses(dir: string): Promise<DatabaseProcess[]> {
  const found: DatabaseProcess[] = [];
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const [name = '', ...rest] = (await readFile(`/proc/${entry}/cmdline`, 'utf8')).split('\0');
      if (name.endsWith('/initdb') && rest.includes(`--pgdata=${dir}`)) {
        found.push({ pid: Number(entry), isPostmaster: true });
        continue;
      }
      if ((await readlink(`/proc/${entry}/cwd`)) !== dir) continue;
      // Other programs, such as a shell in the directory, must not be ended.
      if (name.startsWith('postgres: ')) {
        found.push({ pid: Number(entry), isPostmaster: false });
      } else if (/(^|\/)postgres$/.test(name)) {
        // A newly forked child still has the postmaster's command line.
        found.push({ pid: Number(entry), isPostmaster: !(await hasParentIn(entry, dir)) });
      }
    } catch {
      // The process has ended, or we may not inspect it.
    }
  }
  return found;
}

async function hasParentIn(pid: string, dir: string): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
  try {
    return (await readlink(`/proc/${parent}/cwd`)) === dir;
  } catch {
    return false;
  }
}

async function psProcesses(...dirs: string[]): Promise<DatabaseProcess[]> {
  const { stdout } = await run('ps', ['-axo', 'pid=,ppid=,stat=,command='], {
    maxBuffer: 16 * 1024 * 1024,
  });
  const rows = stdout.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line);
    if (!match || match[3]?.startsWith('Z')) return [];
    return [{ pid: Number(match[1]), parent: Number(match[2]), command: match[4] ?? '' }];
  });
  const masters = rows.filter((row) =>
    dirs.some(
      (dir) =>
        row.command.includes(`/postgres -D ${dir} `) ||
        row.command.includes(`/initdb --pgdata=${dir} `),
    ),
  );
  const pids = new Set(masters.map((row) => row.pid));
  return [
    ...masters.map((row) => ({ pid: row.pid, isPostmaster: !pids.has(row.parent) })),
    ...rows
      .filter((row) => pids.has(row.parent) && !pids.has(row.pid))
      .map((row) => ({ pid: row.pid, isPostmaster: false })),
  ];
}

/**
 * Ends every database process of a cluster: first with a fast shutdown (SIGINT), then harder. Children without
 * a postmaster end by themselves, so they get a moment first.
 *
 * @returns the process ids that were found.
 * @throws when a process cannot be ended.
 */
export async function endDatabaseProcesses(clusterDir: string): Promise<number[]> {
  const seen = new Set<number>();
  const startedAtMs = performance.now();
  let signalled: NodeJS.Signals | undefined;
  for (;;) {
    const processes = await databaseProcesses(clusterDir);
    if (processes.length === 0) return [...seen];
    for (const { pid } of processes) seen.add(pid);
    const elapsedMs = performance.now() - startedAtMs;
    if (elapsedMs > 20_000) {
      throw new Error(
        `The database processes ${processes.map(({ pid }) => pid).join(', ')} of an earlier run do not end.`,
      );
    }
    const masters = processes.filter((process_) => process_.isPostmaster);
    // SIGKILL loses no commit: the next start runs crash recovery.
    const signal: NodeJS.Signals | undefined =
      masters.length === 0
        ? elapsedMs > 1_000
          ? 'SIGKILL'
          : undefined
        : elapsedMs > 8_000
          ? 'SIGKILL'
          : elapsedMs > 5_000
            ? 'SIGQUIT'
            : 'SIGINT';
    if (signal !== undefined && (signal !== signalled || signal === 'SIGKILL')) {
      signalled = signal;
      const targets = signal === 'SIGKILL' ? processes : masters;
      for (const { pid } of targets) sendSignal(pid, signal);
    }
    await sleep(10);
  }
}

/** Sends a signal. Ignores a process that has already ended. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
