/** Connects operators' commands to the database, and reads their settings. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import { type DestinationSetting, destinations } from '../server/delivery/destinations/index.ts';
import { countedUntil, type LeadListContext } from '../server/insight/index.ts';
import { type AuditRecord, addAuditEntry } from '../server/people/index.ts';
import {
  type Database,
  openDatabase,
  portionTimeouts,
} from '../server/platform/database/database.ts';
import { migrate } from '../server/platform/database/migrate.ts';
import { openPersonKeys, PersonKeyError } from '../server/platform/database/person-keys.ts';
import { isUnusable, unusableText } from '../server/platform/database/wait-for-database.ts';
import { OperatorError } from '../server/platform/operator-error.ts';
import {
  findRunningEmbeddedPostgres,
  type RunningPostgres,
  startEmbeddedPostgres,
} from '../server/platform/postgres/embedded-postgres.ts';
import { timeFormatter } from '../server/platform/time-format.ts';
import type { People } from '../server/privacy/index.ts';
import { operatorsEnvironment, readConsoleAddress } from '../server/settings/environment.ts';
import {
  parseSettings,
  type Settings,
  SettingsError,
  withholdsAtOptOut,
} from '../server/settings/settings.ts';
import { watchSignals } from './run.ts';
import { operatorName } from './terminal.ts';

/** The open database, with further values and functions that commands need. */
export type OperatorDatabase = Database & {
  /** The time zone of displayed times. */
  timeZone: string;
  /** True if a server runs on the same embedded database. Undefined with DATABASE_URL, where it is unknown. */
  serverIsRunning: boolean | undefined;
  /** Adds an entry to the audit log, with the system user's name. */
  audit(entry: Omit<AuditRecord, 'actor'>): Promise<void>;
  /** Aborted when the operator interrupts work that has portions. */
  signal: AbortSignal;
  /** The context for lists and exports of leads. It does not support searches for a person. */
  leadList: LeadListContext;
  /** Opens the keys of persons. @throws OperatorError if PERSON_KEY_SECRET is missing */
  people(): Promise<People>;
};

const log = pino({ level: 'silent' });

/**
 * Runs a command's work with an open database: DATABASE_URL's, or the embedded one in DATA_DIR. The embedded database
 * is started first if no server runs it.
 *
 * @param options.isReading true if the command only reads, so that it may use OPERATORS_DATABASE_URL
 * @param options.isInPortions true if the command checks `signal` after each portion; else a signal ends it at once
 * @throws OperatorError if the database cannot be reached or used
 */
export async function connected(
  use: (database: OperatorDatabase) => Promise<void>,
  { isReading = false, isInPortions = false } = {},
): Promise<void> {
  let embedded: RunningPostgres | undefined;
  let serverIsRunning: boolean | undefined;
  const { signal, unwatch } = watchSignals({ isInPortions, stop: async () => embedded?.stop() });
  try {
    const own = readSettings([
      ...['DATA_DIR', 'DATABASE_URL', 'OPERATORS_DATABASE_URL'],
      ...['PERSON_KEY_SECRET', 'OPERATORS_TIME_ZONE'],
    ]);
    const { operatorsTimeZone: timeZone, databaseUrl, operatorsDatabaseUrl, dataDir } = own;
    const copyUrl = isReading ? operatorsDatabaseUrl : undefined;
    const openMain = async () => {
      if (databaseUrl !== undefined) return open(databaseUrl, 'DATABASE_URL');
      const running = await findRunningEmbeddedPostgres(dataDir);
      serverIsRunning = running !== undefined;
      if (running !== undefined) return open(running.connectionString, undefined);
      if (!existsSync(path.join(dataDir, 'postgres', 'PG_VERSION'))) {
        throw new OperatorError(
          'refused',
          `There is no database in ${dataDir}: start the server once, or set DATA_DIR or DATABASE_URL.`,
        );
      }
      embedded = await startEmbeddedPostgres({ dataDir, log });
      await migrate({ connectionString: embedded.connectionString, log });
      return open(embedded.connectionString, undefined);
    };
    const database = copyUrl ? await open(copyUrl, 'OPERATORS_DATABASE_URL') : await openMain();
    const audit = async ({ detail, ...entry }: Omit<AuditRecord, 'actor'>) => {
      const record = { ...entry, actor: operatorName(), detail: { ...detail, by: 'command line' } };
      if (!copyUrl) return addAuditEntry(database.pool, record);
      // OPERATORS_DATABASE_URL may be a read-only standby, so the entry goes to the main database.
      const writable = await openMain();
      await addAuditEntry(writable.pool, record).finally(() => writable.close());
    };
    const leadList: LeadListContext = {
      pool: database.pool,
      timeZone,
      destinationNames: destinations.map(({ name }) => name),
      personKey() {
        throw new OperatorError('usage', 'Use the console to search for a person.');
      },
    };
    const people = async () => {
      const { pool } = database;
      const personKey = await openPersonKeys(pool, own).catch((error: unknown) => {
        if (error instanceof PersonKeyError) throw new OperatorError('usage', error.message);
        throw error;
      });
      return { pool, personKey };
    };
    await use({ ...database, timeZone, serverIsRunning, audit, signal, leadList, people }).finally(
      () => database.close(),
    );
  } finally {
    await embedded?.stop();
    unwatch();
  }
}

