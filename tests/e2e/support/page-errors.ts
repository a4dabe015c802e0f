import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type axe from 'axe-core';

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** Puts axe into a page as `window.axe`, once. */
export async function putAxeInto(page: Page): Promise<void> {
  const isThere = await page.evaluate(() => 'axe' in window);
  if (!isThere) await page.evaluate(axeSource);
}

/** Fails on any accessibility violation of the page as it is now. */
export async function examine(page: Page, what: string): Promise<void> {
  await putAxeInto(page);
  // No more of the result than is looked at: with axe put in once, a tenth of what axe takes by itself.
  const said = await page.evaluate(async () => {
    const { run } = (window as unknown as { axe: typeof axe }).axe;
    const { violations } = await run(document, { resultTypes: ['violations'], iframes: false });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
  expect(said, what).toEqual([]);
}

/** The same on a phone's screen and on a desktop's: for tests that walk one way at one size. */
export async function examineBothSizes(page: Page, what: string): Promise<void> {
  await examine(page, what);
  const phone = page.viewportSize();
  await page.setViewportSize({ width: 1440, height: 900 });
  await examine(page, `${what}, desktop`);
  if (phone) await page.setViewportSize(phone);
}

/** Collects what goes wrong in the page, and closes the partner's tabs, which would put it to sleep. */
export function collectErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('popup', (tab) => tab.close());
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return errors;
}
