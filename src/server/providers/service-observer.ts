/** Observes calls to third parties that answer while a visitor or a lead waits. */
import type { AskOutcome } from '../lookups/ask.ts';

export type ServiceOutcome = AskOutcome;

/** `half_open`: a trial call is running. */
export type CircuitState = 'closed' | 'open' | 'half_open';

export type ServiceObserver = {
  /** @param service its name in settings and metrics, such as `phone` */
  called(service: string, outcome: ServiceOutcome, durationMs: number): void;
  circuitChanged(service: string, state: CircuitState): void;
};
