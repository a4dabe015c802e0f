import { expect, type Page, test } from '@playwright/test';
import { postLead, signIn } from './support/console.ts';
import { type Demo, startDemo } from './support/demo.ts';
import { collectErrors, examine } from './support/page-errors.ts';
import { desktop } from './support/windows.ts';

/** The console's frame and overview: keys, focus, scheme, events, and what it says without a server. */
let demo: Demo;
let page: Page;
let errors: string[];

// One sign-in and one server for all tests.
test.describe.configure({ mode: 'serial' });
test.use(desktop);

const heading = (name: string) => page.getByRole('heading', { level: 1, name });

test.beforeAll(async ({ browser }) => {
  demo = await startDemo();
  page = await browser.newPage({ ...desktop, reducedMotion: 'reduce' });
  errors = collectErrors(page);
  await signIn(page, demo, 'shell@example.com');
});
test.afterAll(async () => {
  await page?.close();
  await demo?.stop();
});

test('the first day says what to do, and the first visit appears by itself', async () => {
  await expect(page.getByRole('heading', { name: 'No visits yet in these days' })).toBeVisible();
  await expect(page.locator('.live')).toHaveText('Live');
  await examine(page, 'first day');
  await postLead(demo.url);
  const accepted = page.locator('.total', {
    has: page.locator('.total-name', { hasText: 'Accepted' }),
  });
  // The counting rests thirty times as long as it worked.
  await expect(accepted.getByRole('link')).toHaveText('1', { timeout: 120_000 });
  await accepted.getByRole('link').click();
  await expect(heading('Leads')).toBeFocused();
  expect(new URL(page.url()).searchParams.get('lead')).toBe('accepted');
  await expect(page.locator('#main [data-row]')).toHaveCount(1);
});

test('a number, a row and the period are chosen in the address', async () => {
  await page.goto(demo.consoleUrl);
  await page.locator('.total-name', { hasText: 'Completed' }).click();
  await expect(page).toHaveURL(/metric=completed/);
  await page.getByRole('button', { name: /^Period/ }).click();
  await page.getByRole('button', { name: 'Last 30 days' }).click();
  await expect(page).toHaveURL(/days=30/);
  await page.getByRole('tab', { name: 'Survey' }).click();
  // The rows of the dimension before stay until the new ones are there.
  const bySurvey = page.getByRole('table', { name: 'Numbers by survey' });
  await bySurvey.locator('.value-name').first().click();
  await expect(page).toHaveURL(/survey=/);
  await page.getByRole('navigation').getByRole('link', { name: 'Leads' }).click();
  await expect(page).toHaveURL(/\/leads\?days=30$/);
  await page.goBack();
  await page.getByRole('button', { name: /^Remove the filter Survey/ }).click();
  await expect(page).not.toHaveURL(/survey=/);
});

test('the rail leads everywhere, and no key acts while somebody types', async () => {
  await page.goto(demo.consoleUrl);
  await heading('Overview').waitFor();
  const rail = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
  for (const name of [...(await rail.allInnerTexts()).slice(1), 'Overview']) {
    await rail.filter({ hasText: name }).click();
    await expect(heading(name)).toBeFocused();
    await expect(page).toHaveTitle(new RegExp(`^${name}`));
    await expect(page.locator('#announcer')).toContainText(name);
  }
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('klj');
  await expect(heading('Overview')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(heading('Leads')).toBeFocused();
  await expect(page).toHaveURL(/q=klj$/);
});

test('a link skips to the content, and j and k move between rows', async () => {
  await page.goto(demo.consoleUrl);
  await heading('Overview').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.locator('#main')).toBeFocused();
  await page.goto(`${demo.consoleUrl}/leads`);
  const row = page.locator('#main [data-row]');
  await row.waitFor();
  await page.keyboard.press('j');
  await expect(row).toBeFocused();
  // A survey is another page with the same path.
  await page.goto(`${demo.consoleUrl}/surveys`);
  await page.locator('#main [data-row]').first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(heading('/survey/v4nv')).toBeFocused();
});

test('the chosen scheme stays', async () => {
  await page.goto(demo.consoleUrl);
  for (const scheme of ['Light', 'Dark']) {
    await page.getByRole('button', { name: 'Your account and settings' }).click();
    await examine(page, `menu before ${scheme}`);
    await page.getByRole('menuitem', { name: scheme }).click();
  }
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('without a server it says so and keeps the numbers; a panel fails by itself', async () => {
  await page.goto(demo.consoleUrl);
  // The skeleton has totals, too, but no figures.
  const figure = page.locator('.total-figure').first();
  await figure.waitFor();
  expect(errors).toEqual([]);
  await page.context().setOffline(true);
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(page.locator('.banner')).toContainText('You see data from');
  await expect(figure).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.locator('.banner')).toHaveCount(0);

  await page.route('**/api/breakdown**', (route) =>
    route.fulfill({ status: 400, json: { detail: 'No.' } }),
  );
  await page.goto(demo.consoleUrl);
  await expect(page.getByRole('alert')).toContainText('No.');
  await expect(figure).toBeVisible();
  await page.unroute('**/api/breakdown**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
});
