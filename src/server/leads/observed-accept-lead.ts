import { type LeadObserver, OverLimitError, StoreUnavailableError } from './ports.ts';
import type { UseCases } from './use-cases.ts';

/** Wraps the use case: leads that were not taken are told, with why. */
export function tellingOfRefusals(
  accept: UseCases['acceptLead'],
  observer: Pick<LeadObserver, 'refused'>,
): UseCases['acceptLead'] {
  return async (body, visitor) => {
    try {
      return await accept(body, visitor);
    } catch (error) {
      observer.refused(body.survey, reasonOf(error));
      throw error;
    }
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof OverLimitError) return error.reason;
  return error instanceof StoreUnavailableError ? 'unavailable' : 'internal';
}
