/** Returns a promise's result; undefined if the promise fails or takes longer than `limitMs`. */
export async function inTime<Result>(work: Promise<Result>, limitMs: number) {
  const { promise: tooLate, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, limitMs);
  const done = work.catch(() => undefined).finally(() => clearTimeout(timer));
  return Promise.race([done, tooLate]);
}
