import type {
  CollectedFields,
  ThirdPartyScript,
} from '../../../model/messages/script-declarations.ts';

declare global {
  interface Window {
    InvocaTagId?: string;
  }
}

const IDLE_LIMIT_MS = 2000;
/** Pause before work in browsers without `requestIdleCallback`. */
const IDLE_GUESS_MS = 200;

/** Pause between two searches for the widget's number (docs/specification.md#call-tracking). */
export const WIDGET_POLL_MS = 5;
const POLL_LIMIT_MS = 10_000;

/** Calls `look` until it returns a value or the time limit has passed. */
export async function poll<Found>(
  look: () => Found | undefined,
  everyMs: number,
): Promise<Found | undefined> {
  const until = Date.now() + POLL_LIMIT_MS;
  for (;;) {
    const found = look();
    if (found !== undefined || Date.now() >= until) return found;
    // Importing `wait` would move this file's code into every survey's first script.
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/** Adds a script. Resolves to whether the script has loaded. */
export function loadScript(src: string, id = ''): Promise<boolean> {
  return new Promise((resolve) => {
    const script = document.createElement('script');
    script.async = true;
    script.referrerPolicy = 'no-referrer';
    script.id = id;
    script.src = src;
    script.onload = () => resolve(true);
    script.onerror = () => resolve(false);
    document.head.append(script);
  });
}

/** Runs work when the page is idle, or after two seconds. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: IDLE_LIMIT_MS });
  else setTimeout(work, IDLE_GUESS_MS);
}

/** Loads the call-tracking widget, and returns its number (docs/specification.md#call-tracking). */
export async function followNumber(
  { src, tagId }: ThirdPartyScript,
  { page, settings }: { page: { load: typeof loadScript }; settings: { phoneHref: string } },
): Promise<CollectedFields | undefined> {
  const { dataset } = document.documentElement;
  const fallback = settings.phoneHref.slice(-10);
  if (!dataset.number) {
    if (tagId) window.InvocaTagId = tagId;
    if (!(await page.load(src))) window.decideNumber?.(fallback);
  }
  const number = await poll(() => dataset.number || undefined, WIDGET_POLL_MS);
  return number && number !== fallback ? { call_tracking_number: number } : undefined;
}
