/** Measures the console's first page in a real browser: when its numbers stand there, and when a tap works. */
import { type Browser, chromium } from '@playwright/test';
import { browserArgs, ensureBrowser } from '../scripts/browser.ts';
import { desktop } from '../tests/e2e/support/windows.ts';
import type { Operator } from './console-client.ts';
import { figuresOf } from './figures.ts';

const ROUNDS = 9;
const TARGET_MS = 1_000;

/** Milliseconds since the navigation began. */
type Visit = { readonly numbersMs: number; readonly tapMs: number };

declare global {
  interface Window {
    firstPage?: Partial<Visit>;
  }
}

/**
 * Runs in the page. Notes when the first total has a number, taps another total's name, and notes when that is
 * chosen and painted.
 */
function watchFirstPage(): void {
  const seen: { numbersMs?: number; tapMs?: number } = {};
  window.firstPage = seen;
  const look = () => {
    const figure = document.querySelector('.total-figure')?.textContent ?? '';
    const name = document.querySelectorAll<HTMLElement>('.total-name')[1];
    if (!/\d/.test(figure) || name === undefined) return;
    if (seen.numbersMs === undefined) {
      seen.numbersMs = performance.now();
      name.click();
    }
    if (name.getAttribute('aria-pressed') !== 'true') return;
    observer.disconnect();
    requestAnimationFrame(() =>
      setTimeout(() => {
        seen.tapMs = performance.now();
      }),
    );
  };
  const observer = new MutationObserver(look);
  observer.observe(document, {
    ...{ subtree: true, childList: true, attributes: true, characterData: true },
  });
}

/** Visits the overview in a browser without a cache. */
async function visit(browser: Browser, { origin, cookie }: Operator): Promise<Visit> {
  const context = await browser.newContext(desktop);
  try {
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url: origin }]);
    const page = await context.newPage();
    await page.addInitScript(watchFirstPage);
    await page.goto(origin);
    await page.waitForFunction(() => window.firstPage?.tapMs !== undefined);
    return (await page.evaluate(() => window.firstPage)) as Visit;
  } finally {
    await context.close();
  }
}

/** Opens the overview in some rounds, each with a cold cache, after one that warms the browser up. */
export async function measureFirstPage(operator: Operator): Promise<void> {
  const browser = await chromium.launch({ executablePath: ensureBrowser(), args: browserArgs });
  const visits: Visit[] = [];
  try {
    await visit(browser, operator);
    for (let round = 0; round < ROUNDS; round += 1) visits.push(await visit(browser, operator));
  } finally {
    await browser.close();
  }
  const shown = (times: readonly number[]) => {
    const { median, low, high } = figuresOf(times);
    return `${median.toFixed(0)} ms (${low.toFixed(0)} to ${high.toFixed(0)})`;
  };
  console.log(
    `First page of the console, cold cache, ${ROUNDS} rounds, wanted: at most ${TARGET_MS} ms`,
  );
  console.log(`  numbers on the overview   ${shown(visits.map(({ numbersMs }) => numbersMs))}`);
  console.log(`  a tap works               ${shown(visits.map(({ tapMs }) => tapMs))}`);
}
