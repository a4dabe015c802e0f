import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import {
  expectLoaded,
  failService,
  openLink,
  pickReason,
  postLead,
  serverErrors,
} from './support/console.ts';
import { type Demo, signInLinkOf, startDemo } from './support/demo.ts';
import { collectErrors, violations } from './support/page-errors.ts';
import { desktop, phone } from './support/windows.ts';

/**
 * An operator's morning in a real browser: a new lead appears, its delivery failed, the buyer is paused, resumed
 * and gets what it missed, leads are exported, and a person is left alone from now on.
 */
let demo: Demo;
let page: Page;
let errors: string[];

// Each test goes on where the one before has stopped.
test.describe.configure({ mode: 'serial' });
test.use(desktop);

const person = { first_name: 'Kanaria', last_name: 'Kanarienvogel', email: 'kanaria@example.com' };
const rows = () => page.locator('#main [data-row]');
const go = (path: string) => page.goto(demo.consoleUrl + path);
const dialog = () => page.getByRole('dialog');
/** The failed leads, oldest first. */
const failed: string[] = [];
/** The path of the plan that recovers them. */
let plan = '';

test.beforeAll(async ({ browser }) => {
  demo = await startDemo();
  page = await browser.newPage({ ...desktop, reducedMotion: 'reduce' });
  errors = collectErrors(page);
});
test.afterAll(async () => {
  await page?.close();
  await demo?.stop();
});

test('a link signs in once', async ({ browser }) => {
  const link = await signInLinkOf(demo, 'walk@example.com', 'admin');
  await openLink(page, link);
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  const thief = await browser.newPage();
  await thief.goto(link);
  await thief.getByRole('button', { name: 'Sign in' }).click();
  await expect(thief.getByRole('alert')).not.toBeEmpty();
  await thief.close();
});

