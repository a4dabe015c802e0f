/** Checks that PostgreSQL's settings make commits durable, so that no acknowledged lead can be lost. */
import type pg from 'pg';
import type { Logger } from './logger.ts';

// If these are off, a power cut loses commits. A killed process would not reveal the problem.
const SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit'];
const STANDBYS = 'synchronous_standby_names';

/**
 * Checks the durability settings of our sessions. With a synchronous standby, commits must also wait for the standby.
 *
 * @param options.embedded for the embedded database, unsafe settings stop the start. For `DATABASE_URL` they only cause
 * a warning, because the operator's storage may make them safe.
 * @throws if the embedded database could lose acknowledged leads
 */
export async function checkDurability(
  connection: Pick<pg.ClientBase, 'query'>,
  { embedded, log }: { embedded: boolean; log: Logger },
): Promise<void> {
  const { rows } = await connection.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1) order by name',
    [[...SETTINGS, STANDBYS]],
  );
  const hasStandby = rows.some(({ name, setting }) => name === STANDBYS && setting !== '');
  const unsafe = rows
    .filter(({ setting }) => setting === 'off' || (setting === 'local' && hasStandby))
    .map(({ name, setting }) => `${name}=${setting}`);
  if (unsafe.length === 0) return;
  const settings = unsafe.join(', ');
  if (embedded) {
    throw new Error(
      `The database would lose acknowledged leads in a power failure (${settings}): remove the setting from its postgresql.conf.`,
    );
  }
  log.warn(
    { unsafe },
    `THE DATABASE MAY LOSE ACKNOWLEDGED LEADS: it runs with ${settings}. Turn it on unless the storage below makes it safe.`,
  );
}
