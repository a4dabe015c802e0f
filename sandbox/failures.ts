/** The failures that the sandbox can simulate. */
import * as v from 'valibot';
import type { Answer, StandIn } from './service.ts';

/**
 * The ways in which a service can fail. Only requests in the last three modes have an effect.
 * - `timeout`, `reset`: no answer; the connection stays open until the caller gives up, or is reset
 * - `500`, `429`, `410`: the answer has that status (429 with Retry-After)
 * - `credentials`, `account_closed`, `cap_reached`: the vendor refuses our account, not the request
 * - `duplicate`: the vendor's answer to a duplicate
 * - `garbage`: status 200 with a body that is not JSON
 * - `too_large`: status 200 with one megabyte of JSON
 * - `redirect`: status 302 to a URL of the sandbox; a caller that follows the redirect causes a violation
 * - `slow`: the usual answer after `delay_ms`
 * - `accept_then_hang`, `accept_then_reset`: the effect happens, but the caller gets no answer
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
  /** The number of requests that fail. Default: all requests until the failure is turned off. */
  times: v.optional(wholeNumber(1, 1_000_000)),
  /** The delay before the answer or the reset, in milliseconds. Default for `slow`: 2,000. */
  delay_ms: v.optional(wholeNumber(0, 600_000)),
  /** The value of Retry-After for mode `429`, in seconds. Default: 1. */
  retry_after: v.optional(wholeNumber(0, 86_400)),
});

export type Failure = v.InferOutput<typeof failureSchema>;

const LARGE_BODY = 1_000_000;

const plainAnswers: Readonly<Partial<Record<FailureMode, readonly [number, string]>>> = {
  '429': [429, 'Too Many Requests'],
  '410': [410, 'Gone'],
  credentials: [401, 'Unauthorized'],
  account_closed: [401, 'Unauthorized'],
  cap_reached: [401, 'Unauthorized'],
  duplicate: [409, 'Duplicate'],
};

/** Returns the answer of a service that simulates a failure. */
export function failureAnswer(standIn: StandIn, { mode, retry_after = 1 }: Failure): Answer {
  if (mode === 'garbage') {
    const headers = { 'content-type': 'text/html; charset=utf-8' };
    return { status: 200, headers, body: '<!doctype html><html><h1>It works!</h1>{"status":' };
  }
  if (mode === 'too_large') return { status: 200, body: { padding: 'x'.repeat(LARGE_BODY) } };
  if (mode === 'redirect') return { status: 302, headers: { location: '/elsewhere' }, body: '' };
  const [status, error] = plainAnswers[mode] ?? [500, 'Internal Server Error'];
  const body = standIn.failureBodies?.[mode];
  return {
    status: body !== undefined && (status === 401 || status === 409) ? 200 : status,
    body: body ?? { error },
    ...(status === 429 && { headers: { 'retry-after': String(retry_after) } }),
  };
}

/** The active failures, at most one for each service. */
export class Failures {
  readonly #active = new Map<string, Failure>();
  #cleared = new AbortController();

  /** Turns a failure on. An earlier failure of the same service ends. */
  set(failure: Failure): void {
    this.#active.set(failure.service, failure);
  }

  /** Returns the failure for a service's next request, and lowers the failure's `times` by one. */
  take(service: string): Failure | undefined {
    const failure = this.#active.get(service);
    if (failure?.times === 1) this.#active.delete(service);
    else if (failure?.times) this.#active.set(service, { ...failure, times: failure.times - 1 });
    return failure;
  }

  list(): Failure[] {
    return [...this.#active.values()];
  }

  /** Aborts when a failure is turned off, which ends the delays of all services. */
  get cleared(): AbortSignal {
    return this.#cleared.signal;
  }

  /** Turns off the failure of one service. Default: of all services. */
  clear(service?: string): void {
    if (service === undefined) this.#active.clear();
    else this.#active.delete(service);
    this.#cleared.abort();
    this.#cleared = new AbortController();
  }
}
