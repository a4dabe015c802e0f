/**
 * One third party that answers while a visitor or a lead waits: every call of it goes through its
 * circuit, has its time-out, is read strictly, and is told to the observer. A call never throws and
 * never takes longer than its time-out: whoever asks has a default for what is not `answered`.
 */
import * as v from 'valibot';
import type { Asked } from '../leads/ports.ts';
import { type Circuit, createCircuit } from './circuit.ts';
import { type OutgoingAnswer, OutgoingError, type OutgoingHttp } from './outgoing-http.ts';
import type { CircuitState, ServiceObserver, ServiceOutcome } from './service-observer.ts';

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

export type ServiceOptions = {
  readonly name: string;
  readonly http: Pick<OutgoingHttp, 'request'>;
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly circuit?: Circuit;
  readonly observer?: ServiceObserver | undefined;
};

/** How circuits of all services are set. */
export type CircuitSettings = { readonly failures: number; readonly pauseMs: number };

/** The circuit of a service that tells its observer, and the operators once when it opens and closes. */
export function createServiceCircuit(
  name: string,
  settings: CircuitSettings,
  tell: {
    alert(text: string, facts: Record<string, string>): void;
    observer?: ServiceObserver | undefined;
  },
): Circuit {
  const onChange = (state: CircuitState, before: CircuitState) => {
    tell.observer?.circuitChanged(name, state);
    if (state === 'open' && before === 'closed') {
      const text = `The service "${name}" fails and is left alone for a while; its default stands in`;
      tell.alert(text, { service: name });
    }
    if (state === 'closed') tell.alert(`The service "${name}" answers again`, { service: name });
  };
  return createCircuit({ ...settings, onChange });
}

/** Answers to what was asked, and not about the service: none of these comes of an outage or a wrong key. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 413, 414, 422]);

export function createService(options: ServiceOptions): Service {
  const { name, http, baseUrl, timeoutMs, circuit, observer } = options;
  const base = baseUrl.replace(/\/+$/, '');

  function told<Said>(outcome: ServiceOutcome, startedAtMs: number, said?: Said): Asked<Said> {
    const durationMs = Math.round(performance.now() - startedAtMs);
    observer?.called(name, outcome, durationMs);
    return { outcome, durationMs, said: outcome === 'answered' ? said : undefined };
  }

  return {
    name,
    timeoutMs,
    mayBeAsked: () => circuit?.mayAdmit() ?? true,
    async ask(request, read) {
      const startedAtMs = performance.now();
      const pass = circuit === undefined ? noCircuit : circuit.admit();
      if (pass === undefined) return told('skipped', startedAtMs);
      const { path, headers = {}, ...rest } = request;
      let status: number | undefined;
      try {
        const url = path === '' ? baseUrl : base + path;
        const answer = await http.request({
          ...rest,
          url,
          headers: { accept: 'application/json', ...headers },
          timeoutMs,
        });
        status = answer.status;
        const said = read(answer);
        if (said === undefined) throw new TypeError('An answer that nobody understands');
        pass.succeeded();
        return told('answered', startedAtMs, said);
      } catch (error) {
        if (status !== undefined && REFUSALS.has(status)) pass.refused();
        else pass.failed();
        const isLate = error instanceof OutgoingError && error.failure === 'timeout';
        return told(isLate ? 'timed_out' : 'failed', startedAtMs);
      }
    },
  };
}

const noCircuit = {
  succeeded: () => undefined,
  failed: () => undefined,
  refused: () => undefined,
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
