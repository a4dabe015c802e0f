import type { Browser, Page } from '@playwright/test';

/** Slow 4G and a cheap phone (docs/specification.md#speed). */
export const downBytesPerSecond = (1.6 * 1_000_000) / 8;
export const roundTripMs = 150;
export const processorSlowdown = 4;

/**
 * Opens a cheap phone with an empty cache; slow-line.ts slows its line.
 * @param script runs in the page before the page's own scripts
 */
async function openPhone(browser: Browser, script: () => void) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    reducedMotion: 'reduce',
    hasTouch: true,
  });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: processorSlowdown });
  await page.addInitScript(script);
  return { context, page, cdp };
}

/** Times of a visit up to the question after its first answer, in milliseconds from its start. */
export type FirstAnswer = {
  readonly paintMs: number;
  readonly nextMs: number;
};

/** The name of the function through which the page reports its times. */
const tellName = 'tellTimes';

/**
 * Taps the first answer as soon as it is painted, and repeats the tap while it may get lost. Reports the
 * times when the next question appears. Runs in the page.
 */
function answerFirst(): void {
  let paintMs: number | undefined;
  let first: string | null = null;
  const look = () => {
    const screen = document.querySelector('[data-step]');
    const button = screen?.querySelector<HTMLButtonElement>('button[name]');
    if (screen && first === null && button) {
      first = screen.getAttribute('data-step');
      button.click();
    } else if (screen && first !== null && screen.getAttribute('data-step') !== first) {
      const tell = (window as unknown as { tellTimes(times: string): void }).tellTimes;
      tell(JSON.stringify({ paintMs, nextMs: performance.now() }));
      return;
    } else {
      button?.click();
    }
    requestAnimationFrame(look);
  };
  new PerformanceObserver((entries) => {
    const paint = entries.getEntriesByName('first-contentful-paint')[0];
    if (!paint) return;
    paintMs = paint.startTime;
    requestAnimationFrame(look);
  }).observe({ type: 'paint', buffered: true });
}

/**
 * Opens a page with an empty cache, taps its first answer once it is painted, and waits for the next
 * question. The page itself reports the times: asking it would make the browser compile a quarter of a
 * megabyte of code just before the paint.
 */
