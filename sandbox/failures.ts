import * as v from 'valibot';
import type { ServiceName } from './service.ts';

/**
 * The ways in which a service can fail.
 *
 * - `timeout`: no effect, no answer, the connection stays open until the caller gives up
 * - `reset`: no effect, the connection is reset
 * - `500`, `429`, `410`: no effect, that status (429 with Retry-After)
 * - `credentials`, `account_closed`, `cap_reached`: no effect, the vendor refuses our account, not the
 * request (401 unless the vendor has its own answer)
 * - `duplicate`: no effect, the vendor's answer to a duplicate
 * - `garbage`: no effect, 200 with a body that is not JSON
 * - `too_large`: no effect, 200 with JSON of a megabyte
 * - `redirect`: no effect, 302 to `location` (default: a link-local address that must not be followed)
 * - `slow`: the usual answer after `delay_ms`
 * - `accept_then_hang`: the effect happens, the answer never comes
 * - `accept_then_reset`: the effect happens, then the connection is reset
 */
export const failureModes = [
  'timeout',
  'reset',
  '500',
  '429',
  '410',
  'credentials',
  'account_closed',
  'cap_reached',
  'duplicate',
  'garbage',
  'too_large',
  'redirect',
  'slow',
  'accept_then_hang',
  'accept_then_reset',
] as const;

export type FailureMode = (typeof failureModes)[number];

const wholeNumber = (least: number, most: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));

/** The body of `POST /_sandbox/fail`. */
export const failureSchema = v.strictObject({
  service: v.string(),
  mode: v.picklist(failureModes),
  /** How many requests fail; default: all, until the failure is turned off. */
  times: v.optional(wholeNumber(1, 1_000_000)),
  /** Pause before the answer (or the reset), in milliseconds. Default for `slow`: 2,000. */
  delay_ms: v.optional(wholeNumber(0, 600_000)),
  /** Retry-After of a 429, in seconds; default 1. */
  retry_after: v.optional(wholeNumber(0, 86_400)),
  /** The target of `redirect`. */
  location: v.optional(v.pipe(v.string(), v.url())),
});

export type Failure = v.InferOutput<typeof failureSchema>;

/** Default target of `redirect`: an address that a server must never fetch for an outsider. */
export const privateLocation = 'http://169.254.169.254/latest/meta-data/';

/** The active failures, at most one per service. */
export class Failures {
  readonly #active = new Map<ServiceName, Failure>();
  /** Callbacks of delayed answers, by service. */
  readonly #waiting = new Map<ServiceName, Set<() => void>>();

  /** Turns a failure on, replacing the service's earlier one. */
  set(failure: Failure): void {
    this.#active.set(failure.service, { ...failure });
  }

  /** Returns the failure of a service's next request, and counts `times` down. */
  take(service: ServiceName): Failure | undefined {
    const failure = this.#active.get(service);
    if (!failure) return undefined;
    if (failure.times !== undefined) {
      if (failure.times <= 1) this.#active.delete(service);
      else this.#active.set(service, { ...failure, times: failure.times - 1 });
    }
    return failure;
  }

  list(): Failure[] {
    return [...this.#active.values()].map((failure) => ({ ...failure }));
  }

  /** Calls `end` when the service's failure is turned off. Returns a function that cancels this. */
  onClear(service: ServiceName, end: () => void): () => void {
    const waiting = this.#waiting.get(service) ?? new Set();
    this.#waiting.set(service, waiting.add(end));
    return () => void waiting.delete(end);
  }

  /** Turns the failure of one service off, or all of them. Sends the answers that it delayed. */
  clear(service?: ServiceName): void {
    const all = [...this.#active.keys(), ...this.#waiting.keys()];
    const cleared = service === undefined ? all : [service];
    for (const name of cleared) {
      this.#active.delete(name);
      for (const end of [...(this.#waiting.get(name) ?? [])]) end();
    }
  }
}
