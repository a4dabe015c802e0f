/** A tab's message about a visit's click: without an id that it is made, and later the tracker's id. */
type ToldClick = { readonly click_id: string; readonly id?: string };

declare global {
  interface Navigator {
    /** Global Privacy Control: the visitor opts out of sale and sharing. */
    readonly globalPrivacyControl?: boolean;
  }
}

const IDLE_LIMIT_MS = 2000;
/** The wait in browsers without an idle callback (Safari). */
const IDLE_GUESS_MS = 200;

/** docs/specification.md#call-tracking: pause between two looks at a widget. */
export const WIDGET_POLL_MS = 5;
const POLL_LIMIT_MS = 10_000;

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
    // Importing `wait` would move this file's code into every survey's first script.
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/**
 * Adds a script to the page, without a referrer.
 *
 * @returns true after it has run, false if it failed to load; may never settle
 */
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

/** Runs work when the page is idle, at the latest after two seconds. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: IDLE_LIMIT_MS });
  else setTimeout(work, IDLE_GUESS_MS);
}

/** Returns the page as third-party scripts use it. */
export function browserPage() {
  const tabs = new BroadcastChannel('survey-click');
  return {
    load: loadScript,
    idle: whenIdle,
    /** Settles when the survey is interactive. */
    ready: new Promise<unknown>((resolve) => {
      window.addEventListener('survey:step', resolve, { once: true });
    }),
    /** Calls back at the visitor's first input. */
    onTyping: (begun: () => void) => {
      document.getElementById('survey')?.addEventListener('input', begun, { once: true });
    },
    /** Tells the visitor's other tabs about a click. */
    tell: (click: ToldClick) => tabs.postMessage(click),
    /** Calls back with the other tabs' messages. */
    onTold: (hear: (click: ToldClick) => void) => {
      tabs.onmessage = ({ data }: MessageEvent<ToldClick>) => hear(data);
    },
    optsOut: navigator.globalPrivacyControl === true,
  };
}
export type ScriptPage = ReturnType<typeof browserPage>;
