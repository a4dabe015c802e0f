/**
 * A circuit breaker for one service (docs/decisions/0024-checks.md). After several failures in a row the service
 * is not called for a while. Then one trial call shows whether it is back, while other calls are still skipped.
 * All processes share the failures, the pause and the trial; with its database away, each has its own.
 */
import type { SharedCircuit } from '../base/shared-circuit.ts';
import type { CircuitState } from './service-observer.ts';

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
  admit(): Promise<CircuitPass | undefined>;
  /** Returns whether `admit` might admit a call now. */
  mayAdmit(): boolean;
  readonly state: CircuitState;
};

type CircuitOptions = {
  /** Failures in a row that open the circuit. */
  readonly failures: number;
  /** How long the circuit then stays open. */
  readonly pauseMs: number;
  /** `reason`: why the call that opened it failed; undefined: a call of another process changed it. */
  readonly onChange?: (
    state: CircuitState,
    before: CircuitState,
    reason: string | undefined,
  ) => void;
  /** Default: there is one process. */
  readonly shared?: SharedCircuit | undefined;
  /** A monotonic clock in milliseconds. */
  readonly nowMs?: () => number;
};

export function createCircuit(options: CircuitOptions): Circuit {
  const {
    failures,
    pauseMs,
    onChange = () => undefined,
    nowMs = () => performance.now(),
    shared,
  } = options;
  let state: CircuitState = 'closed';
  let failuresInRow = 0;
  let openUntilMs = 0;
  let hasSucceeded = false;
  /** Counts changes of state; calls admitted in an earlier era do not count. */
  let era = 0;

  function become(next: CircuitState, reason?: string, openForMs = pauseMs): void {
    const before = state;
    state = next;
    era += 1;
    failuresInRow = 0;
    if (next === 'open') openUntilMs = nowMs() + openForMs;
    onChange(next, before, reason);
  }

  function close(): void {
    become('closed', '');
    void shared?.closed();
  }

  /** @param most failures in a row, of all processes, that open the circuit */
  async function countFailure(reason: string, most = failures): Promise<void> {
    failuresInRow += 1;
    const isOpen = failuresInRow >= most;
    if (!shared || state === 'half_open') {
      if (isOpen || state === 'half_open') become('open', reason);
      await shared?.failed(1, pauseMs);
      return;
    }
    const countedIn = era;
    const all = await shared.failed(most, pauseMs);
    if (era !== countedIn) return;
    if (all === undefined ? isOpen : all.openForMs > 0) {
      become('open', all?.isOurs === false ? undefined : reason, all?.openForMs);
    }
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
    return {
      succeeded: end(() => {
        hasSucceeded = true;
        if (state === 'half_open') close();
        else if (failuresInRow > 0) void shared?.closed();
        failuresInRow = 0;
      }),
      failed: end((reason) => void countFailure(reason)),
      denied: end((reason) => void countFailure(reason, 1)),
      refused: end((reason) => {
        if (!hasSucceeded) void countFailure(reason);
        else if (state === 'half_open') close();
      }),
    };
  }

  const mayAdmit = () => state === 'closed' || (state === 'open' && nowMs() >= openUntilMs);

  return {
    async admit() {
      if (!mayAdmit()) return undefined;
      if (state === 'open') {
        become('half_open', '');
        const othersForMs = await shared?.takeTrial(pauseMs);
        if (othersForMs === null) become('closed');
        else if (othersForMs) {
          become('open', undefined, othersForMs);
          return undefined;
        }
      }
      return pass();
    },
    mayAdmit,
    get state() {
      return state;
    },
  };
}
