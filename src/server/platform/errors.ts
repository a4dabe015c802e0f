/** The database is unreachable or cannot write at the moment. The browser stores its request and retries. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
}

/** The lead was erased, and the caller wanted posts for erased leads to be refused. */
export class LeadErasedError extends Error {
  override readonly name = 'LeadErasedError';
}

/** A limit is reached. The client may repeat the request later (429 with Retry-After). */
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
