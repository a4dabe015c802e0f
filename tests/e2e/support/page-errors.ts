import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Fails on any accessibility violation of the page as it is now. */
export async function examine(page: Page, what: string): Promise<void> {
  // There are no frames: without "legacy" every look would open a page of its own.
  const { violations: found } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  const said = found.map((violation) => `${violation.id}: ${violation.nodes[0]?.html}`);
  expect(said, what).toEqual([]);
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
