import { OverLimitError, StoreUnavailableError } from '../base/errors.ts';
import { cleanDatabaseError, isConnectionError, isSerializationError } from './database-error.ts';

/**
 * Errors of the server that say nothing about what was to be written: no resources or a full disk
 * (53), an operator or a time-out (57), the system (58), a server that only reads (25006).
 */
const unavailable = /^(53|57|58)...$|^25006$/;

/** Runs a database call; what it throws is a `StoreUnavailableError` or is free of a visitor's values. */
export async function storeErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // Of the use cases: a revision that is being decided may be beyond a lead's limits.
    if (error instanceof StoreUnavailableError || error instanceof OverLimitError) throw error;
    const clean = cleanDatabaseError(error);
    if (
      isConnectionError(error) ||
      isSerializationError(error) ||
      unavailable.test(clean.code ?? '')
    ) {
      throw new StoreUnavailableError('The database cannot be used at the moment', {
        cause: clean,
      });
    }
    throw clean;
  }
}
