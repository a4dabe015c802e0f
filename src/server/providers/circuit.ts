/**
 * A circuit for one service (docs/decisions/0024-checks.md): after several failures in a row the service is
 * left alone for a while; then one call is let through to see whether it is back, and everything else goes on
 * without it until that call has ended. Nobody ever waits for it.
 */
import type { CircuitState } from './service-observer.ts';

/**
 * One call that was let through. Only the first of its ends counts. `refused`: it answered, and would not
 * take what it was asked. Of a service that has understood us before, that is about the value, which is a
 * visitor's to choose: nobody closes a service to all others with it. Of any other it is a failure.
 */
export type CircuitPass = {
  succeeded(): void;
  failed(reason?: string): void;
  refused(reason?: string): void;
  /** It refuses our account: asking again is of no use, so the circuit opens at once. */
  denied(reason?: string): void;
};

export type Circuit = {
  /** Undefined: leave the service alone. */
  admit(): CircuitPass | undefined;
  /** Whether `admit` would let a call through now; lets none through. */
  mayAdmit(): boolean;
  readonly state: CircuitState;
};

export type CircuitOptions = {
  /** Failures in a row that open it. */
  readonly failures: number;
  /** How long the service is left alone then. */
  readonly pauseMs: number;
  /** `reason`: why the call failed that opened it. */
  readonly onChange?: (state: CircuitState, before: CircuitState, reason: string) => void;
  /** Milliseconds of a clock that only goes forward. */
  readonly nowMs?: () => number;
};

export function createCircuit(options: CircuitOptions): Circuit {
  const {
    failures,
    pauseMs,
    onChange = () => undefined,
    nowMs = () => performance.now(),
  } = options;
  let state: CircuitState = 'closed';
  let failuresInRow = 0;
  let openedAtMs = 0;
  let hasSucceeded = false;
  /** Counts the changes: what was let through before the last one says nothing about now. */
  let era = 0;

  function become(next: CircuitState, reason = ''): void {
    const before = state;
    state = next;
    era += 1;
    failuresInRow = 0;
    if (next === 'open') openedAtMs = nowMs();
    onChange(next, before, reason);
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
    const failed = (reason: string) => {
      failuresInRow += 1;
      if (state === 'half_open' || failuresInRow >= failures) become('open', reason);
    };
    return {
      succeeded: end(() => {
        hasSucceeded = true;
        failuresInRow = 0;
        if (state === 'half_open') become('closed');
      }),
      failed: end(failed),
      denied: end((reason) => become('open', reason)),
      refused: end((reason) => {
        if (!hasSucceeded) failed(reason);
        else if (state === 'half_open') become('closed');
      }),
    };
  }

  const mayAdmit = () =>
    state === 'closed' || (state === 'open' && nowMs() - openedAtMs >= pauseMs);

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
