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

/** SQLSTATEs with which a database or a pooler rejects the user, the password or the database. */
const REJECTED = ['28P01', '28000', '3D000', '42501', '08P01'];

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

/** Explains why the database of a setting cannot be used, without the password. */
export function unusableText(
  error: unknown,
  connectionString: string,
  setting: 'DATABASE_URL' | 'OPERATORS_DATABASE_URL' | 'DATA_DIR',
): string {
  return `The database at ${setting} cannot be used: ${reasonOf(error, connectionString)}.`;
}

/** Returns whether a command cannot use the database, because it is away or rejects us. */
export function isUnusable(error: unknown): boolean {
  return isConnectionError(error) || REJECTED.includes(codeOf(error));
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
