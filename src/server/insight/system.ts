import type { SystemAnswer } from '../../model/messages/console/work.ts';
import type { Queryable } from '../platform/database/database.ts';
import { spaceOf } from '../platform/database/disk-space.ts';

/** Returns the database's kind, version and size. */
export async function readDatabase(
  db: Queryable,
  dataDir: string | undefined,
): Promise<SystemAnswer['database']> {
  const { rows } = await db.query<{ version: string; bytes: string }>(
    `select current_setting('server_version') as version,
       pg_database_size(current_database()) as bytes`,
  );
  const disk = dataDir === undefined ? undefined : await spaceOf(dataDir).catch(() => undefined);
  return {
    kind: dataDir === undefined ? 'DATABASE_URL' : 'embedded',
    version: rows[0]?.version ?? '',
    bytes: Number(rows[0]?.bytes ?? 0),
    freeBytes: disk?.freeBytes ?? null,
  };
}
