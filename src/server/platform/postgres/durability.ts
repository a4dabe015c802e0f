/** Checks that PostgreSQL's settings guarantee durable commits, so that no acknowledged lead is lost. */
import type pg from 'pg';
import type { Logger } from './logger.ts';

// A killed process does not reveal that these are off; only a power cut does.
const DURABILITY_SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;
const STANDBYS = 'synchronous_standby_names';

/** Thrown when the embedded database could lose acknowledged leads. The message names the settings. */
export class UnsafeDurabilityError extends Error {
  override readonly name = 'UnsafeDurabilityError';
}

/**
 * Checks `fsync`, `full_page_writes` and `synchronous_commit` as they apply to our sessions. With a synchronous
 * standby, commits must also wait for it.
 *
 * @param options.embedded true for the embedded database, where an unsafe setting stops the start. With
 * `DATABASE_URL` it only warns, as the operator's storage may make it safe. Missing settings pass.
 * @throws UnsafeDurabilityError
 */
export async function checkDurability(
  connection: Pick<pg.ClientBase, 'query'>,
  options: { embedded: boolean; log: Logger },
): Promise<void> {
  const { rows } = await connection.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1) order by name',
    [[...DURABILITY_SETTINGS, STANDBYS]],
  );
  const hasStandby = rows.some(({ name, setting }) => name === STANDBYS && setting !== '');
  const unsafe = rows
    .filter(({ setting }) => setting === 'off' || (setting === 'local' && hasStandby))
    .map(({ name, setting }) => `${name}=${setting}`);
  if (unsafe.length === 0) return;
  const settings = unsafe.join(', ');
  if (options.embedded) {
    throw new UnsafeDurabilityError(
      `The database would lose acknowledged leads in a power failure (${settings}): remove the setting from its postgresql.conf.`,
    );
  }
  options.log.warn(
    { unsafe },
    `THE DATABASE MAY LOSE ACKNOWLEDGED LEADS: it runs with ${settings}. Turn it on unless the storage below makes it safe.`,
  );
}
