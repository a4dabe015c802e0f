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

/** The signals that end a cluster, and how many milliseconds each gets from when it was sent. */
const STAGES: readonly (readonly [NodeJS.Signals, number])[] = [
  ['SIGINT', 5_000],
  ['SIGQUIT', 3_000],
  // Loses no commit: the next start runs crash recovery.
  ['SIGKILL', 60_000],
];
/** Children without a postmaster end by themselves within this time, or are killed. */
const ORPHANS_MS = 1_000;
const ORPHANED = STAGES.length - 2;

/**
 * Ends every database process of a cluster: first with a fast shutdown (SIGINT), then harder.
 *
 * @returns the process ids that were found.
 * @throws when a process cannot be ended.
 */
export async function endDatabaseProcesses(clusterDir: string): Promise<number[]> {
  const seen = new Set<number>();
  let stage = -1;
  let stageEndsAtMs = 0;
  for (;;) {
    const processes = await databaseProcesses(clusterDir);
    if (processes.length === 0) return [...seen];
    for (const { pid } of processes) seen.add(pid);
    const masters = processes.filter((process_) => process_.isPostmaster);
    // Each stage counts from its own signal: this process, or the whole machine, may have been frozen.
    const nowMs = performance.now();
    if (masters.length === 0 && stage < ORPHANED) {
      stage = ORPHANED;
      stageEndsAtMs = nowMs + ORPHANS_MS;
    } else if (nowMs >= stageEndsAtMs) {
      stage += 1;
      const [signal, forMs] = STAGES[stage] ?? [];
      if (signal === undefined || forMs === undefined) {
        throw new Error(
          `The database processes ${processes.map(({ pid }) => pid).join(', ')} of an earlier run do not end.`,
        );
      }
      stageEndsAtMs = nowMs + forMs;
      for (const { pid } of signal === 'SIGKILL' ? processes : masters) sendSignal(pid, signal);
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
