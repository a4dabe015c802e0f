import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Fails on any accessibility violation of the page as it is now. */
export async function examine(page: Page, what: string): Promise<void> {
  // There are no frames: without "legacy" every look would open a page of its own.
  const { violations: found } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  const said = found.map((violation) => `${violation.id}: ${violation.nodes[0]?.html}`);
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
