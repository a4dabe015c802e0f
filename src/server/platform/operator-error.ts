/** Thrown if an operator's request is not carried out. The message is one sentence for people. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  readonly kind: 'refused' | 'not_allowed' | 'not_found' | 'usage' | 'too_many';

  constructor(kind: OperatorError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Returns the error for a request that is impossible in the current state. */
export const refused = (message: string) => new OperatorError('refused', message);

/** Returns the error for a malformed request. */
export const usage = (message: string) => new OperatorError('usage', message);

/** Returns the error for a request about something that does not exist. */
export const notFound = (message: string) => new OperatorError('not_found', message);
