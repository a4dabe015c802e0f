/**
 * Finds and ends the database processes of a cluster. Identifies them by their directory, since a stale process
 * id may belong to another program now.
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

type Row = { readonly pid: number; readonly parent: number; readonly command: string };

/** Returns the running database processes of a cluster, without zombies. Does not trust pid files. */
export async function databaseProcesses(clusterDir: string): Promise<DatabaseProcess[]> {
  const dir = await realpath(clusterDir).catch(() => undefined);
  if (dir === undefined) return [];
  const rows = process.platform === 'linux' ? await procRows(dir) : await psRows();
  const isOwner = ({ command }: Row) =>
    [dir, clusterDir].some((each) =>
      [`/postgres -D ${each} `, `/initdb --pgdata=${each} `].some((start) =>
        command.includes(start),
      ),
    );
  const owners = new Set(rows.filter(isOwner).map(({ pid }) => pid));
  return (
    rows
      .filter(({ pid, parent, command }) => {
        const isOrphan = process.platform === 'linux' && command.startsWith('postgres: ');
        return owners.has(pid) || owners.has(parent) || isOrphan;
      })
      // A newly forked child still has the postmaster's command line.
      .map(({ pid, parent }) => ({ pid, isPostmaster: owners.has(pid) && !owners.has(parent) }))
  );
}

/** Reads the processes in a directory, and every `initdb`, from `/proc` (Linux): small images have no `ps`. */
async function procRows(dir: string): Promise<Row[]> {
  const entries = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry));
  const rows = entries.map(async (pid): Promise<Row[]> => {
    try {
      const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ');
      if (!command.includes('/initdb ') && (await readlink(`/proc/${pid}/cwd`)) !== dir) return [];
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      return [{ pid: Number(pid), parent, command }];
    } catch {
      // The process has ended, or we may not inspect it.
      return [];
    }
  });
  return (await Promise.all(rows)).flat();
}

/** Reads all processes from `ps` (macOS). */
async function psRows(): Promise<Row[]> {
  const { stdout } = await run('ps', ['-axo', 'pid=,ppid=,stat=,command='], {
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, state, command = ''] =
      /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    const isThere = state !== undefined && !state.startsWith('Z');
    return isThere ? [{ pid: Number(pid), parent: Number(parent), command }] : [];
  });
}

/** The signals that end a cluster, and how many milliseconds each gets from when it was sent. */
const STAGES: readonly (readonly [NodeJS.Signals, number])[] = [
  ['SIGINT', 5_000],
  ['SIGQUIT', 3_000],
  // Loses no commit: the next start runs crash recovery.
  ['SIGKILL', 60_000],
];

/**
 * Ends every database process of a cluster: first with a fast shutdown (SIGINT), then harder. Children without a
 * postmaster end by themselves, or are killed.
 *
 * @returns the process ids that were found.
 * @throws when a process cannot be ended.
 */
export async function endDatabaseProcesses(clusterDir: string): Promise<number[]> {
  const seen = new Set<number>();
  for (const [signal, waitMs] of STAGES) {
    // Counted from the signal: this process, or the whole machine, may have been frozen before.
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
