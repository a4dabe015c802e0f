/** docs/specification.md#call-tracking: how often a widget is looked at. */
export const WIDGET_POLL_MS = 5;
/** docs/specification.md#consent-certificates: how often the LeadiD token is looked for. */
export const LEADID_POLL_MS = 50;
/** What has not come by then is no longer looked for. */
export const POLL_LIMIT_MS = 10_000;

export function wait(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms));
}

/**
 * Looks until there is something to see.
 *
 * @returns what `look` found, or undefined when the limit is reached
 */
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
