/**
 * One third party that answers while a visitor or a lead waits: every call of it goes through its
 * circuit, has its time-out, is read strictly, and is told to the observer. A call never throws and
 * never takes longer than its time-out: whoever asks has a default for what is not `answered`.
 */
import * as v from 'valibot';
import type { Asked } from '../lookups/ask.ts';
import { type Circuit, createCircuit } from './circuit.ts';
import { type OutgoingAnswer, OutgoingError, type OutgoingHttp } from './outgoing-http.ts';
import type { CircuitState, ServiceObserver, ServiceOutcome } from './service-observer.ts';
import { failureReason } from './vendor-message.ts';

export type ServiceRequest = {
  readonly method: 'GET' | 'POST';
  /** Appended to the service's address; empty: the address itself. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

export type Service = {
  /** Its name in settings, records and metrics. */
  readonly name: string;
  readonly timeoutMs: number;
  /** False: its circuit is open, and a call would be `skipped`. */
  mayBeAsked(): boolean;
  /** @param read what the answer says; what it throws, or undefined, is an answer nobody understands */
  ask<Said>(
    request: ServiceRequest,
    read: (answer: OutgoingAnswer) => Said | undefined,
  ): Promise<Asked<Said>>;
};

/** Thrown by `read` for an answer that refuses our account: a wrong key, no credits left. */
export class AccountRefusedError extends Error {
  override readonly name = 'AccountRefusedError';
}

export type ServiceOptions = {
  readonly name: string;
  readonly http: Pick<OutgoingHttp, 'request'>;
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly circuit?: Circuit;
  readonly observer?: ServiceObserver | undefined;
  /** Told of each call that failed, with why, free of personal data. */
  readonly onFailure?: ((reason: string, durationMs: number) => void) | undefined;
};

/** How circuits of all services are set. */
export type CircuitSettings = { readonly failures: number; readonly pauseMs: number };

/**
 * The circuit of a service that tells its observer, and the operators once when it opens and closes.
 * @param settingNames the settings that an operator looks at first
 */
export function createServiceCircuit(
  name: string,
  settings: CircuitSettings,
  tell: {
    alert(text: string, facts: Record<string, string>): void;
    observer?: ServiceObserver | undefined;
  },
  settingNames: readonly string[] = [],
): Circuit {
  const look = settingNames.length > 0 ? `; look at ${settingNames.join(', ')}` : '';
  const onChange = (state: CircuitState, before: CircuitState, reason: string) => {
    tell.observer?.circuitChanged(name, state);
    if (state === 'open' && before === 'closed') {
      tell.alert(
        `The service "${name}" fails and is left alone for a while; its default stands in. ` +
          `It said: ${reason}${look}`,
        { service: name },
      );
    }
    if (state === 'closed') tell.alert(`The service "${name}" answers again`, { service: name });
  };
  return createCircuit({ ...settings, onChange });
}

/** Answers to what was asked, and not about the service: none of these comes of an outage or a wrong key. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 413, 414, 422]);

export function createService(options: ServiceOptions): Service {
  const { name, http, baseUrl, timeoutMs, circuit, observer, onFailure } = options;
  const base = baseUrl.replace(/\/+$/, '');

  /** Why the last call that failed did so. */
  let lastReason: string | undefined;
  let hasAnswered = false;

  function answered<Said>(startedAtMs: number, said: Said): Asked<Said> {
    const durationMs = Math.round(performance.now() - startedAtMs);
    observer?.called(name, 'answered', durationMs);
    return { outcome: 'answered', durationMs, said };
  }

  function notAnswered(
    outcome: Exclude<ServiceOutcome, 'answered'>,
    startedAtMs: number,
  ): Asked<never> {
    const durationMs = Math.round(performance.now() - startedAtMs);
    observer?.called(name, outcome, durationMs);
    if (outcome !== 'skipped') onFailure?.(lastReason ?? '', durationMs);
    return { outcome, durationMs, reason: lastReason };
  }

  /** 403 may be about the value where the service took others: firewalls refuse some. */
  const deniesAccount = (error: unknown, status: number | undefined) =>
    error instanceof AccountRefusedError ||
    status === 401 ||
    status === 402 ||
    (status === 403 && !hasAnswered);

  return {
    name,
    timeoutMs,
    mayBeAsked: () => circuit?.mayAdmit() ?? true,
    async ask(request, read) {
      const startedAtMs = performance.now();
      const pass = circuit === undefined ? noCircuit : circuit.admit();
      if (pass === undefined) return notAnswered('skipped', startedAtMs);
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
        if (said === undefined) throw new TypeError('An answer that nobody understands');
        pass.succeeded();
        hasAnswered = true;
        return answered(startedAtMs, said);
      } catch (error) {
        const isOutgoing = error instanceof OutgoingError;
        const reason = answer
          ? failureReason(answer, { path, headers, body: rest.body })
          : isOutgoing
            ? error.message
            : 'the call failed';
        lastReason = reason;
        if (deniesAccount(error, answer?.status)) pass.denied(reason);
        else if (answer && REFUSALS.has(answer.status)) pass.refused(reason);
        else pass.failed(reason);
        const isLate = isOutgoing && error.failure === 'timeout';
        return notAnswered(isLate ? 'timed_out' : 'failed', startedAtMs);
      }
    },
  };
}

const noCircuit = {
  succeeded: () => undefined,
  failed: () => undefined,
  refused: () => undefined,
  denied: () => undefined,
};

/** JSON of one shape with a status of 200 to 299, whole; undefined for anything else. */
export function readJson<Output>(
  schema: v.GenericSchema<unknown, Output>,
): (answer: OutgoingAnswer) => Output | undefined {
  return ({ status, text, truncated }) => {
    if (status < 200 || status > 299 || truncated) return undefined;
    const read = v.safeParse(schema, JSON.parse(text));
    return read.success ? read.output : undefined;
  };
}
