/** What one tab tells the others of a visit's click: that it is made, and later the tracker's id. */
export type ToldClick = { readonly click_id: string; readonly id?: string };

/** What the scripts of third parties do outside of themselves; the page's own in the browser. */
export type ScriptPage = {
  /**
   * Puts a script into the page. It gets no referrer and nothing of ours.
   *
   * @returns true once it has run, false when it did not come; it may never settle
   */
  readonly load: (src: string, id?: string) => Promise<boolean>;
  /** Does work when the page has nothing better to do, at the latest after two seconds. */
  readonly idle: (work: () => void) => void;
  /** Settles once the survey is on screen. */
  readonly ready: Promise<unknown>;
  /** Calls back when the visitor types into the survey for the first time. */
  readonly onTyping: (begun: () => void) => void;
  /** Tells the visitor's other tabs of a click. */
  readonly tell: (click: ToldClick) => void;
  /** Calls back with what they tell. */
  readonly onTold: (hear: (click: ToldClick) => void) => void;
  readonly optsOut: boolean;
};

declare global {
  interface Navigator {
    /** Global Privacy Control, where the browser has it: the visitor opts out of sale and sharing. */
    readonly globalPrivacyControl?: boolean;
  }
}

/** Work that is not done after so long is done whether the page is idle or not. */
const IDLE_LIMIT_MS = 2000;
/** The same for browsers that do not tell (Safari). */
const IDLE_GUESS_MS = 200;

/** Puts a script into the page, as `ScriptPage.load` says. */
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

/** Does work when the page is idle, as `ScriptPage.idle` says. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: IDLE_LIMIT_MS });
  else setTimeout(work, IDLE_GUESS_MS);
}

export function browserPage(): ScriptPage {
  const tabs = new BroadcastChannel('survey-click');
  return {
    load: loadScript,
    idle: whenIdle,
    ready: new Promise((resolve) => {
      window.addEventListener('survey:step', resolve, { once: true });
    }),
    onTyping: (begun) => {
      document.getElementById('survey')?.addEventListener('input', begun, { once: true });
    },
    tell: (click) => tabs.postMessage(click),
    onTold: (hear) => {
      tabs.onmessage = ({ data }: MessageEvent<ToldClick>) => hear(data);
    },
    optsOut: navigator.globalPrivacyControl === true,
  };
}