/** Opens a database. @param setting the name of its setting; undefined for the embedded database */
async function open(
  connectionString: string,
  setting: Parameters<typeof unusableText>[2],
): Promise<Database> {
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
    throw new OperatorError(
      'refused',
      'The database has not been migrated to this version: start the server once.',
    );
  } catch (error) {
    await database.close();
    if (!isUnusable(error)) throw error;
    throw new OperatorError('refused', unusableText(error, connectionString, setting));
  }
}

/** Lists contain only counted leads. If the server counted within this time, no warning is needed. */
const COUNTED_WITHIN_MS = 5 * 60_000;

/** Warns on standard error if the server has not counted new leads, which are then missing in lists. */
export async function warnOfUncounted({ leadList, timeZone }: OperatorDatabase): Promise<void> {
  const until = await countedUntil(leadList.pool);
  if (until !== null && Date.now() - until.getTime() < COUNTED_WITHIN_MS) return;
  const what = until === null ? 'Leads' : `Leads after ${timeFormatter(timeZone)(until).full}`;
  console.error(`${what} are missing here: the server has not counted them yet.`);
}

function parseOnly(names: readonly string[]): Settings {
  const given = operatorsEnvironment();
  const only = names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]]));
  return parseSettings(Object.fromEntries(only)).settings;
}

/** Reads only these settings, so that other bad settings do not stop a command. @throws OperatorError */
function readSettings(names: readonly string[]): Settings {
  try {
    return parseOnly(names);
  } catch (error) {
    if (error instanceof SettingsError) throw new OperatorError('usage', error.message);
    throw error;
  }
}

export const operatorsTimeZone = () => readSettings(['OPERATORS_TIME_ZONE']).operatorsTimeZone;

/**
 * Returns the origin of the console as operators see it.
 * @throws OperatorError if it is off
 */
export function consoleOrigin(): string {
  const { console: own, dataDir } = readSettings([
    ...['DATA_DIR', 'PORT', 'CONSOLE_PORT', 'CONSOLE_HOST', 'CONSOLE_URL', 'TRUSTED_PROXIES'],
  ]);
  if (own === undefined) throw new OperatorError('usage', 'The console is off: CONSOLE_PORT.');
  // Prefers the running server's stored address, since it may have another port.
  const found = own.url ?? readConsoleAddress(dataDir);
  return found ?? `http://${own.host}:${own.port === 0 ? '<port>' : own.port}`;
}

/** Returns the server's settings for surveys, counts, lead pages and evidence packs. */
export function serverSettings(): Settings {
  const own = readSettings([
    ...['DATA_DIR', 'PUBLIC_URL', 'PORT', 'OPERATORS_TIME_ZONE', 'PAID_CHECK_PRICE'],
    ...['KEEP_VISITS_DAYS', 'KEEP_CLICKS_DAYS', 'KEEP_LEADS_DAYS'],
    ...['EVIDENCE_KEY', 'EVIDENCE_RECIPIENTS', 'COMPANY_NAME', 'PHONE_NUMBER'],
    ...['SURVEY_OVERRIDES', 'EXPERIMENTS', 'TIME_ZONE'],
    ...['DATE_OF_BIRTH_STATES', 'DESCRIPTION_LIMIT'],
  ]);
  const configured = destinationSettings();
  const site = { ...own.site, withholdsAtOptOut: withholdsAtOptOut(configured) };
  return { ...own, destinations: configured, site };
}

/** Returns every destination with its settings. A destination with bad settings counts as not configured. */
export function destinationSettings(): DestinationSetting[] {
  return destinations.map((definition) => {
    try {
      const { destinations: all } = parseOnly(Object.keys(definition.variables));
      return all.find((one) => one.definition === definition) ?? { definition, values: undefined };
    } catch (error) {
      if (error instanceof SettingsError) return { definition, values: undefined };
      throw error;
    }
  });
}
