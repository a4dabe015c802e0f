import type { Browser, ConsoleMessage, Page } from '@playwright/test';

export const processorSlowdown = 4;
const downBytesPerSecond = (1.6 * 1_000_000) / 8;
/** Slow 4G. */
const slowLine = {
  offline: false,
  latency: 150,
  downloadThroughput: downBytesPerSecond,
  uploadThroughput: downBytesPerSecond / 2,
};

/** Opens a cheap phone's browser on a slow line. */
async function openPhone(browser: Browser) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    reducedMotion: 'reduce',
    hasTouch: true,
  });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: processorSlowdown });
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', slowLine);
  return { context, page, cdp };
}

/** The times of the first paint and the second question, in milliseconds since the visit began. */
export type FirstAnswer = {
  readonly paintMs: number;
  readonly nextMs: number;
};

const reported = 'Times of the first answer: ';

/**
 * Taps the first answer in every frame, because the page may ignore early taps, and logs the times.
 * Runs in the page.
 */
function answerFirst(reported: string): void {
  let paintMs: number | undefined;
  let first: string | null = null;
  const look = () => {
    const screen = document.querySelector('[data-step]');
    const button = screen?.querySelector<HTMLButtonElement>('button[name]');
    if (screen && first === null && button) {
      first = screen.getAttribute('data-step');
      button.click();
    } else if (screen && first !== null && screen.getAttribute('data-step') !== first) {
      console.log(reported + JSON.stringify({ paintMs, nextMs: performance.now() }));
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

/** Measures the time until a page reacts to the first answer. */
export async function firstAnswer(browser: Browser, url: string): Promise<FirstAnswer> {
  const { context, page } = await openPhone(browser);
  await page.addInitScript(answerFirst, reported);
  const isReport = (message: ConsoleMessage) => message.text().startsWith(reported);
  const report = page.waitForEvent('console', isReport);
  await page.goto(url, { waitUntil: 'commit' });
  const times = (await report).text().slice(reported.length);
  await context.close();
  return JSON.parse(times) as FirstAnswer;
}

/** The delays and layout shifts that a visitor notices while tapping, and what the taps cost. */
export type Taps = {
  /** The time from each tap until the next screen is painted and takes taps. */
  readonly usableMs: readonly number[];
  /** The processor time of the page's main thread per step. */
  readonly processorMs: number;
  /** The longest task after the first tap. */
  readonly longestTaskMs: number;
  /** The sum of the browser's layout shifts, except shifts that a tap caused. */
  readonly layoutShift: number;
};

/** A layout shift that the browser reports. `hadRecentInput` is true if a tap caused the shift. */
type LayoutShift = { readonly value: number; readonly hadRecentInput: boolean };

type Watched = {
  tasks: { startTime: number; duration: number }[];
  layoutShift: number;
  usableMs: number[];
};

/** Records long tasks, layout shifts, and the time from taps to usable screens. Runs in the page. */
function watchPage(): void {
  const watched: Watched = { tasks: [], layoutShift: 0, usableMs: [] };
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
  const screen = () => document.querySelector('[data-step]')?.getAttribute('data-step');
  const onTap = () => {
    const before = screen();
    const start = performance.now();
    const observer = new MutationObserver(() => {
      if (screen() === before) return;
      observer.disconnect();
      requestAnimationFrame(() => {
        const painted = new MessageChannel();
        painted.port1.onmessage = () => watched.usableMs.push(performance.now() - start);
        painted.port2.postMessage(null);
      });
    });
    observer.observe(document.body, { subtree: true, childList: true, attributes: true });
  };
  window.addEventListener('click', onTap, true);
}

/**
 * Fills the screen's select boxes, and returns the coordinates of the button to tap. Runs in the
 * page.
 */
function aim(): { readonly x: number; readonly y: number } | null {
  const lists = document.querySelectorAll<HTMLSelectElement>('[data-step] select');
  for (const list of lists) {
    // Selects the third option. The first is empty, and the second may be the current year without
    // all months.
    list.selectedIndex = 2;
    list.dispatchEvent(new Event('change', { bubbles: true }));
  }
  const button = document.querySelector<HTMLButtonElement>(
    lists.length > 0 ? '[data-step] button[type=submit]' : '[data-step] button[name]',
  );
  if (!button) return null;
  button.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  const { left, top, width, height } = button.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

const goneMs = 1_000;

/** Taps the answer on the screen. Returns true if another screen replaces the screen. */
export async function answerOnce(page: Page): Promise<boolean> {
  const screen = () => page.locator('[data-step]').first().getAttribute('data-step');
  const before = await screen();
  const place = await page.evaluate(aim);
  if (place === null) return false;
  await page.touchscreen.tap(place.x, place.y);
  await page.waitForTimeout(goneMs);
  return (await screen()) !== before;
}

/** The time in which a page loads all later scripts and becomes idle. */
const settleMs = 5_000;

/** Answers at most `most` questions on a slow line, and measures the delays. */
export async function tapThrough(browser: Browser, url: string, most: number): Promise<Taps> {
  const { context, page, cdp } = await openPhone(browser);
  await page.addInitScript(watchPage);
  // Counts the thread's time, so that other work on the machine does not.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const processorMs = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
  };
  await page.goto(url, { waitUntil: 'load' });
  await page.waitForTimeout(settleMs);
  const startedAtMs = await page.evaluate(() => performance.now());
  const before = await processorMs();
  const steps = await answerAll(page, most);
  const used = (await processorMs()) - before;
  const { tasks, layoutShift, usableMs } = await page.evaluate(
    () => (window as unknown as { watched: Watched }).watched,
  );
  await context.close();
  const later = tasks.filter(({ startTime }) => startTime >= startedAtMs);
  return {
    usableMs,
    processorMs: used / steps,
    layoutShift,
    longestTaskMs: Math.max(0, ...later.map(({ duration }) => duration)),
  };
}

async function answerAll(page: Page, most: number): Promise<number> {
  let count = 0;
  while (count < most && (await answerOnce(page))) count += 1;
  return count;
}

/** The part of a CPU profile of the browser that is needed here. */
type Profile = {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly samples?: readonly number[];
  readonly timeDeltas?: readonly number[];
};

/**
 * Returns the time that a profile spent in the page's scripts, without React's. A function of the
 * browser counts as its caller, except `focus`, which lays out the new screen.
 */
function ownScriptsMs({ nodes, samples = [], timeDeltas = [] }: Profile): number {
  const own = new Set<number>();
  // A profile lists each function before the functions that it called.
  for (const { id, callFrame, children = [] } of nodes) {
    const { functionName, url } = callFrame;
    const isOwn = url === '' ? own.has(id) && functionName !== 'focus' : !url.includes('/react.');
    if (isOwn) for (const each of [id, ...children]) own.add(each);
    else own.delete(id);
  }
  return samples.reduce(
    (sum, id, index) => sum + (own.has(id) ? (timeDeltas[index + 1] ?? 0) / 1_000 : 0),
    0,
  );
}

/** Answers at most `most` questions, and returns the time of the page's own scripts per step. */
export async function profileTaps(browser: Browser, url: string, most: number): Promise<number> {
  const { context, page, cdp } = await openPhone(browser);
  await cdp.send('Profiler.enable');
  await cdp.send('Profiler.setSamplingInterval', { interval: 200 });
  await page.goto(url, { waitUntil: 'load' });
  await page.waitForTimeout(settleMs);
  await cdp.send('Profiler.start');
  const steps = await answerAll(page, most);
  const { profile } = await cdp.send('Profiler.stop');
  await context.close();
  return ownScriptsMs(profile) / steps;
}
