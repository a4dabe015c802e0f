/** An operator's request that is not done, in one sentence for people. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  /** `refused`: it may not be, or cannot be now. `usage`: it cannot be understood. */
  readonly kind: 'refused' | 'not_found' | 'usage';

  constructor(kind: OperatorError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}
