/** Calls third parties through a circuit breaker (docs/decisions/0024-checks.md). */
import { failureReason } from '../platform/outgoing-answer.ts';
import {
  type OutgoingAnswer,
  OutgoingError,
  type OutgoingHttp,
} from '../platform/outgoing-http.ts';

/** The outcome of a question. `failed`: no valid answer. `skipped`: the circuit is open. */
type AskOutcome = 'answered' | 'failed' | 'timed_out' | 'skipped';

/** The result of asking a third party. `said` is the answer if the outcome is `answered`. */
export type Asked<Said> = {
  readonly outcome: AskOutcome;
  readonly said?: Said | undefined;
  /** The status and message of a failure, without personal data. */
  readonly reason?: string | undefined;
  readonly durationMs: number;
};

/** Asks a third party about one value within a time-out. Never throws. */
export type Ask<Value, Said> = (value: Value) => Promise<Asked<Said>>;

/** The names, in `lead_checks`, of the services that are asked about leads. */
export type CheckedService =
  | 'phone'
  | 'email'
  | 'gibberish'
  | 'zip'
  | 'mapping'
  | 'buyers'
  | 'verification';

/** The record of one question to a third party about a lead. */
export type LeadCheck = {
  readonly leadId: string;
  readonly service: CheckedService;
  /** The hash of the value that the question is about. */
  readonly asked: string;
  readonly at: Date;
  readonly durationMs: number;
  /** The outcome of the check. `remembered`: the cache answered. */
  readonly outcome: AskOutcome | 'remembered' | 'over_limit';
  readonly said?: Readonly<Record<string, unknown>> | undefined;
  readonly reason?: string | undefined;
};

/** Records a check in the background, unless the secret is wrong or the lead was erased. */
export type RecordCheck = (check: LeadCheck, secretSha256: string | null) => void;

/** The state of a circuit breaker. `half_open`: one call tests whether the service works. */
export type CircuitState = 'closed' | 'open' | 'half_open';

/**
 * How an admitted call ended. `refused`: the service rejects the value. `denied`: the service
 * refuses our account.
 */
type CallEnd = 'succeeded' | 'failed' | 'refused' | 'denied';

type Circuit = ReturnType<typeof createCircuit>;

type CircuitOptions = {
  /** Number of consecutive failures that open the circuit breaker. */
  readonly failures: number;
  readonly pauseMs: number;
  /** Called when the state of the circuit breaker changes. */
  readonly onChange?: (state: CircuitState, before: CircuitState, reason: string) => void;
  /** Returns the time of a monotonic clock in milliseconds. */
  readonly nowMs?: () => number;
};

export function createCircuit(options: CircuitOptions) {
  const { failures, pauseMs, onChange, nowMs = () => performance.now() } = options;
  let state: CircuitState = 'closed';
  let failuresInRow = 0;
  let openUntilMs = 0;
  let hasSucceeded = false;
  /** Number of state changes. The result of a call that began before the last change is ignored. */
  let era = 0;

  function become(next: CircuitState, reason = ''): void {
    const before = state;
    state = next;
    era += 1;
    failuresInRow = 0;
    if (next === 'open') openUntilMs = nowMs() + pauseMs;
    onChange?.(next, before, reason);
  }

  function ended(end: CallEnd, reason: string): void {
    if (end === 'succeeded') {
      hasSucceeded = true;
      failuresInRow = 0;
    }
    if (end === 'succeeded' || (end === 'refused' && hasSucceeded)) {
      if (state === 'half_open') become('closed');
      return;
    }
    failuresInRow += 1;
    const isOver = end === 'denied' || failuresInRow >= failures || state === 'half_open';
    if (isOver) become('open', reason);
  }

  const mayAdmit = () => state === 'closed' || (state === 'open' && nowMs() >= openUntilMs);
  return {
    /** Admits a call if the circuit breaker allows it. Returns the function that ends the call. */
    admit(): ((end: CallEnd, reason?: string) => void) | undefined {
      if (!mayAdmit()) return undefined;
      if (state === 'open') become('half_open');
      const admittedIn = era;
      return (end, reason = '') => {
        if (era === admittedIn) ended(end, reason);
      };
    },
    mayAdmit,
    get state() {
      return state;
    },
  };
}

export type ServiceObserver = {
  /** Called after each call of a service. */
  called(service: string, outcome: AskOutcome, durationMs: number): void;
  circuitChanged(service: string, state: CircuitState): void;
};

/** The state of a service, as operators see it. */
export type ServiceState = {
  readonly circuit: CircuitState;
  readonly lastFailure: { readonly at: Date; readonly text: string } | null;
};

/** Creates an observer of services that remembers the state of each service. */
export function watchServices(next: ServiceObserver | undefined): {
  readonly observer: ServiceObserver;
  /** Returns the state of each service that was called, by the service's name. */
  states(): ReadonlyMap<string, ServiceState>;
} {
  const states = new Map<string, ServiceState>();
  const note = (service: string, change: Partial<ServiceState>) => {
    const before = states.get(service) ?? { circuit: 'closed', lastFailure: null };
    states.set(service, { ...before, ...change });
  };
  return {
    states: () => states,
    observer: {
      called(service, outcome, durationMs) {
        const text = outcome === 'timed_out' ? `No answer in ${durationMs} ms` : 'No usable answer';
        const isFailure = outcome === 'failed' || outcome === 'timed_out';
        note(service, isFailure ? { lastFailure: { at: new Date(), text } } : {});
        next?.called(service, outcome, durationMs);
      },
      circuitChanged(service, circuit) {
        note(service, { circuit });
        next?.circuitChanged(service, circuit);
      },
    },
  };
}

