/** A real PostgreSQL for tests: one cluster for the whole run, and one database for each caller. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rename, rm, stat, statfs } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Logger, pino } from 'pino';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import {
  type DatabaseTimeouts,
  openDatabase,
} from '../../src/server/platform/database/database.ts';
import { migrate } from '../../src/server/platform/database/migrate.ts';
import { withClient } from '../../src/server/platform/postgres/cluster.ts';
import { startEmbeddedPostgres } from '../../src/server/platform/postgres/embedded-postgres.ts';

const run = promisify(execFile);

/** Logs nothing by default. `TEST_LOG_LEVEL=debug` turns the log on. */
export const testLog: Logger = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' });

/** Long time-outs, so that tests do not fail on a busy machine. */
export const patientTimeouts: DatabaseTimeouts = {
  connection: 60_000,
  statement: 120_000,
  query: 120_000,
};

export type TestDatabase = {
  connectionString: string;
  pool: pg.Pool;
  drop(): Promise<void>;
};

/** Settings that turn off safe writing, because no test needs the cluster after a crash. */
const FAST = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '1GB',
  checkpoint_timeout: '1h',
  autovacuum_naptime: '1h',
  jit: 'off',
};

type Cluster = {
  /** The URL of the maintenance database for a role that may create databases. */
  readonly adminUrl: string;
  /** The URL of the maintenance database for the application's role. */
  readonly connectionString: string;
  /** The name of a migrated database that is copied for every caller. */
  readonly template: string;
};

declare module 'vitest' {
  interface ProvidedContext {
    testCluster: Cluster;
  }
}

/** Starts the run's cluster, and returns a function that stops the cluster. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { urls, stop } = await startCluster();
  const template = await migratedTemplate(urls);
  project.provide('testCluster', { ...urls, template });
  return async () => {
    await administer(urls.adminUrl, `drop database ${template}`);
    await stop();
  };
}

/** Creates a database with tables. */
export async function withDatabase(
  options: { migrated?: boolean; poolMax?: number } = {},
): Promise<TestDatabase> {
  const { migrated = true, poolMax = 10 } = options;
  const cluster = inject('testCluster');
  const { adminUrl } = cluster;
  const name = `test_${randomBytes(6).toString('hex')}`;
  await createDatabase(cluster, name, migrated ? cluster.template : undefined);
  const connectionString = databaseUrl(cluster.connectionString, name);
  const { pool, close } = openDatabase({
    connectionString,
    poolMax,
    log: testLog,
    timeouts: patientTimeouts,
  });
  return {
    connectionString,
    pool,
    async drop() {
      await close();
      // If a connection does not close in time, stopping the cluster deletes the database later.
      await administer(adminUrl, `drop database if exists ${name}`).catch(() => undefined);
    },
  };
}

/** Returns a data directory with a stopped cluster. */
export async function preparedDataDir(prefix = 'funnel-test-', within = tmpdir()): Promise<string> {
  const dataDir = await mkdtemp(path.join(within, prefix));
  await copyTemplate(dataDir);
  return dataDir;
}

async function startCluster(): Promise<{ urls: Urls; stop(): Promise<void> }> {
  const dataDir = await preparedDataDir('funnel-test-', await roomyMemoryDir());
  const postgres = await startEmbeddedPostgres({ dataDir, log: testLog, settings: FAST });
  const { connectionString } = postgres;
  const adminUrl = await superuserUrl(dataDir, connectionString);
  return {
    urls: { adminUrl, connectionString },
    async stop() {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Returns a directory in memory, which is ten times as fast, if the memory has enough space. */
async function roomyMemoryDir(): Promise<string> {
  const dir = '/dev/shm';
  const space = await statfs(dir).catch(() => undefined);
  return space && space.bavail * space.bsize >= 4 * 1024 ** 3 ? dir : tmpdir();
}

type Urls = Pick<Cluster, 'adminUrl' | 'connectionString'>;

async function migratedTemplate(urls: Urls): Promise<string> {
  const name = `template_${randomBytes(6).toString('hex')}`;
  await createDatabase(urls, name);
  await migrate({ connectionString: databaseUrl(urls.connectionString, name), log: testLog });
  return name;
}

async function createDatabase(urls: Urls, name: string, template?: string): Promise<void> {
  const owner = decodeURIComponent(new URL(urls.connectionString).username);
  const from = template === undefined ? '' : ` template ${template} strategy file_copy`;
  await administer(urls.adminUrl, `create database ${name} owner "${owner}"${from}`);
}

/** Returns the URL of a database for the superuser, which the application never uses. */
export async function superuserUrl(dataDir: string, connectionString: string): Promise<string> {
  const url = new URL(connectionString);
  url.username = 'postgres';
  url.password = (await readFile(path.join(dataDir, 'postgres-password'), 'utf8')).trim();
  return url.href;
}

/** Runs a statement on a new connection. */
export async function query<Row extends pg.QueryResultRow = Record<string, unknown>>(
  connectionString: string,
  text: string,
): Promise<Row[]> {
  const timeouts = { connectionTimeoutMillis: 60_000, query_timeout: 60_000 };
  const client = new pg.Client({ connectionString, ...timeouts });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(text)).rows;
  } finally {
    // Does not wait until the connection has ended, because a hanging database never ends it.
    void client.end().catch(() => undefined);
  }
}

/** Runs a statement on a cluster, and waits until the connection has closed. */
async function administer(connectionString: string, statement: string): Promise<void> {
  const config = { connectionString, connectionTimeoutMillis: 60_000 };
  await withClient(config, (client) => client.query(statement));
}

function databaseUrl(url: string, name: string): string {
  const result = new URL(url);
  result.pathname = `/${name}`;
  return result.href;
}

/** Copies the cached cluster. Creates the cache if it is missing. */
async function copyTemplate(dataDir: string): Promise<void> {
  const require = createRequire(import.meta.url);
  const root = path.dirname(path.dirname(require.resolve('embedded-postgres')));
  const { version } = require(path.join(root, 'package.json')) as { version: string };
  const programs = (process.env.POSTGRES_BIN ?? version).replaceAll('/', '-');
  const cache = path.join(tmpdir(), `funnel-test-cluster-${programs}-${process.getuid?.() ?? 0}`);
  const exists = await stat(cache).catch(() => undefined);
  if (exists === undefined) {
    const making = await mkdtemp(path.join(tmpdir(), 'funnel-test-making-'));
    const postgres = await startEmbeddedPostgres({ dataDir: making, log: testLog });
    await postgres.stop();
    await rename(making, cache).catch(async () => {
      // Deletes this copy, because another process may have created the cache meanwhile.
      await rm(making, { recursive: true, force: true });
    });
  }
  await mkdir(dataDir, { recursive: true });
  for (const entry of ['postgres', 'postgres-password']) {
    const from = path.join(cache, entry);
    const to = path.join(dataDir, entry);
    // fs.cp does not copy owners, but PostgreSQL's files must not belong to root.
    if (process.getuid?.() === 0) await run('cp', ['-a', from, to]);
    else await cp(from, to, { recursive: true, preserveTimestamps: true });
  }
}
