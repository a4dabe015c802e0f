import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { collectErrors, desktop, phone, twoFrames, violations } from './support/checks.ts';
import { expectLoaded, openLink, pickReason, postLead } from './support/console.ts';
import { type Demo, signInLinkOf, startDemo } from './support/demo.ts';
import { askSandbox, demo as shared } from './support/sandbox.ts';

test.use(desktop);

/** The paths of all console pages without an id in the path. */
const pages = [
  ...['/', '/leads', '/deliveries', '/plans', '/funnels', '/surveys'],
  ...['/surveys?survey=%2Fsurvey%2Fv4nv', '/people-requests', '/people-requests?tab=requests'],
  ...['/people-requests?tab=revocations', '/people-requests?tab=erasure', '/system'],
  ...['list', 'returns', 'statements', 'costs'].map((tab) => `/buyers?tab=${tab}`),
  '/buyers?buyer=ingest',
  ...['settings', 'people', 'audit', 'account'].map((view) => `/system?tab=${view}`),
];
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

/** Expects that a console page is accessible and fits a phone. */
async function expectAccessible(page: Page, path: string, scheme: 'light' | 'dark'): Promise<void> {
  await page.setViewportSize(phone.viewport);
  await expectLoaded(page);
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  await expect.poll(width, { message: path }).toBeLessThanOrEqual(phone.viewport.width);
  await page.setViewportSize(desktop.viewport);
  await page.emulateMedia({ colorScheme: scheme });
  await twoFrames(page);
  expect(await violations(page), `${path}, ${scheme}`).toEqual([]);
}

