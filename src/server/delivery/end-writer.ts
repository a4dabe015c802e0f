/** Stores the results of attempts in batches, and retries while the database may recover. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../../postgres/logger.ts';
import { type Batcher, createBatcher } from '../storage/batcher.ts';
import { inTransaction, type Queryable } from '../storage/database.ts';
import { cleanDatabaseError, isPassingError } from '../storage/database-error.ts';
import { type AttemptEnd, type Audience, finishAttempts } from './ends.ts';

/** How long to keep trying to store a result. */
const WRITE_END_FOR_MS = 120_000;
/** Maximum number of results in one statement. */
const MAX_ENDS = 100;

/** Returns a batcher whose results say whether the worker still held the lease of the attempt. */
export function createEndWriter(options: {
  pool: pg.Pool;
  owner: string;
  audience: Audience;
  log: Logger;
  now: () => Date | undefined;
}): Batcher<AttemptEnd, boolean> {
  const { pool, owner, audience, log, now } = options;
  const finish = (client: Queryable, batch: readonly AttemptEnd[]) =>
    finishAttempts(client, owner, batch, audience, now());
  const hasListeners = audience.listeners.length > 0;
  return createBatcher<AttemptEnd, boolean>({
    run: (batch) =>
      withRetry(
        () =>
          hasListeners
            ? inTransaction(pool, (client) => finish(client, batch))
            : finish(pool, batch),
        (error) => log.warn({ ends: batch.length, err: error }, 'Results of attempts wait'),
      ),
    key: (end) => end.leased.deliveryId,
    isCommon: isPassingError,
    maxItems: MAX_ENDS,
    maxConcurrent: 2,
  });
}

/**
 * Retries a write after a passing database error. Retrying is safe because the write is fenced. If only the
 * commit's answer was lost, the retry reports a lost lease, which costs no more than a log line.
 */
async function withRetry<T>(
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
