/** docs/specification.md#call-tracking: pause between two looks at a widget. */
export const WIDGET_POLL_MS = 5;
const POLL_LIMIT_MS = 10_000;

export function wait(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms));
}

/** Calls `look` until it finds something. @returns what it found, or undefined at the limit */
export async function poll<Found>(
  look: () => Found | undefined,
  everyMs: number,
  limitMs: number = POLL_LIMIT_MS,
): Promise<Found | undefined> {
  const until = Date.now() + limitMs;
  for (;;) {
    const found = look();
    if (found !== undefined || Date.now() >= until) return found;
    await wait(everyMs);
  }
}
