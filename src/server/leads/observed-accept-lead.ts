import {
  LeadErasedError,
  type LeadObserver,
  OverLimitError,
  StoreUnavailableError,
} from './ports.ts';
import type { UseCases } from './use-cases.ts';

/** Wraps the use case so that the observer hears of refused leads and the reasons. */
export function tellingOfRefusals(
  accept: UseCases['acceptLead'],
  observer: Pick<LeadObserver, 'refused'>,
): UseCases['acceptLead'] {
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
