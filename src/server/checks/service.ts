/**
 * A third party that answers while a visitor or a lead waits. Every call goes through its circuit breaker, has a
 * time-out, is validated, and is reported to the observer. A call never throws: the caller uses a default unless
 * the outcome is `answered`.
 */

import { failureReason } from '../platform/outgoing-answer.ts';
import {
  type OutgoingAnswer,
  OutgoingError,
  type OutgoingHttp,
} from '../platform/outgoing-http.ts';
import type { Asked, AskOutcome } from './ask.ts';
import { type Circuit, type CircuitState, createCircuit } from './circuit.ts';
import type { ServiceObserver } from './service-watch.ts';

export type ServiceRequest = {
  readonly method: 'GET' | 'POST';
  /** Appended to the service's address; may be empty. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** Returns a request that posts JSON. */
export function postJson(path: string, body: unknown): ServiceRequest {
  const headers = { 'content-type': 'application/json' };
  return { method: 'POST', path, headers, body: JSON.stringify(body) };
}

export type Service = {
  /** The name in settings, records and metrics. */
  readonly name: string;
  readonly timeoutMs: number;
  /** Returns false if the circuit is open, so that a call would be `skipped`. */
  mayBeAsked(): boolean;
  /** @param read parses the answer; if it throws or returns undefined, the call has failed */
  ask<Said>(
    request: ServiceRequest,
    read: (answer: OutgoingAnswer) => Said | undefined,
  ): Promise<Asked<Said>>;
};

/** Thrown by `read` if the answer refuses our account: a wrong key, no credits left. */
export class AccountRefusedError extends Error {
  override readonly name = 'AccountRefusedError';
}

type ServiceOptions = {
  readonly name: string;
  readonly http: Pick<OutgoingHttp, 'request'>;
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly circuit?: Circuit;
  readonly observer?: ServiceObserver | undefined;
  /** Called for each failed call with the reason, which has no personal data. */
  readonly onFailure?: ((reason: string, durationMs: number) => void) | undefined;
};

/** The settings of all services' circuits. */
type CircuitSettings = { readonly failures: number; readonly pauseMs: number };

/**
 * Creates a service's circuit, which informs the observer, and alerts operators when it opens or closes.
 * @param settingNames the settings that operators should check first
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
  const check = settingNames.length > 0 ? `; check ${settingNames.join(', ')}` : '';
  const onChange = (state: CircuitState, before: CircuitState, reason: string) => {
    tell.observer?.circuitChanged(name, state);
    if (state === 'open' && before === 'closed') {
      tell.alert(
        `The service "${name}" keeps failing and is not called for a while; its default is used. ` +
          `It said: ${reason}${check}`,
        { service: name },
      );
    }
    if (state === 'closed') tell.alert(`The service "${name}" answers again`, { service: name });
  };
  return createCircuit({ ...settings, onChange });
}

/** Statuses that reject the value; no outage and no wrong key causes them. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 413, 414, 422]);

export function createService(options: ServiceOptions): Service {
  const { name, http, baseUrl, timeoutMs, observer, onFailure } = options;
  const { circuit = createCircuit({ failures: Number.POSITIVE_INFINITY, pauseMs: 0 }) } = options;
  const base = baseUrl.replace(/\/+$/, '');

  /** The reason of the last failure. */
  let lastReason: string | undefined;
  let hasAnswered = false;

  /** Reports the end of a call that began at a time. */
  function ended<Said>(outcome: AskOutcome, startedAtMs: number, said?: Said): Asked<Said> {
    const durationMs = Math.round(performance.now() - startedAtMs);
    observer?.called(name, outcome, durationMs);
    if (outcome === 'answered') return { outcome, durationMs, said };
    if (outcome !== 'skipped') onFailure?.(lastReason ?? '', durationMs);
    return { outcome, durationMs, reason: lastReason };
  }

  /** 403 may be about the value if others were accepted, because firewalls refuse some. */
  const deniesAccount = (error: unknown, status: number | undefined) =>
    error instanceof AccountRefusedError ||
    status === 401 ||
    status === 402 ||
    (status === 403 && !hasAnswered);

  return {
    name,
    timeoutMs,
    mayBeAsked: circuit.mayAdmit,
    async ask(request, read) {
      const startedAtMs = performance.now();
      const pass = circuit.admit();
      if (pass === undefined) return ended('skipped', startedAtMs);
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
        pass.succeeded();
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
        if (deniesAccount(error, answer?.status)) pass.denied(reason);
        else if (answer && REFUSALS.has(answer.status)) pass.refused(reason);
        else pass.failed(reason);
        const isLate = isOutgoing && error.failure === 'timeout';
        return ended(isLate ? 'timed_out' : 'failed', startedAtMs);
      }
    },
  };
}
