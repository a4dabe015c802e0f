/** Opens the database for operators' commands, and reads the settings. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import { countedUntil, type LeadListContext, leadListOf } from '../server/insight/index.ts';
import { type AuditRecord, addAuditEntry } from '../server/people/index.ts';
import {
  type Database,
  openDatabase,
  portionTimeouts,
} from '../server/platform/database/database.ts';
import { migrate } from '../server/platform/database/migrate.ts';
import { openPersonKeys, PersonKeyError } from '../server/platform/database/person-keys.ts';
import { unusableText } from '../server/platform/database/wait-for-database.ts';
import { OperatorError, refused, usage } from '../server/platform/operator-error.ts';
import {
  findRunningEmbeddedPostgres,
  type RunningPostgres,
  startEmbeddedPostgres,
} from '../server/platform/postgres/embedded-postgres.ts';
import { timeFormatter } from '../server/platform/time-format.ts';
import type { People } from '../server/privacy/index.ts';
import { operatorsEnvironment } from '../server/settings/environment.ts';
import { parseSettings, type Settings, SettingsError } from '../server/settings/settings.ts';
import { watchSignals } from './run.ts';
import { operatorName } from './terminal.ts';

/** The open database, with other values and functions that commands need. */
export type OperatorDatabase = Database & {
  settings: Settings;
  /** Adds an entry with the system user's name to the audit log. */
  audit(entry: Omit<AuditRecord, 'actor'>): Promise<void>;
  /** The context for lists and exports of leads. */
  leadList: LeadListContext;
  /** Returns the person keys. @throws OperatorError if PERSON_KEY_SECRET is missing */
  people(): Promise<People>;
};

const log = pino({ level: 'silent' });

/** Runs a command with an open database. */
export async function connected(
  use: (database: OperatorDatabase) => Promise<void>,
  isReading = false,
): Promise<void> {
  let embedded: RunningPostgres | undefined;
  const unwatch = watchSignals(async () => embedded?.stop());
  try {
    const settings = readSettings();
    const { databaseUrl, dataDir } = settings;
    const copyUrl = isReading ? settings.operatorsDatabaseUrl : undefined;
    const openMain = async () => {
      if (databaseUrl !== undefined) return open(databaseUrl, 'DATABASE_URL');
      const running = await findRunningEmbeddedPostgres(dataDir);
      if (running !== undefined) return open(running.connectionString, 'DATA_DIR');
      if (!existsSync(path.join(dataDir, 'postgres', 'PG_VERSION'))) {
        throw refused(
          `There is no database in ${dataDir}: start the server once, or set DATA_DIR or DATABASE_URL.`,
        );
      }
      embedded = await startEmbeddedPostgres({ dataDir, log });
      await migrate({ connectionString: embedded.connectionString, log });
      return open(embedded.connectionString, 'DATA_DIR');
    };
    const database = copyUrl ? await open(copyUrl, 'OPERATORS_DATABASE_URL') : await openMain();
    const { pool } = database;
    const audit = async ({ detail, ...entry }: Omit<AuditRecord, 'actor'>) => {
      const record = { ...entry, actor: operatorName(), detail: { ...detail, by: 'command line' } };
      if (!copyUrl) return addAuditEntry(pool, record);
      // Writes audit entries to the main database, because OPERATORS_DATABASE_URL may be read-only.
      const writable = await openMain();
      await addAuditEntry(writable.pool, record).finally(() => writable.close());
    };
    const leadList = leadListOf(pool, settings, () => {
      throw usage('Use the console to search for a person.');
    });
    const people = async () => {
      const personKey = await openPersonKeys(pool, settings).catch((error: unknown) => {
        throw error instanceof PersonKeyError ? usage(error.message) : error;
      });
      return { pool, personKey, settings };
    };
    await use({ ...database, settings, audit, leadList, people }).finally(() => database.close());
  } finally {
    await embedded?.stop();
    unwatch();
  }
}

/** Opens the database that a setting names. */
async function open(connectionString: string, setting: string): Promise<Database> {
  const database = openDatabase({
    connectionString,
    log,
    poolMax: 2,
    applicationName: 'funnel-leads',
    timeouts: portionTimeouts,
  });
  try {
    const { rows } = await database.pool.query<{ found: boolean }>(
      `select to_regclass('person_keys') is not null as found`,
    );
    if (rows[0]?.found) return database;
    throw refused('The database has not been migrated to this version: start the server once.');
  } catch (error) {
    await database.close();
    throw error instanceof OperatorError ? error : refused(unusableText(error, setting));
  }
}

/** Runs a command that only reads, with the database of OPERATORS_DATABASE_URL if it is set. */
export function connectedToRead(use: (database: OperatorDatabase) => Promise<void>): Promise<void> {
  return connected(use, true);
}

/** Lists show a warning if the server has not counted leads for this time. */
const COUNTED_WITHIN_MS = 5 * 60_000;

/** Warns that lists lack the newest leads if the server has not counted these leads. */
export async function warnOfUncounted({ leadList }: OperatorDatabase): Promise<void> {
  const until = await countedUntil(leadList.pool);
  if (until !== null && Date.now() - until.getTime() < COUNTED_WITHIN_MS) return;
  const what =
    until === null ? 'Leads' : `Leads after ${timeFormatter(leadList.timeZone)(until).full}`;
  console.error(`${what} are missing here: the server has not counted them yet.`);
}

/** Reads the settings of the server or of a demo. @throws OperatorError if one is invalid */
export function readSettings(): Settings {
  try {
    return parseSettings(operatorsEnvironment());
  } catch (error) {
    throw error instanceof SettingsError ? usage(error.message) : error;
  }
}
