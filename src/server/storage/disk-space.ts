/** Tells the operators when the disk of the database is nearly full, and when it is. */
import { statfs } from 'node:fs/promises';
import type { Alerts } from '../base/alerts.ts';
import type { Clock } from '../base/clock.ts';
import { StoreUnavailableError } from '../base/errors.ts';
import { CleanDatabaseError } from './database-error.ts';

/** Low is less than this, and on a small disk less than a tenth of it. */
const LOW_BYTES = 512 * 2 ** 20;
const LOW_PART = 0.1;
const LOOK_EVERY_MS = 5_000;
/** As long as it lasts it is said again after this. */
const SAY_AGAIN_MS = 60 * 60 * 1000;
/** SQLSTATE disk_full. */
const DISK_FULL = '53100';

const FULL =
  'The disk of the database is full: no lead can be stored, and visitors’ browsers keep theirs. ' +
  'Make room; it goes on by itself';

export type DiskSpace = { readonly freeBytes: number; readonly totalBytes: number };

/** Whether so little is left that somebody should make room now. */
export function isLow({ freeBytes, totalBytes }: DiskSpace): boolean {
  return freeBytes < Math.min(LOW_BYTES, totalBytes * LOW_PART);
}

/**
 * Watches the disk of the embedded database: one alert when little room is left, and one an hour while
 * that lasts. Room that cannot be measured is not spoken of.
 *
 * @param options.dir of the database
 * @param options.space where the room is read; by default the file system of `dir`
 */
export function watchDiskSpace(options: {
  dir: string;
  alert: Alerts;
  now?: Clock;
  space?: (dir: string) => Promise<DiskSpace>;
  everyMs?: number;
}): { stop(): void } {
  const { dir, alert, now = () => new Date(), space = spaceOf, everyMs = LOOK_EVERY_MS } = options;
  const say = seldom(now, SAY_AGAIN_MS);
  const look = async () => {
    const found = await space(dir).catch(() => undefined);
    if (!found) return;
    if (!isLow(found)) return say.reset();
    const megabytes = Math.floor(found.freeBytes / 2 ** 20);
    say(() =>
      alert(
        'The disk of the database is nearly full: make room, or leads cannot be stored any more',
        { freeMegabytes: megabytes },
      ),
    );
  };
  const timer = setInterval(() => void look(), everyMs);
  timer.unref();
  void look();
  return { stop: () => clearInterval(timer) };
}

/** Returns the room of the file system that a directory is on. */
export async function spaceOf(dir: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(dir);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/**
 * Wraps a use case: an alert, at most one an hour, when the database says that its disk is full. It is
 * what tells of a `DATABASE_URL`, whose disk is not ours to look at.
 */
export function alertingOfFullDisk<Given extends unknown[], Result>(
  accept: (...given: Given) => Promise<Result>,
  alert: Alerts,
  now: Clock,
): (...given: Given) => Promise<Result> {
  const say = seldom(now, SAY_AGAIN_MS);
  return async (...given) => {
    try {
      return await accept(...given);
    } catch (error) {
      if (isFullDisk(error)) say(() => alert(FULL));
      throw error;
    }
  };
}

function isFullDisk(error: unknown): boolean {
  const cause = error instanceof StoreUnavailableError ? error.cause : undefined;
  return cause instanceof CleanDatabaseError && cause.code === DISK_FULL;
}

/** Runs what it is given, and then nothing for a time, unless it is reset. */
function seldom(now: Clock, forMs: number): { (run: () => void): void; reset(): void } {
  let ranAtMs = Number.NEGATIVE_INFINITY;
  const say = (run: () => void) => {
    const nowMs = now().getTime();
    if (nowMs - ranAtMs < forMs) return;
    ranAtMs = nowMs;
    run();
  };
  return Object.assign(say, {
    reset: () => {
      ranAtMs = Number.NEGATIVE_INFINITY;
    },
  });
}