test('a new lead appears live and is opened by keyboard', async () => {
  await go('/leads');
  await expect(page.getByText('No leads yet.')).toBeVisible();
  await failService(demo, 'ingest', '410');
  failed.push(await postLead(demo.url, { ...person, phone: '2125550147' }));
  // Rows do not move while somebody reads them: the pill brings the new ones.
  await page.getByRole('button', { name: '1 new lead' }).click();
  await expect(rows()).toHaveCount(1);
  await expect(rows()).toContainText('K…');
  await expect(page.locator('#main')).not.toContainText(person.last_name);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/leads/${failed[0]}`);
});

test('its page tells why the delivery failed', async () => {
  await expect(page.locator('#main')).toContainText('410');
  await expect(page.locator('#main')).not.toContainText(person.email);
});

test('the buyer is paused: a new lead waits', async () => {
  failed.push(await postLead(demo.url, { email: 'second@example.com', phone: '2125550148' }));
  await go('/deliveries?destination=ingest');
  await expect(page.getByRole('button', { name: 'Recover 2 failed' })).toBeVisible();
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await dialog().getByLabel('Reason').fill('They answer 410');
  await dialog().getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
  await failService(demo, 'ingest', 'none');
  const waiting = await postLead(demo.url, { email: 'third@example.com', phone: '2125550149' });
  await go(`/leads/${waiting}`);
  await expect(page.locator('#main')).toContainText(/paused/i);
});

test('resumed, it gets the waiting lead', async () => {
  await go('/deliveries?destination=ingest');
  await page.getByRole('button', { name: 'Resume' }).click();
  await dialog().getByLabel('Reason').fill('They are back');
  await dialog().getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
  await expect.poll(() => receivedBy('ingest')).toHaveLength(1);
});

test('what had failed is recovered by a plan that is shown first', async () => {
  await page.getByRole('button', { name: 'Recover 2 failed' }).click();
  await dialog().getByLabel('Reason').fill('Their outage of this morning');
  await dialog().getByRole('button', { name: 'Make the plan' }).click();
  await page.waitForURL('**/plans/*');
  plan = new URL(page.url()).pathname;
  const items = page.getByRole('table', { name: 'Items of the plan' });
  await expect(items.locator('tbody tr')).toHaveCount(2);
  expect(await receivedBy('ingest')).toHaveLength(1);
  await page.getByRole('button', { name: 'Send 2 deliveries again' }).click();
  await expect(page.locator('#main .badge').first()).toHaveText('done');
  await expect.poll(() => receivedBy('ingest')).toHaveLength(3);
});

test('leads are exported with a reason', async () => {
  // Like the list, an export has the leads that are counted.
  await expect(async () => {
    await go('/leads');
    await expect(rows()).toHaveCount(3, { timeout: 10_000 });
  }).toPass();
  await page.getByRole('button', { name: 'Export' }).click();
  await dialog().getByLabel('Reason').fill('Monthly report');
  const downloading = page.waitForEvent('download');
  await dialog().getByRole('button', { name: 'Export', exact: true }).click();
  const file = await (await downloading).path();
  const csv = await readFile(file, 'utf8');
  expect(csv).toContain(person.email);
  expect(csv.trimEnd().split('\r\n')).toHaveLength(4);
  await dialog().getByRole('button', { name: 'Close' }).last().click();
});

test('a person is put on the list, and their next lead is held back', async () => {
  await go('/people-requests');
  await page.getByLabel('E-mail address, phone number or lead id').fill(person.email);
  await page.getByRole('button', { name: 'Look up' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Not on the list' })).toContainText(
    '1 lead',
  );
  await page.getByRole('button', { name: 'Put on the list' }).click();
  await pickReason(page);
  await dialog().getByRole('button', { name: 'Put on the list' }).click();
  const found = page.getByRole('status').filter({ hasText: /^On the list/ });
  await expect(found).toContainText('Who has to be told');
  await expect(page.locator('tbody tr')).toHaveCount(1);
  const next = await postLead(demo.url, { ...person, phone: '2125550150' });
  await go(`/leads/${next}`);
  await expect(page.locator('#main')).toContainText(/not to be contacted|do-not-contact|suppress/i);
  expect(await receivedBy('ingest')).toHaveLength(3);
});

test('the audit log has all of it, and names no visitor', async () => {
  await go('/system?view=audit');
  const log = page.locator('#main');
  for (const action of [
    'destination.paused',
    'destination.resumed',
    'leads.exported',
    'person.looked_up',
    'person.suppressed',
  ]) {
    await expect(log).toContainText(action);
  }
  await expect(log).toContainText('They answer 410');
  await expect(log).not.toContainText(/kanari/i);
  expect(serverErrors(demo)).toEqual([]);
  expect(errors).toEqual([]);
});

test('the phone shows the screens of a survey', async () => {
  await go('/surveys?survey=%2Fsurvey%2Fv4nv');
  const screen = page.frameLocator('.phone-screen').locator('[data-step]');
  await expect(screen).toHaveAttribute('data-step', 'StartPath');
  await page.getByRole('button', { name: 'Next screen' }).click();
  await page.waitForURL(/step=/);
  const step = new URL(page.url()).searchParams.get('step') ?? '';
  await expect(screen).toHaveAttribute('data-step', step);
  await expect(screen.locator('button').first()).toBeVisible();
});

test('every page is accessible and fits its window: in both schemes, at a desk and on a phone', async () => {
  test.slow();
  const tabs = ['tab=requests', 'tab=erasure'].map((tab) => `/people-requests?${tab}`);
  const views = ['versions', 'settings', 'people', 'audit', 'account'];
  const faults: string[] = [];
  for (const path of [
    ...['/', '/leads', `/leads/${failed[0]}`, '/deliveries', '/plans', plan, '/funnels'],
    ...['/surveys', '/surveys?survey=%2Fsurvey%2Fv4nv', '/people-requests'],
    ...[...tabs, '/system', ...views.map((view) => `/system?view=${view}`), '/sign-in'],
  ]) {
    await go(path);
    for (const { viewport } of [desktop, phone]) {
      await page.setViewportSize(viewport);
      await expectLoaded(page);
      const where = `${path}, ${viewport.width} px`;
      const width = () => page.evaluate(() => document.documentElement.scrollWidth);
      await expect.poll(width, { message: where }).toBeLessThanOrEqual(viewport.width);
      for (const scheme of ['light', 'dark']) {
        await page.evaluate((name) => {
          document.documentElement.dataset.theme = name;
          // Colours change in the next frame.
          return new Promise((resolve) => {
            requestAnimationFrame(() => requestAnimationFrame(resolve));
          });
        }, scheme);
        const found = await violations(page);
        faults.push(...found.map((each) => `${where}, ${scheme}: ${each}`));
      }
    }
    await page.setViewportSize(desktop.viewport);
  }
  expect(faults).toEqual([]);
});

async function receivedBy(service: string): Promise<unknown[]> {
  const answer = await fetch(`${demo.sandboxUrl}/_sandbox/effects?service=${service}`);
  return (await answer.json()) as unknown[];
}
