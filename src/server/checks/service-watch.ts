/** Observes the services that answer while somebody waits, and remembers how each does, for the operators' console. */
import type { AskOutcome } from './ask.ts';
import type { CircuitState } from './circuit.ts';

export type ServiceObserver = {
  /** @param service its name in settings and metrics, such as `phone` */
  called(service: string, outcome: AskOutcome, durationMs: number): void;
  circuitChanged(service: string, state: CircuitState): void;
};

/** How a service does. */
export type ServiceState = {
  readonly circuit: CircuitState;
  readonly lastFailure: { readonly at: Date; readonly text: string } | null;
};

/** Creates an observer that remembers, and passes everything on to another one. */
export function watchServices(next: ServiceObserver | undefined): {
  readonly observer: ServiceObserver;
  /** Returns the services that were called, by name. */
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
