import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type axe from 'axe-core';

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** Loads axe into a page as `window.axe`, once. */
export async function putAxeInto(page: Page): Promise<void> {
  const isThere = await page.evaluate(() => 'axe' in window);
  if (!isThere) await page.evaluate(axeSource);
}

/** Returns the current page's accessibility violations. */
export async function violations(page: Page): Promise<string[]> {
  await putAxeInto(page);
  // Requesting only violations, with axe loaded once, takes a tenth of axe's default time.
  return page.evaluate(async () => {
    const { run } = (window as unknown as { axe: typeof axe }).axe;
    const { violations } = await run(document, { resultTypes: ['violations'], iframes: false });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
}

/** Fails if the current page has an accessibility violation. */
export async function examine(page: Page, what: string): Promise<void> {
  expect(await violations(page), what).toEqual([]);
}

/** Examines the page at phone and at desktop size, for tests that run at one size. */
export async function examineBothSizes(page: Page, what: string): Promise<void> {
  await examine(page, what);
  const phone = page.viewportSize();
  await page.setViewportSize({ width: 1440, height: 900 });
  await examine(page, `${what}, desktop`);
  if (phone) await page.setViewportSize(phone);
}

/** Collects the page's errors, and closes the partner's tabs, which would suspend it. */
export function collectErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('popup', (tab) => tab.close());
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return errors;
}