test('an operator can sign in and use every page of the console', async ({ page, browser }) => {
  const errors = collectErrors(page);
  const at = shared().consoleUrl;
  const link = await signInLinkOf(shared(), `tour-${randomUUID()}@example.com`, 'admin');
  await openLink(page, link);
  await expect(heading(page, 'Overview')).toBeVisible();
  const thief = await browser.newPage();
  await thief.goto(link);
  await thief.getByRole('button', { name: 'Sign in' }).click();
  await expect(thief.getByRole('alert')).not.toBeEmpty();
  await thief.close();

  const rail = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
  for (const name of (await rail.allInnerTexts()).slice(1)) {
    await rail.filter({ hasText: name }).click();
    await expect(heading(page, name)).toBeFocused();
  }
  const person = { first_name: 'Tourist', last_name: 'Visitorly', phone: '3125550171' };
  const email = `tourist-${randomUUID()}@example.com`;
  await page.keyboard.press('/');
  await page.keyboard.type('klj');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/q=klj/);
  await page.goto(`${at}/leads`);
  await expectLoaded(page);
  const lead = await postLead(shared().url, { ...person, email });
  const more = page.getByRole('button', { name: /new leads?$/ });
  const row = page.locator(`#main [data-row] a[href*="${lead}"]`);
  // Taps until the list shows this lead, because other tests post leads to the same server.
  await expect(async () => {
    if (await more.isVisible()) await more.click({ timeout: 1_000 });
    await expect(row).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.keyboard.press('j');
  await expect(page.locator('#main [data-row]:focus')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/leads/*');
  await page.goto(`${at}/leads/${lead}`);
  await expectLoaded(page);
  await expect(page.locator('#main')).not.toContainText(person.last_name);
  await page.getByRole('button', { name: 'Open contact details' }).click();
  await pickReason(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.locator('#main')).toContainText(person.last_name);

  for (const [index, path] of [...pages, `/leads/${lead}`, '/sign-in'].entries()) {
    await page.goto(at + path);
    await expectAccessible(page, path, index % 2 === 0 ? 'light' : 'dark');
  }
  await page.goto(`${at}/system?tab=audit`);
  await expect(page.locator('#main')).toContainText('tour-');
  await expect(page.locator('#main')).not.toContainText(/Visitorly/);
  expect(errors).toEqual([]);
});

test.describe('an operator can use the console of a demo server without leads', () => {
  let demo: Demo;
  test.beforeEach(async () => {
    demo = await startDemo();
  });
  test.afterEach(() => demo?.stop());

  const signIn = async (page: Page) =>
    openLink(page, await signInLinkOf(demo, 'walk@example.com', 'admin'));
  const received = (service: string) => askSandbox<unknown[]>(`effects?service=${service}`, demo);

  /** Makes the ingest service fail in this mode. The mode `none` ends the failure. */
  async function failIngest(mode: string): Promise<void> {
    const answer = await fetch(`${demo.sandboxUrl}/_sandbox/fail`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ service: 'ingest', mode }),
    });
    expect(answer.ok).toBe(true);
  }

  /** Returns the errors that the server has logged, except alerts about a failing destination. */
  function serverErrors(): string[] {
    const lines = demo.output().split('\n');
    return lines.filter((line) => /^\{"level":[56]0/.test(line) && !line.includes('"alert":true'));
  }

  test('an operator can resend the leads that a failing buyer did not receive @all', async ({
    page,
  }) => {
    const errors = collectErrors(page);
    const go = (path: string) => page.goto(demo.consoleUrl + path);
    const main = page.locator('#main');
    const dialog = page.getByRole('dialog');
    const person = {
      first_name: 'Kanaria',
      last_name: 'Kanarienvogel',
      email: 'kanaria@example.com',
    };
    await signIn(page);
    await expect(page.getByRole('heading', { name: 'No visits yet in these days' })).toBeVisible();
    await go('/leads');
    await expect(page.getByText('No leads yet.')).toBeVisible();
    await failIngest('410');
    const failed = await postLead(demo.url, { ...person, phone: '2125550147' });
    // The list shows a new lead only after a tap on this button.
    await page.getByRole('button', { name: '1 new lead' }).click();
    await expect(main.locator('[data-row]')).toHaveCount(1);
    await go(`/leads/${failed}`);
    await expect(main).toContainText('410');
    await postLead(demo.url, { email: 'second@example.com', phone: '2125550148' });

    await go('/deliveries?destination=ingest');
    await expect(page.getByRole('button', { name: 'Recover 2 failed' })).toBeVisible();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await dialog.getByLabel('Reason').fill('They answer 410');
    await dialog.getByRole('button', { name: 'Pause', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
    await failIngest('none');
    const waiting = await postLead(demo.url, { email: 'third@example.com', phone: '2125550149' });
    await go(`/leads/${waiting}`);
    await expect(main).toContainText(/paused/i);
    await go('/deliveries?destination=ingest');
    await page.getByRole('button', { name: 'Resume' }).click();
    await dialog.getByLabel('Reason').fill('They are back');
    await dialog.getByRole('button', { name: 'Resume' }).click();
    await expect.poll(() => received('ingest')).toHaveLength(1);

    await page.getByRole('button', { name: 'Recover 2 failed' }).click();
    await dialog.getByLabel('Reason').fill('Their outage of this morning');
    await dialog.getByRole('button', { name: 'Make the plan' }).click();
    await page.waitForURL('**/plans/*');
    const items = page.getByRole('table', { name: 'Items of the plan' });
    await expect(items.locator('tbody tr')).toHaveCount(2);
    // Reloads the page to remove the dialog's messages for screen readers.
    await page.reload();
    await expectAccessible(page, 'a plan', 'dark');
    expect(await received('ingest')).toHaveLength(1);
    await page.getByRole('button', { name: 'Send 2 deliveries again' }).click();
    await expect.poll(() => received('ingest')).toHaveLength(3);

    // The list and the export show a lead only after the server's counting job has counted the
    // lead.
    await expect(async () => {
      await go('/leads');
      await expect(main.locator('[data-row]')).toHaveCount(3, { timeout: 10_000 });
    }).toPass();
    expect((await exportLeads(page)).trimEnd().split('\r\n')).toHaveLength(4);

    await go('/buyers?tab=returns');
    const report = [failed, waiting].map((id) => `${id},returned,duplicate`).join('\n');
    await page.getByLabel('CSV file').setInputFiles({
      name: 'report.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`lead_id,outcome,reason\n${report}\n`),
    });
    await page.getByRole('button', { name: 'Try without storing' }).click();
    await page.getByRole('button', { name: 'Import 2 outcomes' }).click();
    await expect(main.locator('[data-row]')).toHaveCount(2);
    await page.keyboard.press('j');
    const focused = main.locator('[data-row]:focus');
    await focused.getByRole('button', { name: 'Refuse…' }).click();
    await dialog.getByLabel('Reason').fill('The first of the two');
    await dialog.getByRole('button', { name: 'Refuse' }).click();
    await expect(main.locator('[data-row]')).toHaveCount(1);
    await expect(focused).toHaveCount(1);

    await go('/people-requests');
    await page.getByLabel('E-mail address, phone number or lead id').fill(person.email);
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByRole('button', { name: 'Put on the list' }).click();
    await pickReason(page);
    await dialog.getByRole('button', { name: 'Put on the list' }).click();
    await expect(page.getByRole('status').filter({ hasText: /^On the list/ })).toBeVisible();
    const next = await postLead(demo.url, { ...person, phone: '2125550150' });
    await go(`/leads/${next}`);
    await expect(main).toContainText(/not to be contacted|do-not-contact|suppress/i);
    expect(await received('ingest')).toHaveLength(3);
    await go('/system?tab=audit');
    for (const action of ['destination.paused', 'leads.exported', 'person.suppressed']) {
      await expect(main).toContainText(action);
    }
    await expect(main).not.toContainText(/kanari/i);

    await go('/');
    const figure = page.locator('.total-figure').first();
    await figure.waitFor();
    expect(errors).toEqual([]);
    await page.context().setOffline(true);
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await expect(page.locator('.banner')).toContainText('You see data from');
    await expect(figure).toBeVisible();
    await page.context().setOffline(false);
    await expect(page.locator('.banner')).toHaveCount(0);
    expect(serverErrors()).toEqual([]);
  });
});

async function exportLeads(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('Monthly report');
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  return readFile(await (await downloading).path(), 'utf8');
}
