import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type axe from 'axe-core';

/** The window of a phone, in which most browser tests run. */
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
export const desktop = { viewport: { width: 1440, height: 900 }, hasTouch: false, isMobile: false };

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** Returns the page's violations of these accessibility rules. Default: of all rules. */
export async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  return page.evaluate(async (values) => {
    const { run } = (window as unknown as { axe: typeof axe }).axe;
    const { violations } = await run(document, {
      ...(values && { runOnly: [...values] }),
      resultTypes: ['violations'],
      iframes: false,
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} (${nodes.length})`);
  }, rules);
}

/** Expects no accessibility violation. `what` names the page in the message of a failure. */
export async function examine(page: Page, what: string): Promise<void> {
  expect(await violations(page), what).toEqual([]);
}

/** Checks the page's accessibility at the current size and at desktop size. */
export async function examineBothSizes(page: Page, what: string): Promise<void> {
  await examine(page, what);
  const own = page.viewportSize();
  await page.setViewportSize(desktop.viewport);
  await examine(page, `${what}, desktop`);
  if (own) await page.setViewportSize(own);
}

/** The minimum size of a tap target in CSS pixels: 44, minus half a pixel for rounding. */
export const TARGET_PX = 43.5;

/**
 * Returns how many pixels the page is too wide, and the tap targets smaller than `least` pixels.
 */
export function measure(page: Page, least = 0) {
  return page.evaluate((least) => {
    const isInSentence = (element: Element) => {
      const around = element.parentElement?.textContent?.trim().length ?? 0;
      const own = element.textContent?.trim().length ?? 0;
      return getComputedStyle(element).display === 'inline' && around > own + 3;
    };
    for (const closed of document.querySelectorAll('main details')) closed.setAttribute('open', '');
    const small = [...document.querySelectorAll('a, button, input, select, textarea, summary')]
      .map((element) => {
        const box = (element.closest('label') ?? element).getBoundingClientRect();
        return { element, box };
      })
      .filter(({ box }) => box.width > 0 && Math.min(box.width, box.height) < least)
      .filter(({ element }) => !element.matches('.skip, [aria-hidden]') && !isInSentence(element))
      .map(({ element }) => element.outerHTML.slice(0, 120));
    const { scrollWidth, clientWidth } = document.documentElement;
    const wider = Math.max(scrollWidth, document.body.scrollWidth) - clientWidth;
    return { wider: Math.max(0, wider), small };
  }, least);
}

/** Returns a list to which each error of the page is added. */
export function collectErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('popup', (tab) => tab.close());
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return errors;
}

/** Returns as text all data that the browser stores about a visit. */
export function keptData(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const kept: unknown[] = [{ ...localStorage }, { ...sessionStorage }];
    for (const { name } of await indexedDB.databases()) {
      if (!name) continue;
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(opening.error);
      });
      for (const store of database.objectStoreNames) {
        const rows = await new Promise((resolve, reject) => {
          const all = database.transaction(store).objectStore(store).getAll();
          all.onsuccess = () => resolve(all.result);
          all.onerror = () => reject(all.error);
        });
        kept.push(rows);
      }
      database.close();
    }
    return JSON.stringify(kept);
  });
}

/** Waits for two frames, after which every change of the page is visible. */
export function twoFrames(page: Page): Promise<unknown> {
  return page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}
