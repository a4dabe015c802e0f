/** Creates the cluster: the directory with the embedded database, and its password. */
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdtemp, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SUPERUSER } from './application-role.ts';
import type { Logger } from './logger.ts';
import { type PostgresPrograms, spawnPostgres } from './postgres-program.ts';
import { EmbeddedPostgresError, ended, readIfThere } from './postmaster.ts';
import { endDatabaseProcesses } from './process-table.ts';

type ClusterPlace = {
  dataDir: string;
  clusterDir: string;
  programs: PostgresPrograms;
  log: Logger;
};

const INIT_PREFIX = '.postgres-init-';
/** Does not change with the machine's libraries. */
const BUILTIN_LOCALE = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

/**
 * Creates the cluster if it does not exist.
 *
 * @returns the superuser's password
 */
export async function ensureCluster(place: ClusterPlace): Promise<string> {
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
    if (Number(version) !== place.programs.version) {
      throw new EmbeddedPostgresError(
        `${clusterDir} was created by PostgreSQL ${version.trim()}, but this is version ${place.programs.version}: export it with the old version and import it, or set DATA_DIR to another directory.`,
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
      ...(programs.version < 17 ? ['--locale=C.UTF-8'] : BUILTIN_LOCALE),
      '--data-checksums',
      '--no-instructions',
    ],
    programs.identity,
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
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

/** Returns the superuser's password, or undefined before the first start. */
export async function readPassword(dataDir: string): Promise<string | undefined> {
  const password = (await readIfThere(path.join(dataDir, 'postgres-password')))?.trim();
  return password === '' ? undefined : password;
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
