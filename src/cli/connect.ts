/** How the operators' command reaches the database. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { pino } from 'pino';
import { parseSettings } from '../server/config/settings.ts';
import { SettingsError } from '../server/config/settings-error.ts';
import { type Database, openDatabase } from '../server/storage/database.ts';
import { isConnectionError } from '../server/storage/database-error.ts';
import {
  findRunningEmbeddedPostgres,
  startEmbeddedPostgres,
} from '../server/storage/embedded-postgres.ts';
import type { Logger } from '../server/storage/logger.ts';
import { migrate } from '../server/storage/migrate.ts';
import { CliError, EXIT } from './cli-error.ts';

export type Connection = Database & {
  connectionString: string;
  /** The calendar in which times are shown. */
  timeZone: string;
  /** A server works on the same embedded database now; undefined: that cannot be known (DATABASE_URL). */
  serverIsRunning: boolean | undefined;
  log: Logger;
};

/** The settings that matter here: a bad PORT is no reason to refuse to show a lead. */
const OUR_SETTINGS = ['DATA_DIR', 'DATABASE_URL', 'TIME_ZONE'] as const;

/**
 * Opens the database of DATABASE_URL, or the embedded one in DATA_DIR: that of the running server, or,
 * when there is none, started here and stopped by `close()`.
 *
 * @throws CliError with one sentence when there is no database, or it cannot be reached.
 */
export async function connect(): Promise<Connection> {
  const { databaseUrl, dataDir, timeZone } = settings();
  const log = pino({ level: 'silent' });
  if (databaseUrl !== undefined) {
    return open({ connectionString: databaseUrl, timeZone, serverIsRunning: undefined, log });
  }
  const running = await findRunningEmbeddedPostgres(dataDir);
  if (running !== undefined) {
    const { connectionString } = running;
    return open({ connectionString, timeZone, serverIsRunning: true, log });
  }
  if (!existsSync(path.join(dataDir, 'postgres', 'PG_VERSION'))) {
    throw new CliError(
      `There is no database in ${dataDir}: start the server once, or set DATA_DIR or DATABASE_URL.`,
    );
  }
  const embedded = await startEmbeddedPostgres({ dataDir, log });
  const stopOnSignal = (signal: NodeJS.Signals) => {
    void embedded.stop().finally(() => process.exit(signal === 'SIGINT' ? 130 : 143));
  };
  process.once('SIGINT', stopOnSignal);
  process.once('SIGTERM', stopOnSignal);
  try {
    const { connectionString } = embedded;
    await migrate({ connectionString, log });
    const connection = await open({ connectionString, timeZone, serverIsRunning: false, log });
    return {
      ...connection,
      async close() {
        await connection.close();
        await embedded.stop();
      },
    };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}

function settings() {
  try {
    process.loadEnvFile('.env');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw new CliError(`.env cannot be read: ${(error as Error).message}`, EXIT.usage);
    }
  }
  const environment: NodeJS.ProcessEnv = {};
  for (const name of OUR_SETTINGS) {
    if (process.env[name] !== undefined) environment[name] = process.env[name];
  }
  try {
    return parseSettings(environment).settings;
  } catch (error) {
    if (error instanceof SettingsError) throw new CliError(error.message, EXIT.usage);
    throw error;
  }
}

async function open(options: {
  connectionString: string;
  timeZone: string;
  serverIsRunning: boolean | undefined;
  log: Logger;
}): Promise<Connection> {
  const { connectionString, log } = options;
  const database = openDatabase({
    connectionString,
    poolMax: 2,
    log,
    applicationName: 'funnel-leads',
  });
  try {
    const { rows } = await database.pool.query<{ found: boolean }>(
      `select to_regclass('leads') is not null as found`,
    );
    if (!rows[0]?.found) {
      throw new CliError('The database has no leads table yet: start the server once.');
    }
  } catch (error) {
    await database.close();
    if (isConnectionError(error)) throw new CliError('The database does not answer.');
    throw error;
  }
  return { ...database, ...options };
}
