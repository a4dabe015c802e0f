/** Thrown if the database cannot be reached or cannot write at the moment. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
}

/** Handles a rejection: returns `fallback` if the database is unavailable. @throws other errors */
export function ifUnavailable<const Fallback>(fallback: Fallback) {
  return (error: unknown): Fallback => {
    if (error instanceof StoreUnavailableError) return fallback;
    throw error;
  };
}

/** Thrown if a browser posts a lead that has been erased. */
export class LeadErasedError extends Error {
  override readonly name = 'LeadErasedError';
}

/** Thrown if a limit is reached. The client may repeat the request later (429 with Retry-After). */
export class OverLimitError extends Error {
  override readonly name = 'OverLimitError';
  readonly reason:
    | 'too_many_posts'
    | 'too_many_fields'
    | 'too_many_offers'
    | 'too_many_bytes'
    | 'too_many_steps';
  readonly retryAfterSeconds: number;

  constructor(reason: OverLimitError['reason'], retryAfterSeconds: number) {
    super(reason);
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
