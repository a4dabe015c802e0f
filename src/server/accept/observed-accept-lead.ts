import { LeadErasedError, OverLimitError, StoreUnavailableError } from '../base/errors.ts';
import type { AcceptLead } from './accept-lead.ts';
import type { LeadObserver } from './lead-store.ts';

/** Wraps the use case so that the observer is told about refused leads, with the reason. */
export function tellingOfRefusals(
  accept: AcceptLead,
  observer: Pick<LeadObserver, 'refused'>,
): AcceptLead {
  return async (...post) => {
    try {
      return await accept(...post);
    } catch (error) {
      observer.refused(post[0].survey, reasonOf(error));
      throw error;
    }
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof OverLimitError) return error.reason;
  if (error instanceof LeadErasedError) return 'erased';
  return error instanceof StoreUnavailableError ? 'unavailable' : 'internal';
}
