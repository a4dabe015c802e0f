/** Checks that PostgreSQL's settings guarantee durable commits, so that no acknowledged lead is lost. */
import type pg from 'pg';
import type { Logger } from './logger.ts';

// Only a power cut, not a killed process, reveals that these are off.
const SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit'];
const STANDBYS = 'synchronous_standby_names';

/**
 * Checks the settings as they apply to our sessions. With a synchronous standby, commits must also wait for it.
 *
 * @param options.embedded whether it is our own database, where an unsafe setting stops the start. With `DATABASE_URL`
 * it only warns, as the operator's storage may make it safe.
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
