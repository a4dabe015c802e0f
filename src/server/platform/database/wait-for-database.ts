/** Waits at the start until the database at `DATABASE_URL` answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '../postgres/cluster.ts';
import type { Logger } from '../postgres/logger.ts';
import { databaseTimeouts } from './database.ts';
import { isConnectionError } from './database-error.ts';

const WAIT_MS = 60_000;

/** SQL: the settings with which a power failure may lose acknowledged leads. */
const UNSAFE = `
select string_agg(name || '=' || setting, ', ' order by name) as unsafe from pg_settings
where name in ('fsync', 'full_page_writes', 'synchronous_commit') and (setting = 'off'
  or setting = 'local' and current_setting('synchronous_standby_names') <> '')`;

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
      return await warnIfUnsafe(connectionString, log);
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

async function warnIfUnsafe(connectionString: string, log: Logger): Promise<void> {
  const timeoutMs = databaseTimeouts.connection;
  const config = { connectionString, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs };
  type Row = { readonly unsafe: string | null };
  const { rows } = await withClient(config, (client) => client.query<Row>(UNSAFE));
  const { unsafe = null } = rows[0] ?? {};
  if (unsafe === null) return;
  log.warn(
    `THE DATABASE MAY LOSE ACKNOWLEDGED LEADS: it runs with ${unsafe}. Turn it on unless the storage below makes it safe.`,
  );
}

/** Returns the error's message, in which neither PostgreSQL nor the driver quotes the password. */
function reasonOf(error: unknown): string {
  const { message, errors, code } = error as Partial<AggregateError> & { code?: string };
  // If a host has several IP addresses, `message` is empty and `errors` has one error per address.
  return message || errors?.[0]?.message || code || 'unknown error';
}
