import * as v from 'valibot';
import { type ServiceName, serviceNames } from './service.ts';

/**
 * The ways in which a service can be told to fail.
 *
 * - `timeout`: no effect, no answer, the connection stays open until the caller gives up
 * - `reset`: no effect, the connection is reset
 * - `500`, `429`, `410`: no effect, that status (429 with Retry-After)
 * - `credentials`, `account_closed`, `cap_reached`: no effect, the vendor refuses our account and not the
 *   request (401 where the vendor has no words of its own)
 * - `duplicate`: no effect, the vendor's "I have that already"
 * - `garbage`: no effect, 200 with something that is no JSON
 * - `too_large`: no effect, 200 with JSON of a megabyte
 * - `redirect`: no effect, 302 to `location` (default: a link-local address that must not be followed)
 * - `slow`: served as usual, the answer comes after `delay_ms`
 * - `accept_then_hang`: the effect is made, the answer never comes
 * - `accept_then_reset`: the effect is made, then the connection is reset
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

/** What `POST /_sandbox/fail` takes. */
export const failureSchema = v.strictObject({
  service: v.picklist(serviceNames),
  mode: v.picklist(failureModes),
  /** How many requests fail; absent: all, until it is taken back. */
  times: v.optional(wholeNumber(1, 1_000_000)),
  /** Pause before the answer (or before the reset), in milliseconds. `slow` without it takes 2,000. */
  delay_ms: v.optional(wholeNumber(0, 600_000)),
  /** Retry-After of a 429, in seconds; default 1. */
  retry_after: v.optional(wholeNumber(0, 86_400)),
  /** Where `redirect` points. */
  location: v.optional(v.pipe(v.string(), v.url())),
});

export type Failure = v.InferOutput<typeof failureSchema>;

/** Default target of `redirect`: what a server must never fetch because someone outside said so. */
export const privateLocation = 'http://169.254.169.254/latest/meta-data/';

/** The failures that are on, at most one a service. */
export class Failures {
  readonly #active = new Map<ServiceName, Failure>();
  /** What waits for the end of its delay, by service. */
  readonly #waiting = new Map<ServiceName, Set<() => void>>();

  /** Turns a failure on, in place of the service's earlier one. */
  set(failure: Failure): void {
    this.#active.set(failure.service, { ...failure });
  }

  /** The failure that the next request of a service meets; counts `times` down. */
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

  /** Calls `end` when the failure of a service is turned off. Returns what takes that back. */
  onClear(service: ServiceName, end: () => void): () => void {
    const waiting = this.#waiting.get(service) ?? new Set();
    this.#waiting.set(service, waiting.add(end));
    return () => void waiting.delete(end);
  }

  /** Turns the failure of one service off, or all of them. Answers that it delays are sent now. */
  clear(service?: ServiceName): void {
    const cleared = service === undefined ? serviceNames : [service];
    for (const name of cleared) {
      this.#active.delete(name);
      for (const end of [...(this.#waiting.get(name) ?? [])]) end();
    }
  }
}
