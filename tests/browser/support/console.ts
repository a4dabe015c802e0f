import type { Page } from '@playwright/test';
import { leadSecretHeader, postLeadPath } from '../../../src/model/messages/lead.ts';
import { randomHex, uuidV7 } from '../../../src/model/visit/ids.ts';
import { testLead } from '../../support/leads.ts';

/** Opens a one-time sign-in link and waits for the console's first page. */
export async function openLink(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'));
  await page.locator('main h1').waitFor();
}

/** Waits until a console page shows its heading and its data. */
export async function expectLoaded(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor();
  await page.waitForFunction(() => !document.querySelector('[aria-busy=true], .skeleton'));
}

/** Posts a qualified lead without a browser, and returns the lead's id. */
export async function postLead(
  site: string,
  changes: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const id = uuidV7();
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
  const times = { consent_shown_at: ago(60), submitted_at: ago(5) };
  const answer = await fetch(site + postLeadPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [leadSecretHeader]: randomHex(), ...headers },
    body: JSON.stringify(testLead({ ...times, lead_id: id, ...changes })),
  });
  if (!answer.ok) throw new Error(`The lead was refused: ${answer.status} ${await answer.text()}`);
  return id;
}

/** Picks the first reason in the open dialog. */
export async function pickReason(page: Page): Promise<void> {
  await page.getByRole('dialog').getByLabel('Reason').selectOption({ index: 1 });
}
