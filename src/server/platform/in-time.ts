import { setTimeout as sleep } from 'node:timers/promises';

/** Returns a promise's result; undefined if the promise fails or takes longer than `limitMs`. */
export async function inTime<Result>(work: Promise<Result>, limitMs: number) {
  const { promise: tooLate, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, limitMs);
  const done = work.catch(() => undefined).finally(() => clearTimeout(timer));
  return Promise.race([done, tooLate]);
}

/** Waits for a time, or until the signal is aborted. */
export async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
