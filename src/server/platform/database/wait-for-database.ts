/** Waits at the start until the database at `DATABASE_URL` answers. */
import { unescape as unescapePercent } from 'node:querystring';
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '../postgres/cluster.ts';
import type { Logger } from '../postgres/logger.ts';
import { databaseTimeouts } from './database.ts';
import { isConnectionError } from './database-error.ts';

const WAIT_MS = 60_000;
/** Maximum wait for a pooler, which sends one error for a wrong setting and a starting database. */
const WAIT_FOR_POOLER_MS = 10_000;

/** Advice by error code, or by the message of `pg` if an error has no code. */
const ADVICE: Readonly<Record<string, string>> = {
  '28P01': 'Correct the user or the password in DATABASE_URL',
  '28000': 'Correct the user in DATABASE_URL, or let the database accept it (pg_hba.conf)',
  '3D000': 'Create the database, or correct its name in DATABASE_URL',
  '42501': 'Grant the user the right to connect to the database',
  '08P01':
    'Correct the user or the password in DATABASE_URL, or the configuration of the connection pooler there',
  'timeout expired':
    'Correct the host and port in DATABASE_URL, or start the database behind its pooler',
  ENOTFOUND: 'Correct the host in DATABASE_URL',
  ECONNREFUSED: 'Start the database, or correct the host and port in DATABASE_URL',
};

/** Without these settings, a power failure may lose acknowledged leads. */
const DURABLE = ['fsync', 'full_page_writes', 'synchronous_commit'];
const STANDBYS = 'synchronous_standby_names';
type Setting = { readonly name: string; readonly setting: string };

/** Waits until the database answers. @throws if it does not answer in time, or refuses us */
export async function waitForDatabase(options: {
  connectionString: string;
  log: Logger;
  signal?: AbortSignal | undefined;
  pause?: (ms: number, signal: AbortSignal | undefined) => Promise<unknown>;
}): Promise<void> {
  const { connectionString, log, signal } = options;
  const { pause = (ms: number) => sleep(ms, undefined, { signal }) } = options;
  let waitedMs = 0;
  for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 2, 5_000)) {
    const beganAtMs = performance.now();
    try {
      return warnIfUnsafe(await readSettings(connectionString), log);
    } catch (error) {
      const reason = reasonOf(error, connectionString);
      waitedMs += performance.now() - beganAtMs;
      const mostMs = codeOf(error) === '08P01' ? WAIT_FOR_POOLER_MS : WAIT_MS;
      if (!isConnectionError(error) || waitedMs + pauseMs > mostMs) {
        // Omits the `cause`, which could contain the connection string.
        throw new Error(unusableText(error, connectionString, 'DATABASE_URL'));
      }
      log.warn({ pauseMs }, `The database does not answer yet: ${reason}; trying again`);
      await pause(pauseMs, signal);
      waitedMs += pauseMs;
    }
  }
}

/** Explains why the database cannot be used and what to do, without the password. */
export function unusableText(
  error: unknown,
  connectionString: string,
  setting: 'DATABASE_URL' | 'OPERATORS_DATABASE_URL' | undefined,
): string {
  const reason = reasonOf(error, connectionString);
  if (setting === undefined) return `The database cannot be used: ${reason}.`;
  const advice = ADVICE[codeOf(error)]?.replaceAll('DATABASE_URL', setting);
  return `The database at ${setting} cannot be used: ${reason}${advice === undefined ? '' : `. ${advice}.`}`;
}

/** Returns whether waiting cannot help, because the database rejects the host, user or password. */
export function isUnusable(error: unknown): boolean {
  return isConnectionError(error) || ADVICE[codeOf(error)] !== undefined;
}

async function readSettings(connectionString: string): Promise<readonly Setting[]> {
  const timeoutMs = databaseTimeouts.connection;
  const config = { connectionString, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs };
  const query = 'select name, setting from pg_settings where name = any($1) order by name';
  const names = [...DURABLE, STANDBYS];
  const { rows } = await withClient(config, (client) => client.query<Setting>(query, [names]));
  return rows;
}

/** Warns about settings with which a power failure may lose acknowledged leads. */
export function warnIfUnsafe(settings: readonly Setting[], log: Pick<Logger, 'warn'>): void {
  const hasStandby = settings.some(({ name, setting }) => name === STANDBYS && setting !== '');
  const unsafe = settings
    .filter(({ setting }) => setting === 'off' || (setting === 'local' && hasStandby))
    .map(({ name, setting }) => `${name}=${setting}`);
  if (unsafe.length === 0) return;
  log.warn(
    { unsafe },
    `THE DATABASE MAY LOSE ACKNOWLEDGED LEADS: it runs with ${unsafe.join(', ')}. Turn it on unless the storage below makes it safe.`,
  );
}

function codeOf(error: unknown): string {
  const { code, message } = error as Error & { code?: unknown };
  return typeof code === 'string' ? code : message;
}

/** Returns the error's message on one line, without any text that may be a password. */
function reasonOf(error: unknown, connectionString: string): string {
  const { message, errors } = error as Error & { errors?: readonly Error[] };
  // If a host has several IP addresses, `message` is empty and `errors` has one error per address.
  const text = message || errors?.[0]?.message || codeOf(error) || 'unknown error';
  const { password = '', pathname = '' } = URL.parse(connectionString) ?? {};
  // If the password contains a slash, the URL parser puts the rest of the password into the path.
  const secrets = [password, pathname.includes('@') ? pathname.slice(1) : ''];
  return secrets
    .flatMap((secret) => [secret, unescapePercent(secret)])
    .filter((secret) => secret !== '')
    .reduce((safe, secret) => safe.replaceAll(secret, '…'), text.replace(/\s+/g, ' ').trim());
}
