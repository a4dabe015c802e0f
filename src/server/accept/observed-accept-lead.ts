import { LeadErasedError, OverLimitError, StoreUnavailableError } from '../base/errors.ts';
import { isFullDisk } from '../storage/disk-space.ts';
import type { AcceptLead } from './accept-lead.ts';
import type { LeadObserver } from './lead-store.ts';

/**
 * Wraps the use case so that refused leads are counted, with the reason.
 * @param diskIsFull called if the database's disk is full. A `DATABASE_URL`'s disk cannot be measured otherwise
 */
export function observedAcceptLead(
  accept: AcceptLead,
  observer: Pick<LeadObserver, 'refused'>,
  diskIsFull: () => void,
): AcceptLead {
  return async (...post) => {
    try {
      return await accept(...post);
    } catch (error) {
      observer.refused(post[0].survey, reasonOf(error));
      if (isFullDisk(error)) diskIsFull();
      throw error;
    }
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof OverLimitError) return error.reason;
  if (error instanceof LeadErasedError) return 'erased';
  return error instanceof StoreUnavailableError ? 'unavailable' : 'internal';
}
