/**
 * A real PostgreSQL for tests: one embedded cluster a test file (or the server of
 * `TEST_DATABASE_URL`), and in it a database of its own for every caller.
 *
 * ```ts
 * const database = await withDatabase();
 * // database.connectionString, database.pool, database.db
 * await database.drop();
 * ```
 *
 * The cluster is initialised once a machine and copied from a cache below the system's directory for
 * temporary files. In Vitest it is stopped after the file's last test; elsewhere (a bench) call
 * `stopTestPostgres()`.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Kysely } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { openDatabase } from '../../src/server/storage/database.ts';
import {
  type RunningPostgres,
  startEmbeddedPostgres,
} from '../../src/server/storage/embedded-postgres.ts';
import type { Logger } from '../../src/server/storage/logger.ts';
import { migrate } from '../../src/server/storage/migrate.ts';
import type { Schema } from '../../src/server/storage/schema.ts';

const run = promisify(execFile);

/** Says only what goes wrong; `TEST_LOG_LEVEL=debug` shows more. */
export const testLog: Logger = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' });

export type TestDatabase = {
  connectionString: string;
  pool: pg.Pool;
  db: Kysely<Schema>;
  /** Closes the pool and removes the database; kept when `KEEP_TEST_DATABASES` is set. */
  drop(): Promise<void>;
};

type Cluster = {
  /** To the maintenance database. */
  connectionString: string;
  /** A migrated database, copied for every caller. */
  template: Promise<string>;
  stop(): Promise<void>;
};

// Before its first use below: an import of this file may register the hook at once.
let cluster: Promise<Cluster> | undefined;

if (process.env.VITEST) {
  const { afterAll } = await import('vitest');
  afterAll(stopTestPostgres);
}

/** The connection string of the test cluster's maintenance database; starts it when needed. */
export async function testClusterUrl(): Promise<string> {
  cluster ??= startCluster();
  return (await cluster).connectionString;
}

/**
 * A new, empty database.
 *
 * @param options.migrated false for one without our tables.
 * @param options.poolMax most connections of its pool.
 */
export async function withDatabase(
  options: { migrated?: boolean; poolMax?: number } = {},
): Promise<TestDatabase> {
  const { migrated = true, poolMax = 10 } = options;
  cluster ??= startCluster();
  const { connectionString: adminUrl, template } = await cluster;
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(
    adminUrl,
    `create database ${name}${migrated ? ` template ${await template}` : ''}`,
  );
  const connectionString = databaseUrl(adminUrl, name);
  const { pool, db, close } = openDatabase({ connectionString, poolMax, log: testLog });
  return {
    connectionString,
    pool,
    db,
    async drop() {
      await close();
      if (process.env.KEEP_TEST_DATABASES) return;
      await administer(adminUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

/** Stops the cluster of this process and removes its directory. */
export async function stopTestPostgres(): Promise<void> {
  const running = await cluster;
  cluster = undefined;
  await running?.stop();
}

/**
 * A data directory with an initialised, stopped cluster in it, copied from the cache: for tests that
 * start the embedded database themselves and do not test its initialisation.
 */
export async function preparedDataDir(prefix = 'funnel-test-'): Promise<string> {
  const dataDir = await mkdtemp(path.join(tmpdir(), prefix));
  await copyTemplate(dataDir);
  return dataDir;
}

async function startCluster(): Promise<Cluster> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) {
    return {
      connectionString: given,
      template: migratedTemplate(given),
      stop: async () => undefined,
    };
  }
  const dataDir = await preparedDataDir();
  const postgres: RunningPostgres = await startEmbeddedPostgres({ dataDir, log: testLog });
  const { connectionString } = postgres;
  return {
    connectionString,
    template: migratedTemplate(connectionString),
    async stop() {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function migratedTemplate(adminUrl: string): Promise<string> {
  const name = `template_${randomBytes(6).toString('hex')}`;
  await administer(adminUrl, `create database ${name}`);
  await migrate({ connectionString: databaseUrl(adminUrl, name), log: testLog });
  return name;
}

async function administer(adminUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** The same server, another database. */
export function databaseUrl(url: string, name: string): string {
  const result = new URL(url);
  result.pathname = `/${name}`;
  return result.href;
}

/** Copies the cached cluster, owners and modes kept; makes the cache when it is not there. */
async function copyTemplate(dataDir: string): Promise<void> {
  const require = createRequire(import.meta.url);
  const root = path.dirname(path.dirname(require.resolve('embedded-postgres')));
  const { version } = require(path.join(root, 'package.json')) as { version: string };
  const cache = path.join(tmpdir(), `funnel-test-cluster-${version}-${process.getuid?.() ?? 0}`);
  const exists = await stat(cache).catch(() => undefined);
  if (exists === undefined) {
    const making = await mkdtemp(path.join(tmpdir(), 'funnel-test-making-'));
    const postgres = await startEmbeddedPostgres({ dataDir: making, log: testLog });
    await postgres.stop();
    await rename(making, cache).catch(async () => {
      // Another test process was quicker.
      await rm(making, { recursive: true, force: true });
    });
  }
  await mkdir(dataDir, { recursive: true });
  for (const entry of ['postgres', 'postgres-password']) {
    const from = path.join(cache, entry);
    const to = path.join(dataDir, entry);
    // fs.cp does not keep owners, and as root the cluster belongs to another user.
    if (process.getuid?.() === 0) await run('cp', ['-a', from, to]);
    else await cp(from, to, { recursive: true, preserveTimestamps: true });
  }
}
