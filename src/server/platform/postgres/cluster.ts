/** Creates the cluster, which is the embedded database's directory, and two database roles. */
import { createHmac, randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { readSecretFile, writeSecretFile } from '../secret-file.ts';
import type { Logger } from './logger.ts';
import { type PostgresPrograms, startProgram } from './postgres-program.ts';

/** The embedded database listens only on this IP address. */
export const HOST = '127.0.0.1';
const SUPERUSER = 'postgres';
const DATABASE = 'postgres';
const APPLICATION = 'application';
const INIT_PREFIX = '.postgres-init-';

type ClusterPlace = {
  dataDir: string;
  clusterDir: string;
  programs: PostgresPrograms;
  log: Logger;
};

/** Creates the cluster if it does not exist. Returns the superuser's password. */
export async function ensureCluster(place: ClusterPlace): Promise<string> {
  const { dataDir, clusterDir, programs } = place;
  // Removes files of a start that was killed. The lock ensures that no other server uses the files.
  for (const entry of await fs.readdir(dataDir)) {
    if (!entry.startsWith(INIT_PREFIX)) continue;
    // Retries, because an `initdb` process of that start may still be writing files.
    await fs.rm(path.join(dataDir, entry), { recursive: true, force: true, maxRetries: 10 });
  }
  const password = await readPassword(dataDir);
  const version = await readSecretFile(path.join(clusterDir, 'PG_VERSION'));
  if (version === undefined) {
    // An empty cluster directory is allowed, because the directory may be a container's volume.
    await fs.rmdir(clusterDir).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return;
      if (error.code !== 'ENOTEMPTY') throw error;
      throw new Error(
        `${clusterDir} is not a complete database: move it away to begin with an empty one, or restore it.`,
      );
    });
    return initialise(place, password ?? randomBytes(24).toString('hex'));
  }
  if (Number(version) !== programs.version) {
    throw new Error(
      `${clusterDir} was created by PostgreSQL ${version}, but this is version ${programs.version}: export it with the old version and import it, or set DATA_DIR to another directory.`,
    );
  }
  if (password === undefined) {
    throw new Error(
      `${passwordFile(dataDir)} is missing: without it the database in ${clusterDir} cannot be opened.`,
    );
  }
  // Makes the file private, because a copy or restore may have made it readable for others.
  await fs.chmod(passwordFile(dataDir), 0o600);
  return password;
}

/** Creates the cluster in a temporary directory, and renames the directory when it is complete. */
async function initialise(place: ClusterPlace, password: string): Promise<string> {
  const { dataDir, clusterDir, log } = place;
  const { identity, version, initdb } = place.programs;
  const startedAtMs = performance.now();
  const temporary = await fs.mkdtemp(path.join(dataDir, INIT_PREFIX));
  const givenPassword = path.join(temporary, 'password');
  await fs.writeFile(givenPassword, `${password}\n`, { mode: 0o600 });
  if (identity !== undefined) {
    for (const each of [temporary, givenPassword]) await fs.chown(each, identity.uid, identity.gid);
  }
  // The builtin locale sorts texts in the same order on every machine.
  const locale =
    version < 17
      ? ['--locale=C.UTF-8']
      : ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const args = [
    `--pgdata=${path.join(temporary, 'cluster')}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${givenPassword}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    ...locale,
    '--data-checksums',
    '--no-instructions',
  ];
  let lastLine = '';
  const { ended } = startProgram(initdb, args, identity, (line) => {
    lastLine = line.trim() || lastLine;
  });
  const { code, signal, error } = await ended;
  if (code !== 0) {
    await fs.rm(temporary, { recursive: true, force: true });
    const reason = error?.message ?? (lastLine || `it ended with ${signal ?? code}`);
    throw new Error(`The embedded database could not be initialised in ${dataDir}: ${reason}`);
  }
  await writeSecretFile(passwordFile(dataDir), password);
  await fs.rename(path.join(temporary, 'cluster'), clusterDir);
  const dir = await fs.open(dataDir, 'r');
  await dir.sync().finally(() => dir.close());
  await fs.rm(temporary, { recursive: true, force: true });
  const initialisedInMs = Math.round(performance.now() - startedAtMs);
  log.info({ initialisedInMs }, 'Created a new database');
  return password;
}

const passwordFile = (dataDir: string) => path.join(dataDir, 'postgres-password');

/** Returns the superuser's password; undefined before the first start of the database. */
export const readPassword = (dataDir: string) => readSecretFile(passwordFile(dataDir));

const addressFor = (role: string, password: string, port: number | string) =>
  `postgres://${role}:${password}@${HOST}:${port}/${DATABASE}`;

/** Returns the application's connection string. */
export function applicationAddress(superuserPassword: string, port: number | string): string {
  return addressFor(APPLICATION, applicationPassword(superuserPassword), port);
}

function applicationPassword(superuserPassword: string): string {
  return createHmac('sha256', superuserPassword).update(APPLICATION).digest('hex');
}

/** Creates or repairs the role that the application uses. */
export async function ensureApplicationRole(superuserPassword: string, port: number) {
  const config = {
    connectionString: addressFor(SUPERUSER, superuserPassword, port),
    // With this search path, the superuser calls no functions that the application's role created.
    options: '-c search_path=pg_catalog -c log_statement=none -c log_min_duration_statement=-1',
  };
  await withClient(config, (client) =>
    client.query(`
      do $$ begin
        if not exists (select 1 from pg_roles where rolname = '${APPLICATION}') then
          create role ${APPLICATION};
        end if;
      end $$;
      alter role ${APPLICATION} login nosuperuser nocreatedb nocreaterole noreplication
        nobypassrls password '${applicationPassword(superuserPassword)}';
      alter database ${DATABASE} owner to ${APPLICATION}`),
  );
}

/** Runs `use` with a new connection, and then closes the connection. */
export async function withClient<Result>(
  config: pg.ClientConfig,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionTimeoutMillis: 5_000, ...config });
  client.on('error', () => undefined); // The query rejects with the same error.
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
