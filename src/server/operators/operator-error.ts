/** An operator's request that was not carried out. The message is one sentence for people. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  /** `refused`: not allowed, or not possible now. `usage`: the request is malformed. */
  readonly kind: 'refused' | 'not_found' | 'usage';

  constructor(kind: OperatorError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}
