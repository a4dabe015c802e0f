/** Connects the operators' command to the database. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import {
  findRunningEmbeddedPostgres,
  type RunningPostgres,
  startEmbeddedPostgres,
} from '../postgres/embedded-postgres.ts';
import { operatorsEnvironment, readConsoleAddress } from '../server/config/environment.ts';
import {
  parseSettings,
  type Settings,
  SettingsError,
  withholdsAtOptOut,
} from '../server/config/settings.ts';
import type { DestinationSetting } from '../server/destinations/destination.ts';
import { destinations } from '../server/destinations/index.ts';
import { type AuditRecord, addAuditEntry } from '../server/operators/access/audit.ts';
import { countedUntil, type LeadListContext } from '../server/operators/lead-list/list.ts';
import { OperatorError } from '../server/operators/operator-error.ts';
import { timeFormatter } from '../server/operators/time-format.ts';
import type { People } from '../server/privacy/index.ts';
import { createOutgoingHttp, type OutgoingHttp } from '../server/providers/outgoing-http.ts';
import { type Database, openDatabase, portionTimeouts } from '../server/storage/database.ts';
import { migrate } from '../server/storage/migrate.ts';
import { openPersonKeys, PersonKeyError } from '../server/storage/person-keys.ts';
import { isUnusable, unusableText } from '../server/storage/wait-for-database.ts';
import { watchSignals } from './long-work.ts';
import { operatorName } from './operator.ts';

/** The database as operators use it. */
export type OperatorDatabase = Database & {
  /** The time zone in which times are shown. */
  timeZone: string;
  /** Whether a server runs on the same embedded database. Undefined with DATABASE_URL, where it is unknown. */
  serverIsRunning: boolean | undefined;
  /** Adds an entry to the audit log, in the name of the system's user. */
  audit(entry: Omit<AuditRecord, 'actor'>): Promise<void>;
  /** Aborted when the operator interrupts a work in portions. */
  signal: AbortSignal;
  /** What lists and exports of leads need. Commands search for no person. */
  leadList: LeadListContext;
  /** Opens the keys of persons. @throws OperatorError when their secret is missing */
  people(): Promise<People>;
};

const log = pino({ level: 'silent' });

/** The settings that the command reads. Other bad settings, such as PORT, don't stop it. */
const OUR_SETTINGS = [
  'DATA_DIR',
  'DATABASE_URL',
  'OPERATORS_DATABASE_URL',
  'PERSON_KEY_SECRET',
  'OPERATORS_TIME_ZONE',
] as const;

export type ConnectOptions = {
  /** The command only reads: it may have a standby. Default: it may write. */
  readonly isReading?: boolean;
  /** The command looks at the signal after each portion. Default: a signal ends it at once. */
  readonly isInPortions?: boolean;
};

/** Runs a command's work with the database open. @throws OperatorError as `connect` */
export async function connected(
  use: (database: OperatorDatabase) => Promise<void>,
  { isReading = false, isInPortions = false }: ConnectOptions = {},
): Promise<void> {
  let embedded: RunningPostgres | undefined;
  const { signal, unwatch } = watchSignals({ isInPortions, stop: async () => embedded?.stop() });
  try {
    const own = settings(OUR_SETTINGS);
    const { operatorsDatabaseUrl: copy, dataDir } = own;
    const isCopy = isReading && copy !== undefined;
    const openAt = async (databaseUrl: string | undefined) => {
      const found = await findDatabase({ dataDir, databaseUrl }, (started) => {
        embedded = started;
      });
      const named = databaseUrl === undefined ? undefined : 'DATABASE_URL';
      const setting = databaseUrl === copy && isCopy ? 'OPERATORS_DATABASE_URL' : named;
      return open({ ...found, setting }, own, signal);
    };
    const database = await openAt(isCopy ? copy : own.databaseUrl);
    const audit = async ({ detail, ...entry }: Omit<AuditRecord, 'actor'>) => {
      // A copy cannot be written to.
      const writable = isCopy ? await openAt(own.databaseUrl) : database;
      const record = { ...entry, detail: { ...detail, by: 'command line' } };
      await addAuditEntry(writable.pool, { ...record, actor: operatorName() }).finally(async () => {
        if (isCopy) await writable.close();
      });
    };
    await use({ ...database, audit }).finally(() => database.close());
  } finally {
    await embedded?.stop();
    unwatch();
  }
}

/** Without a running server, leads come into lists once it runs again. */
const COUNTED_WITHIN_MS = 5 * 60_000;

/** Says on standard error since when new leads are missing in lists, unless that is a matter of minutes. */
export async function warnOfUncounted({ leadList, timeZone }: OperatorDatabase): Promise<void> {
  const until = await countedUntil(leadList.db);
  if (until !== null && Date.now() - until.getTime() < COUNTED_WITHIN_MS) return;
  const what = until === null ? 'Leads' : `Leads after ${timeFormatter(timeZone)(until).full}`;
  console.error(`${what} are missing here: the server has not counted them yet.`);
}

type Found = Pick<OperatorDatabase, 'serverIsRunning'> & { readonly connectionString: string };

/**
 * Finds the database of DATABASE_URL, or the embedded one in DATA_DIR. If no server runs the embedded database, it is
 * started here.
 *
 * @param starts is told the embedded database that was started
 * @throws OperatorError when there is none
 */
