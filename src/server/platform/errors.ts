/** The store is temporarily unreachable or cannot write. The browser stores its request and retries. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
}

/** The lead was erased, and the caller asked to refuse such posts. */
export class LeadErasedError extends Error {
  override readonly name = 'LeadErasedError';
}

/** A limit is reached; the request may be repeated later (429 with Retry-After). */
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
