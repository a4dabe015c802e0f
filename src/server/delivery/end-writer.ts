/** Writes the ends of attempts, many in one statement, and repeats that for as long as it may succeed. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../../postgres/logger.ts';
import { type Batcher, createBatcher } from '../storage/batcher.ts';
import { cleanDatabaseError, isPassingError } from '../storage/database-error.ts';
import { type AttemptEnd, type Audience, finishAttempts } from './ends.ts';

/** How long a worker tries to write how an attempt ended. */
const WRITE_END_FOR_MS = 120_000;
/** Ends of attempts that are written in one statement at most. */
const MAX_ENDS = 100;

/** Returns a batcher whose results say whether an attempt was still its worker's. */
export function createEndWriter(options: {
  pool: pg.Pool;
  owner: string;
  audience: Audience;
  log: Logger;
  now: () => Date | undefined;
}): Batcher<AttemptEnd, boolean> {
  const { pool, owner, audience, log, now } = options;
  return createBatcher<AttemptEnd, boolean>({
    run: (batch) =>
      repeatedly(
        () => finishAttempts(pool, owner, batch, audience, now()),
        (error) => log.warn({ ends: batch.length, err: error }, 'Ends of attempts wait'),
      ),
    key: (end) => end.claim.deliveryId,
    isCommon: isPassingError,
    maxItems: MAX_ENDS,
    minShared: MAX_ENDS,
    maxConcurrent: 2,
  });
}

/**
 * Repeats a write that the database's life interrupts: a lost connection, a deadlock, a statement that took
 * too long. Safe: the write is fenced, so a second time changes nothing. A lost commit answer is then
 * reported as an attempt that is not ours, which only costs a log line.
 */
async function repeatedly<T>(
  write: () => Promise<T>,
  onFailure: (error: Error) => void,
): Promise<T> {
  const startedAtMs = performance.now();
  for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 2, 5_000)) {
    try {
      return await write();
    } catch (error) {
      if (!isPassingError(error) || performance.now() - startedAtMs > WRITE_END_FOR_MS) throw error;
      onFailure(cleanDatabaseError(error));
      await sleep(pauseMs);
    }
  }
}