export async function firstAnswer(browser: Browser, url: string): Promise<FirstAnswer> {
  const { context, page, cdp } = await openPhone(browser, answerFirst);
  const told = new Promise<FirstAnswer>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${url}: no next question`)), 30_000);
    cdp.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (name !== tellName) return;
      clearTimeout(late);
      resolve(JSON.parse(payload) as FirstAnswer);
    });
  });
  await cdp.send('Runtime.enable');
  await cdp.send('Runtime.addBinding', { name: tellName });
  await page.goto(url, { waitUntil: 'commit' });
  const times = await told;
  await context.close();
  return times;
}

/** The times of a visit's taps, in milliseconds. */
export type Taps = {
  /** From each tap until the next question was in the document, and until it was painted. */
  readonly inDocumentMs: readonly number[];
  readonly paintedMs: readonly number[];
  /** The page thread's processor time per step, including everything that follows a tap. */
  readonly processorMs: number;
  /** The longest task after the first tap, and the part over 50 ms of all tasks since the first paint. */
  readonly longestTaskMs: number;
  readonly blockingMs: number;
  /** The sum of the layout shifts since the first paint that no tap asked for. */
  readonly layoutShift: number;
};

type TapTime = { readonly inDocumentMs: number; readonly paintedMs: number };

/** A browser's entry of a layout shift. A tap brings a new screen, which is no shift. */
type LayoutShift = { readonly value: number; readonly hadRecentInput: boolean };

/** What the page reports of itself. */
type Watched = { tasks: { startTime: number; duration: number }[]; layoutShift: number };

/** Records the page's long tasks and layout shifts. Runs in the page. */
function watchPage(): void {
  const watched: Watched = { tasks: [], layoutShift: 0 };
  (window as unknown as { watched: Watched }).watched = watched;
  new PerformanceObserver((entries) => {
    for (const { startTime, duration } of entries.getEntries()) {
      watched.tasks.push({ startTime, duration });
    }
  }).observe({ type: 'longtask', buffered: true });
  new PerformanceObserver((entries) => {
    for (const entry of entries.getEntries()) {
      const { value, hadRecentInput } = entry as unknown as LayoutShift;
      if (!hadRecentInput) watched.layoutShift += value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/**
 * Fills the screen's lists and returns where to tap: its first answer, or its button. From the tap's click on, the page
 * waits for the next screen. Runs in the page.
 */
function aim(): { readonly x: number; readonly y: number } | null {
  const screen = () => document.querySelector('[data-step]')?.getAttribute('data-step');
  const before = screen();
  const lists = document.querySelectorAll<HTMLSelectElement>('[data-step] select');
  for (const list of lists) {
    // Selects as a browser does; the newest year may have fewer months than the others.
    list.selectedIndex = 2;
    list.dispatchEvent(new Event('change', { bubbles: true }));
  }
  const button = document.querySelector<HTMLButtonElement>(
    lists.length > 0 ? '[data-step] button[type=submit]' : '[data-step] button[name]',
  );
  if (!button) return null;
  const tapped = new Promise<TapTime>((resolve) => {
    const onClick = () => {
      const start = performance.now();
      const changed = () => {
        if (screen() === before) return;
        observer.disconnect();
        const inDocumentMs = performance.now() - start;
        requestAnimationFrame(() => {
          const painted = new MessageChannel();
          painted.port1.onmessage = () =>
            resolve({ inDocumentMs, paintedMs: performance.now() - start });
          painted.port2.postMessage(null);
        });
      };
      const observer = new MutationObserver(changed);
      observer.observe(document.body, { subtree: true, childList: true, attributes: true });
    };
    window.addEventListener('click', onClick, { capture: true, once: true });
  });
  (window as unknown as Aimed).tapped = tapped;
  button.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  const { left, top, width, height } = button.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

/** What `aim` leaves in the page. */
type Aimed = { tapped: Promise<TapTime> };

/** Taps the screen with a finger. @returns the tap's times, or null if it brings no next screen */
async function tapOnce(page: Page): Promise<TapTime | null> {
  const place = await page.evaluate(aim);
  if (place === null) return null;
  await page.touchscreen.tap(place.x, place.y);
  return page.evaluate((longestMs) => {
    const late = new Promise<null>((resolve) => setTimeout(resolve, longestMs, null));
    return Promise.race([(window as unknown as Aimed).tapped, late]);
  }, longestStepMs);
}

const longestStepMs = 5_000;
const goneMs = 1_000;

/** Answers one screen, and waits until nothing of it is left in the page. */
export async function answerOnce(page: Page): Promise<void> {
  await tapOnce(page);
  await page.waitForTimeout(goneMs);
}

/** The time until a page’s scripts are loaded, warmed up (warm-up.tsx) and idle, and between two taps of a visitor who reads. */
const settleMs = 5_000;
const readingMs = 500;

/**
 * Opens a page behind a slow line, waits for its scripts, and taps the first answer of each question.
 * @param most the number of questions; fewer if a tap does not answer one
 */
export async function tapThrough(browser: Browser, url: string, most: number): Promise<Taps> {
  const { context, page, cdp } = await openPhone(browser, watchPage);
  await cdp.send('Performance.enable');
  const taskMs = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
  };
  await page.goto(url, { waitUntil: 'load' });
  await page.waitForTimeout(settleMs);
  const startedAtMs = await page.evaluate(() => performance.now());
  const before = await taskMs();
  const times: TapTime[] = [];
  for (let count = 0; count < most; count += 1) {
    const time = await tapOnce(page);
    if (time === null) break;
    times.push(time);
    await page.waitForTimeout(readingMs);
  }
  const processorMs = ((await taskMs()) - before) / times.length;
  const { tasks, layoutShift, paintMs } = await page.evaluate(() => ({
    ...(window as unknown as { watched: Watched }).watched,
    paintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  }));
  await context.close();
  const since = (fromMs: number) =>
    tasks.flatMap(({ startTime, duration }) => (startTime >= fromMs ? [duration] : []));
  return {
    inDocumentMs: times.map((each) => each.inDocumentMs),
    paintedMs: times.map((each) => each.paintedMs),
    processorMs,
    layoutShift,
    longestTaskMs: Math.max(0, ...since(startedAtMs)),
    blockingMs: since(paintMs).reduce((sum, ms) => sum + Math.max(0, ms - 50), 0),
  };
}
