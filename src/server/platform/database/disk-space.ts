/** Alerts operators when the database's disk is nearly full or full. */
import { statfs } from 'node:fs/promises';
import { type Alerts, createHourlyAlert } from '../alerts.ts';
import { StoreUnavailableError } from '../errors.ts';
import { CleanDatabaseError } from './database-error.ts';
import type { Jobs } from './jobs.ts';

/** Operators get an alert if less space is free. */
const LOW_BYTES = 512 * 2 ** 20;
const LOW_PART = 0.1;
const CHECK_EVERY_MS = 5_000;
const DISK_FULL = '53100';

const NEARLY_FULL =
  'The disk of the database is nearly full: free some space, or leads can no longer be stored';

export type DiskSpace = { readonly freeBytes: number; readonly totalBytes: number };

/** Returns whether the disk has so little free space that operators get an alert. */
export function isLow({ freeBytes, totalBytes }: DiskSpace): boolean {
  return freeBytes < Math.min(LOW_BYTES, totalBytes * LOW_PART);
}

/** Watches the embedded database's disk. Alerts operators hourly while too little space is free. */
export function watchDiskSpace(jobs: Jobs, dir: string, alert: Alerts): void {
  const alertHourly = createHourlyAlert(alert, NEARLY_FULL);
  const run = async () => {
    const space = await spaceOf(dir).catch(() => undefined);
    if (space && isLow(space))
      alertHourly({ freeMegabytes: Math.floor(space.freeBytes / 2 ** 20) });
  };
  jobs.start({ name: 'disk', everyMs: CHECK_EVERY_MS, isLocal: true, run });
}

/** Returns the free and total space of the disk with the directory. */
export async function spaceOf(dir: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(dir);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** Returns whether an error says that the database's disk is full. */
export function isFullDisk(error: unknown): boolean {
  const cause = error instanceof StoreUnavailableError ? error.cause : undefined;
  return cause instanceof CleanDatabaseError && cause.code === DISK_FULL;
}
