/** What comes within a time, in milliseconds; undefined for what does not, and for what fails. */
export async function inTime<Result>(
  work: Promise<Result>,
  limitMs: number,
): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  try {
    return await Promise.race([work.catch(() => undefined), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
