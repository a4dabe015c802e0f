import type { Browser } from '@playwright/test';
import { openPhone, readingMs, settleMs, tapOnce } from './phone-visit.ts';

/** What the page's thread does after a tap, in milliseconds per step. */
export type TapTrace = {
  /** Style, layout, paint, and handing the frame over. */
  readonly renderingMs: number;
  /** Functions of the browser that every survey with a history and a memory must call. */
  readonly browserCallsMs: number;
  /** The page's other scripts. */
  readonly scriptMs: number;
  /** Dispatching events and tasks, and everything else. */
  readonly restMs: number;
};

/** An event of Chromium's trace; `ts` and `dur` in microseconds. */
type TraceEvent = {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur: number;
};

const renderingEvents =
  /^(UpdateLayoutTree|Layout|PrePaint|Paint|Layerize|Commit|UpdateLayer|HitTest|ParseHTML|PaintImage)$/;
const scriptEvents =
  /^(FunctionCall|EvaluateScript|RunMicrotasks|EventDispatch|TimerFire|FireAnimationFrame|V8\.|v8\.|MinorGC|MajorGC)/;

/** Measures the browser's functions for history, storage and requests. Runs in the page before its scripts. */
function watchCalls(): void {
  const watch = (owner: object, name: string) => {
    const called = Reflect.get(owner, name) as (...args: unknown[]) => unknown;
    Reflect.set(owner, name, function (this: unknown, ...args: unknown[]) {
      const start = performance.now();
      const result = Reflect.apply(called, this, args);
      const page = window as unknown as { browserCallsMs?: number };
      page.browserCallsMs = (page.browserCallsMs ?? 0) + performance.now() - start;
      return result;
    });
  };
  watch(History.prototype, 'pushState');
  watch(IDBDatabase.prototype, 'transaction');
  watch(IDBObjectStore.prototype, 'get');
  watch(IDBObjectStore.prototype, 'put');
  watch(window, 'fetch');
}

/** Returns the time of each event without the events inside it, in ms by name. */
function ownTimes(events: readonly TraceEvent[]): Map<string, number> {
  const times = new Map<string, number>();
  const open: TraceEvent[] = [];
  const add = ({ name }: TraceEvent, microseconds: number) =>
    times.set(name, (times.get(name) ?? 0) + microseconds / 1_000);
  for (const event of [...events].sort((a, b) => a.ts - b.ts || b.dur - a.dur)) {
    for (let last = open.at(-1); last && last.ts + last.dur <= event.ts; last = open.at(-1)) {
      open.pop();
    }
    const around = open.at(-1);
    if (around) add(around, -event.dur);
    add(event, event.dur);
    open.push(event);
  }
  return times;
}

/** Taps through a page as `tapThrough` does, and divides the time of its thread. Tracing itself makes it slower. */
export async function traceTaps(browser: Browser, url: string, most: number): Promise<TapTrace> {
  const { context, page, cdp } = await openPhone(browser, watchCalls, 'real');
  await page.goto(url, { waitUntil: 'load' });
  await page.waitForTimeout(settleMs);
  const callsMs = () =>
    page.evaluate(() => (window as unknown as { browserCallsMs?: number }).browserCallsMs ?? 0);
  const callsBefore = await callsMs();
  await browser.startTracing(page, {
    categories: ['devtools.timeline', 'v8.execute', 'toplevel', 'blink.user_timing'],
  });
  await page.evaluate(() => performance.mark('the-page'));
  let steps = 0;
  while (steps < most && (await tapOnce({ page, cdp })) !== null) {
    steps += 1;
    await page.waitForTimeout(readingMs);
  }
  const browserCallsMs = ((await callsMs()) - callsBefore) / steps;
  const trace = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  await context.close();
  const mark = trace.traceEvents.find(({ name }) => name === 'the-page');
  const ofPage = trace.traceEvents.filter(
    ({ ph, pid, tid }) => ph === 'X' && pid === mark?.pid && tid === mark?.tid,
  );
  const sums = { renderingMs: 0, scriptMs: 0, restMs: 0 };
  for (const [name, ms] of ownTimes(ofPage)) {
    if (renderingEvents.test(name)) sums.renderingMs += ms / steps;
    else if (scriptEvents.test(name)) sums.scriptMs += ms / steps;
    else sums.restMs += ms / steps;
  }
  return { ...sums, browserCallsMs, scriptMs: sums.scriptMs - browserCallsMs };
}