async function findDatabase(
  { databaseUrl, dataDir }: Pick<Settings, 'databaseUrl' | 'dataDir'>,
  starts: (embedded: RunningPostgres) => void,
): Promise<Found> {
  if (databaseUrl !== undefined) {
    return { connectionString: databaseUrl, serverIsRunning: undefined };
  }
  const running = await findRunningEmbeddedPostgres(dataDir);
  if (running !== undefined) return { ...running, serverIsRunning: true };
  if (!existsSync(path.join(dataDir, 'postgres', 'PG_VERSION'))) {
    throw new OperatorError(
      'refused',
      `There is no database in ${dataDir}: start the server once, or set DATA_DIR or DATABASE_URL.`,
    );
  }
  const embedded = await startEmbeddedPostgres({ dataDir, log });
  starts(embedded);
  const { connectionString } = embedded;
  await migrate({ connectionString, log });
  return { connectionString, serverIsRunning: false };
}

/** Parses the settings of the given names only. */
function settingsOf(names: readonly string[]): Settings {
  const given = operatorsEnvironment();
  const only = names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]]));
  return parseSettings(Object.fromEntries(only)).settings;
}

function settings(names: readonly string[]): Settings {
  try {
    return settingsOf(names);
  } catch (error) {
    if (error instanceof SettingsError) throw new OperatorError('usage', error.message);
    throw error;
  }
}

/** Returns the operators' time zone. */
export function operatorsTimeZone(): string {
  return settings(['OPERATORS_TIME_ZONE']).operatorsTimeZone;
}

/**
 * Returns the origin of the console as operators see it.
 * @throws OperatorError if it is off
 */
export function consoleOrigin(): string {
  const names = [
    'DATA_DIR',
    'PORT',
    'CONSOLE_PORT',
    'CONSOLE_HOST',
    'CONSOLE_URL',
    'TRUSTED_PROXIES',
  ];
  const { console: own, dataDir } = settings(names);
  if (own === undefined) throw new OperatorError('usage', 'The console is off: CONSOLE_PORT.');
  if (own.url !== undefined) return own.url;
  // The server may have been started with another port than this command.
  const running = readConsoleAddress(dataDir);
  if (running !== undefined) return running;
  return `http://${own.host}:${own.port === 0 ? '<port>' : own.port}`;
}

/** Returns the settings that decide how visits are counted: those of the server, or its counts would differ. */
export function countingSettings(): Pick<Settings, 'surveys' | 'destinations' | 'keep'> {
  const names = ['SURVEY_OVERRIDES', 'KEEP_VISITS_DAYS', 'KEEP_CLICKS_DAYS', 'KEEP_LEADS_DAYS'];
  return { ...settings(names), destinations: destinationSettings() };
}

/** Returns the settings that evidence packs are made with: those of the server, which signs with the same key. */
export function evidenceSettings(): Settings {
  const names = [
    'DATA_DIR',
    'EVIDENCE_KEY',
    'EVIDENCE_RECIPIENTS',
    'KEEP_CLICKS_DAYS',
    'PUBLIC_URL',
    'PORT',
    ...['COMPANY_NAME', 'PHONE_NUMBER', 'SURVEY_OVERRIDES', 'EXPERIMENTS', 'TIME_ZONE'],
    ...['DATE_OF_BIRTH_STATES', 'DESCRIPTION_LIMIT'],
  ];
  const own = settings(names);
  const configured = destinationSettings();
  const site = { ...own.site, withholdsAtOptOut: withholdsAtOptOut(configured) };
  return { ...own, destinations: configured, site };
}

/** Returns the settings that a lead's page depends on. */
export function leadPageSettings(): Settings {
  const names = ['DATA_DIR', 'EVIDENCE_KEY', 'PUBLIC_URL', 'SURVEY_OVERRIDES', 'PAID_CHECK_PRICE'];
  return { ...settings([...names, 'OPERATORS_TIME_ZONE']), destinations: destinationSettings() };
}

/** Creates the HTTP client for a command's own calls, with the server's network restrictions. */
export function outgoingHttp(): OutgoingHttp {
  const { allowsPrivateNetworks } = settings(['OUTGOING_PRIVATE_NETWORKS']);
  return createOutgoingHttp({ allowPrivateNetworks: allowsPrivateNetworks });
}

/** Returns every destination with its settings. A destination with bad settings counts as not configured. */
export function destinationSettings(): DestinationSetting[] {
  return destinations.map((definition) => {
    try {
      const { destinations: all } = settingsOf(Object.keys(definition.variables));
      const own = all.find((one) => one.definition === definition);
      return own ?? { definition, values: undefined };
    } catch (error) {
      if (error instanceof SettingsError) return { definition, values: undefined };
      throw error;
    }
  });
}

/** @throws OperatorError when the database cannot be reached or used */
async function open(
  {
    connectionString,
    serverIsRunning,
    setting,
  }: Found & { readonly setting: Parameters<typeof unusableText>[2] },
  own: Settings,
  signal: AbortSignal,
): Promise<Omit<OperatorDatabase, 'audit'>> {
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
    if (!rows[0]?.found) {
      throw new OperatorError(
        'refused',
        'The database has not been migrated to this version: start the server once.',
      );
    }
  } catch (error) {
    await database.close();
    if (!isUnusable(error)) throw error;
    throw new OperatorError('refused', unusableText(error, connectionString, setting));
  }
  return {
    ...database,
    timeZone: own.operatorsTimeZone,
    serverIsRunning,
    signal,
    leadList: {
      db: database.db,
      timeZone: own.operatorsTimeZone,
      destinationNames: destinations.map(({ name }) => name),
      personKey() {
        throw new OperatorError('usage', 'Use the console to search for a person.');
      },
    },
    async people() {
      const { pool } = database;
      const personKey = await openPersonKeys(pool, own).catch((error: unknown) => {
        if (error instanceof PersonKeyError) throw new OperatorError('usage', error.message);
        throw error;
      });
      return { pool, personKey };
    },
  };
}
