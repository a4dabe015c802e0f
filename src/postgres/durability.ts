/**
 * An acknowledged lead is on disk: the settings that this needs, and what to do without them.
 */
import type pg from 'pg';
import type { Logger } from './logger.ts';

// A kill cannot show what these do; only a power cut can, and then it is too late.
const DURABILITY_SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;

/** The embedded database is set to lose acknowledged leads. The message names the settings. */
export class UnsafeDurabilityError extends Error {
  override readonly name = 'UnsafeDurabilityError';
}

/**
 * Checks `fsync`, `full_page_writes` and `synchronous_commit` as they hold for our own sessions.
 *
 * @param options.embedded true for the database that we start ourselves: an unsafe setting stops the
 * start. False for somebody's `DATABASE_URL`: it is a loud warning, the operator may have reasons
 * (a storage that makes its own writes atomic). An engine without such a setting passes.
 * @throws UnsafeDurabilityError
 */
export async function checkDurability(
  connection: Pick<pg.Pool, 'query'> | Pick<pg.ClientBase, 'query'>,
  options: { embedded: boolean; log: Logger },
): Promise<void> {
  const { rows } = await (connection as Pick<pg.ClientBase, 'query'>).query<{
    name: string;
    setting: string;
  }>('select name, setting from pg_settings where name = any($1) order by name', [
    [...DURABILITY_SETTINGS],
  ]);
  const unsafe = rows.filter((row) => row.setting === 'off').map((row) => `${row.name}=off`);
  if (unsafe.length === 0) return;
  const settings = unsafe.join(', ');
  if (options.embedded) {
    throw new UnsafeDurabilityError(
      `The database is set to lose acknowledged leads when the power fails (${settings}): remove the setting from its postgresql.conf.`,
    );
  }
  options.log.warn(
    { unsafe },
    `THE DATABASE MAY LOSE ACKNOWLEDGED LEADS: it runs with ${settings}. Turn it on unless the storage below makes it safe.`,
  );
}
