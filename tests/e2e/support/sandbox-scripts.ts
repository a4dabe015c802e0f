import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { v4 } from '../../../src/flows/variants/v4.ts';
import { askSandbox } from './sandbox-client.ts';
import { answerStep } from './survey-page.ts';

/** Returns the address of the sandbox, from which the tests' server loads every script. */
export const sandbox = () => process.env.E2E_SANDBOX_URL ?? '';

/** Returns a landing address with a unique sub id, the pool google and the pixel's affiliate. */
export function landing(more = ''): { address: string; sub: string } {
  const sub = `s-${randomUUID().slice(0, 12)}`;
  return { address: `/survey/v4nv?s1=${sub}&gclid=x&affid=389${more}`, sub };
}

/** Returns the transaction ids of the clicks that the tracker counted for a sub id. */
export async function clicksOf(sub: string): Promise<string[]> {
  const effects =
    await askSandbox<{ key: string; detail: { sub1?: string } }[]>('effects?service=clicks');
  return effects.filter(({ detail }) => detail.sub1 === sub).map(({ key }) => key);
}

export const idInAddress = (page: Page) =>
  new URL(page.url()).searchParams.get('_ef_transaction_id');

/** Waits until the page's address has the id of the sub id's only click. @returns it */
export async function expectClick(page: Page, sub: string): Promise<string> {
  await expect.poll(() => clicksOf(sub)).toHaveLength(1);
  const [id = ''] = await clicksOf(sub);
  await expect.poll(() => idInAddress(page)).toBe(id);
  return id;
}

/** Collects the page's requests to the sandbox, as path and query. */
export function watchSandbox(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { origin, pathname, search } = new URL(request.url());
    if (origin === sandbox()) asked.push(pathname + search);
  });
  return asked;
}

/** Collects the requests that the content security policy blocked. */
export async function watchPolicy(page: Page): Promise<string[]> {
  const refused: string[] = [];
  await page.exposeFunction('tellRefused', (what: string) => refused.push(what));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { tellRefused } = window as unknown as { tellRefused(what: string): void };
      tellRefused(`${event.effectiveDirective} ${event.blockedURI}`);
    });
  });
  return refused;
}

/** Gives the first answer, after which every other script loads. */
export async function answerFirst(page: Page): Promise<void> {
  await answerStep(page, v4, 'StartPath', { accident_type: 'Car Accident' });
}

/** Waits until every script that loads after the first answer has delivered its value. */
export async function expectCollected(page: Page): Promise<void> {
  await expect(page.locator('#xxTrustedFormCertUrl_0')).toHaveValue(/\/[0-9a-f]{40}$/);
  await expect(page.locator('#leadid_token')).toHaveValue(/^[0-9A-F-]{36}$/);
  await expect(page.locator('.call')).toHaveText(/\(212\) 555-014\d/);
}
