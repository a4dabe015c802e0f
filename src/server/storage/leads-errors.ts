import { OverLimitError, StoreUnavailableError } from '../base/errors.ts';
import { cleanDatabaseError, isConnectionError, isSerializationError } from './database-error.ts';

/**
 * Server errors that say nothing about the data: no resources or a full disk (53), operator or time-out (57),
 * system error (58), read-only server (25006).
 */
const unavailable = /^(53|57|58)...$|^25006$/;

/** Runs a database call. Throws a `StoreUnavailableError`, or an error without visitors' values. */
export async function storeErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // `OverLimitError` comes from the use case that decides on a revision inside the transaction.
    if (error instanceof StoreUnavailableError || error instanceof OverLimitError) throw error;
    const clean = cleanDatabaseError(error);
    if (
      isConnectionError(error) ||
      isSerializationError(error) ||
      unavailable.test(clean.code ?? '')
    ) {
      throw new StoreUnavailableError('The database is unavailable', {
        cause: clean,
      });
    }
    throw clean;
  }
}
