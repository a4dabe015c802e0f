/** Reads the system's state for operators: destinations' health, and the database. */
import { statfs } from 'node:fs/promises';
import type { SystemAnswer } from '../../model/messages/console/work.ts';
import type { DestinationHealth } from '../delivery/index.ts';
import type { Queryable } from '../platform/database/database.ts';

/** The health of a destination, shared by all processes. */
export type DestinationState = Pick<DestinationHealth, 'destination' | 'pausedBy' | 'lastFailure'>;

/** Returns the health of destinations that have ever paused or failed. */
export async function readDestinationStates(db: Queryable): Promise<DestinationState[]> {
  const { rows } = await db.query<DestinationState>(
    'select destination, paused_by as "pausedBy", last_failure as "lastFailure" from destination_health',
  );
  return rows;
}

/**
 * Returns the kind, version and size of the database.
 * @param dataDir the directory of the embedded database; undefined with DATABASE_URL
 */
export async function readDatabase(
  db: Queryable,
  dataDir: string | undefined,
): Promise<SystemAnswer['database']> {
  const { rows } = await db.query<{ version: string; bytes: string }>(
    `select current_setting('server_version') as version,
       pg_database_size(current_database()) as bytes`,
  );
  const disk = dataDir === undefined ? undefined : await statfs(dataDir).catch(() => undefined);
  return {
    kind: dataDir === undefined ? 'DATABASE_URL' : 'embedded',
    version: rows[0]?.version ?? '',
    bytes: Number(rows[0]?.bytes ?? 0),
    freeBytes: disk ? disk.bavail * disk.bsize : null,
  };
}
