/** What is told of each call to a third party that answers while a visitor or a lead waits. */
import type { AskOutcome } from '../lookups/ask.ts';

export type ServiceOutcome = AskOutcome;

/** `half_open`: one call is let through to see whether the service is back. */
export type CircuitState = 'closed' | 'open' | 'half_open';

export type ServiceObserver = {
  /** @param service its name in settings and metrics, for example `phone` */
  called(service: string, outcome: ServiceOutcome, durationMs: number): void;
  circuitChanged(service: string, state: CircuitState): void;
};
