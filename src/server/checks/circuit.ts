/**
 * A circuit breaker for one service (docs/decisions/0024-checks.md). After several failures in a row the service
 * is not called for a while. Then one trial call shows whether it is back, while other calls are still skipped.
 */

/** `half_open`: a trial call is running. */
export type CircuitState = 'closed' | 'open' | 'half_open';

/**
 * One admitted call; only the first method called counts. `refused` means the service answered but
 * rejected the value. If it has accepted others before, the value is to blame, so a visitor cannot
 * open the circuit for all visitors. Otherwise it counts as a failure.
 */
type CircuitPass = {
  succeeded(): void;
  failed(reason?: string): void;
  refused(reason?: string): void;
  /** The service refuses our account. Retrying is useless, so the circuit opens at once. */
  denied(reason?: string): void;
};

export type Circuit = {
  /** Returns undefined if the service must not be called. */
  admit(): CircuitPass | undefined;
  /** Returns whether `admit` would admit a call now. */
  mayAdmit(): boolean;
  readonly state: CircuitState;
};

type CircuitOptions = {
  /** Failures in a row that open the circuit. */
  readonly failures: number;
  /** How long the circuit then stays open. */
  readonly pauseMs: number;
  /** `reason`: why the call that opened it failed; else empty. */
  readonly onChange?: (state: CircuitState, before: CircuitState, reason: string) => void;
  /** A monotonic clock in milliseconds. */
  readonly nowMs?: () => number;
};

export function createCircuit(options: CircuitOptions): Circuit {
  const { failures, pauseMs, onChange, nowMs = () => performance.now() } = options;
  let state: CircuitState = 'closed';
  let failuresInRow = 0;
  let openUntilMs = 0;
  let hasSucceeded = false;
  /** Counts changes of state; calls admitted in an earlier era do not count. */
  let era = 0;

  function become(next: CircuitState, reason = ''): void {
    const before = state;
    state = next;
    era += 1;
    failuresInRow = 0;
    if (next === 'open') openUntilMs = nowMs() + pauseMs;
    onChange?.(next, before, reason);
  }

  /** @param most failures in a row that open the circuit */
  function countFailure(reason: string, most = failures): void {
    failuresInRow += 1;
    if (failuresInRow >= most || state === 'half_open') become('open', reason);
  }

  function pass(): CircuitPass {
    const admittedIn = era;
    let isOver = false;
    const end =
      (then: (reason: string) => void) =>
      (reason = '') => {
        if (isOver) return;
        isOver = true;
        if (era === admittedIn) then(reason);
      };
    const answered = () => {
      failuresInRow = 0;
      if (state === 'half_open') become('closed');
    };
    return {
      succeeded: end(() => {
        hasSucceeded = true;
        answered();
      }),
      failed: end((reason) => countFailure(reason)),
      denied: end((reason) => countFailure(reason, 1)),
      refused: end((reason) => {
        if (!hasSucceeded) countFailure(reason);
        else if (state === 'half_open') become('closed');
      }),
    };
  }

  const mayAdmit = () => state === 'closed' || (state === 'open' && nowMs() >= openUntilMs);
  return {
    admit() {
      if (!mayAdmit()) return undefined;
      if (state === 'open') become('half_open');
      return pass();
    },
    mayAdmit,
    get state() {
      return state;
    },
  };
}
