/** Waits at the start until the database at `DATABASE_URL` answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '../postgres/cluster.ts';
import type { Logger } from '../postgres/logger.ts';
import { databaseTimeouts } from './database.ts';
import { isConnectionError } from './database-error.ts';

const WAIT_MS = 60_000;

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
      const reason = reasonOf(error);
      waitedMs += performance.now() - beganAtMs;
      if (!isConnectionError(error) || waitedMs + pauseMs > WAIT_MS) {
        // Omits the `cause`, which could contain the connection string.
        throw new Error(unusableText(error, 'DATABASE_URL'));
      }
      log.warn({ pauseMs }, `The database does not answer yet: ${reason}; trying again`);
      await pause(pauseMs, signal);
      waitedMs += pauseMs;
    }
  }
}

/** Explains why the database of a setting cannot be used. */
export function unusableText(error: unknown, setting: string): string {
  return `The database at ${setting} cannot be used: ${reasonOf(error)}.`;
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

/** Returns the error's message, in which neither PostgreSQL nor the driver quotes the password. */
function reasonOf(error: unknown): string {
  const { message, errors, code } = error as Partial<AggregateError> & { code?: string };
  // If a host has several IP addresses, `message` is empty and `errors` has one error per address.
  return message || errors?.[0]?.message || code || 'unknown error';
}