export type ServiceRequest = {
  readonly method: 'GET' | 'POST';
  /** The path appended to the service's URL. May be empty. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** Returns a request that posts JSON. */
export function postJson(path: string, body: unknown): ServiceRequest {
  const headers = { 'content-type': 'application/json' };
  return { method: 'POST', path, headers, body: JSON.stringify(body) };
}

export type Service = ReturnType<typeof createService>;

/** Thrown if a service refuses our account, for example because of a wrong key. */
export class AccountRefusedError extends Error {
  override readonly name = 'AccountRefusedError';
}

type ServiceOptions = {
  /** The service's name in settings, records and metrics. */
  readonly name: string;
  readonly http: Pick<OutgoingHttp, 'request'>;
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly circuit?: Circuit;
  readonly observer?: ServiceObserver | undefined;
  /** Called for each failed call, with a reason that contains no personal data. */
  readonly onFailure?: ((reason: string, durationMs: number) => void) | undefined;
};

/** Creates a service's circuit breaker, which alerts operators when its state changes. */
export function createServiceCircuit(
  name: string,
  settings: Pick<CircuitOptions, 'failures' | 'pauseMs'>,
  observers: {
    alert(text: string, facts: Record<string, string>): void;
    observer?: ServiceObserver | undefined;
  },
  settingNames: readonly string[] = [],
): Circuit {
  const check = settingNames.length > 0 ? `; check ${settingNames.join(', ')}` : '';
  const onChange = (state: CircuitState, before: CircuitState, reason: string) => {
    observers.observer?.circuitChanged(name, state);
    if (state === 'open' && before === 'closed') {
      observers.alert(
        `The service "${name}" keeps failing and is not called for a while; its default is used. ` +
          `It said: ${reason}${check}`,
        { service: name },
      );
    }
    if (state === 'closed')
      observers.alert(`The service "${name}" answers again`, { service: name });
  };
  return createCircuit({ ...settings, onChange });
}

/** HTTP statuses that mean that the service rejects the value. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 413, 414, 422]);

export function createService(options: ServiceOptions) {
  const { name, http, baseUrl, timeoutMs, observer, onFailure } = options;
  const { circuit = createCircuit({ failures: Number.POSITIVE_INFINITY, pauseMs: 0 }) } = options;
  const base = baseUrl.replace(/\/+$/, '');

  let lastReason: string | undefined;
  let hasAnswered = false;

  /** Reports the end of a call to the observer. */
  function ended<Said>(outcome: AskOutcome, startedAtMs: number, said?: Said): Asked<Said> {
    const durationMs = Math.round(performance.now() - startedAtMs);
    observer?.called(name, outcome, durationMs);
    if (outcome === 'answered') return { outcome, durationMs, said };
    if (outcome !== 'skipped') onFailure?.(lastReason ?? '', durationMs);
    return { outcome, durationMs, reason: lastReason };
  }

  /** Returns whether the service refuses our account. */
  const deniesAccount = (error: unknown, status: number | undefined) =>
    error instanceof AccountRefusedError ||
    status === 401 ||
    status === 402 ||
    (status === 403 && !hasAnswered);

  return {
    name,
    timeoutMs,
    /** Returns false while the circuit breaker prevents calls. */
    mayBeAsked: circuit.mayAdmit,
    /** Asks the service. The call fails if `read` throws or returns undefined. */
    async ask<Said>(
      request: ServiceRequest,
      read: (answer: OutgoingAnswer) => Said | undefined,
    ): Promise<Asked<Said>> {
      const startedAtMs = performance.now();
      const end = circuit.admit();
      if (end === undefined) return ended('skipped', startedAtMs);
      const { path, headers = {}, ...rest } = request;
      let answer: OutgoingAnswer | undefined;
      try {
        const url = path === '' ? baseUrl : base + path;
        answer = await http.request({
          ...rest,
          url,
          headers: { accept: 'application/json', ...headers },
          timeoutMs,
        });
        const said = read(answer);
        if (said === undefined) throw new TypeError('The answer is invalid');
        end('succeeded');
        hasAnswered = true;
        return ended('answered', startedAtMs, said);
      } catch (error) {
        const isOutgoing = error instanceof OutgoingError;
        const reason = answer
          ? failureReason(answer, { path, headers, body: rest.body })
          : isOutgoing
            ? error.message
            : 'the call failed';
        lastReason = reason;
        if (deniesAccount(error, answer?.status)) end('denied', reason);
        else end(answer && REFUSALS.has(answer.status) ? 'refused' : 'failed', reason);
        const isLate = isOutgoing && error.failure === 'timeout';
        return ended(isLate ? 'timed_out' : 'failed', startedAtMs);
      }
    },
  };
}
