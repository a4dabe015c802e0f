import { expect } from '@playwright/test';
import { v4 } from '../../src/model/flows/variants/v4.ts';
import { walkSurvey } from './support/survey-page.ts';
import { openSurvey, qualifyingPath, test } from './support/visits.ts';

test('a thank-you page links to the survey if the browser has sent no lead', async ({ page }) => {
  await page.goto('/survey-thank-you/?q=y');
  await expect(page.locator('h1:visible')).toHaveText('We can’t see any answers here');
  await expect(page.locator('#lead-status')).toBeEmpty();
  const start = page.getByRole('link', { name: 'Start the questions' });
  await expect(start).toHaveAttribute('href', '/survey/v4nv');
  await page.goto('/ticket-thank-you/?q=y');
  await expect(start).toHaveAttribute('href', '/ticket');
});

test('the thank-you page without JavaScript promises no call if the visitor chose no law firm', async ({
  browser,
}) => {
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto('/survey-thank-you/?q=y#no-firm');
  await expect(page.locator('h1:visible')).toHaveText(/You chose no firm/);
  await expect(page.getByText(/will call you/).filter({ visible: true })).toHaveCount(0);
  await page.close();
});

test('the thank-you page without JavaScript offers no empty calendar entry', async ({
  browser,
}) => {
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto('/survey-thank-you/?q=y');
  await expect(page.locator('#contact-card')).toBeVisible();
  await expect(page.locator('#calendar')).toBeHidden();
  await page.close();
});

test('the thank-you page promises no call if the server refused the lead', async ({ page }) => {
  await page.goto('/survey-thank-you/?q=y#sent');
  await expect(page.locator('#lead-status')).toHaveAttribute('data-state', 'received');
  await expect(page.locator('#caller')).toBeVisible();
  await page.evaluate(() => {
    const detail = { lead_id: 'a', status: 400 };
    window.dispatchEvent(new CustomEvent('survey:waiting', { detail }));
  });
  await expect(page.locator('#lead-status')).toContainText('Please call us');
  await expect(page.locator('.thanks-mark')).toBeHidden();
  await expect(page.getByText(/will call you|get in touch/).filter({ visible: true })).toHaveCount(
    0,
  );
});

test('the thank-you page’s URL keeps the query when the visitor switches the language @all', async ({
  page,
}) => {
  const own = 'email=maria%40mail.example&state=TX&state_long=Texas&affid=7&sub_id=abc&gclid=x&q=n';
  await page.goto(`/survey-thank-you/?${own}#sent`);
  const step = page.locator('#your-state');
  await expect(step).toContainText('Texas');
  await expect.poll(() => page.url()).not.toContain('maria');
  expect(await page.content()).not.toContain('maria');
  const asked = page.waitForRequest((request) => request.url().includes('lang=es'));
  await page.getByRole('link', { name: 'Español' }).click();
  expect(new URL((await asked).url()).searchParams.toString()).toBe(`${own}&lang=es`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');
  await expect(step).toContainText('Texas');
  await expect
    .poll(() => new URL(page.url()).search)
    .toBe('?affid=7&sub_id=abc&gclid=x&q=n&lang=es');
  expect(new URL(page.url()).hash).toBe('#sent');
  await page.getByRole('link', { name: 'English' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(page.locator('#lead-status')).not.toBeEmpty();
});

test('the thank-you page repeats the wishes about the call and offers a calendar entry', async ({
  page,
}) => {
  const path = qualifyingPath();
  Object.assign(path.answers.PhoneAndZip ?? {}, { call_language: 'Spanish', call_time: 'evening' });
  await openSurvey(page);
  await walkSurvey(page, v4, path);
  await page.waitForURL((url) => url.pathname === '/survey-thank-you/');
  await expect(page.locator('#wish')).toContainText('a call in Spanish, in the evening.');
  await expect(page.locator('#speak')).toBeHidden();
  expect(page.url()).not.toMatch(/Spanish|evening/);
  const entry = await page.getByRole('link', { name: 'Add to my calendar' }).getAttribute('href');
  expect(decodeURIComponent(entry ?? '')).toMatch(/DTSTART:\d{8}T170000/);
  // Without a chosen law firm, nobody calls.
  await page.goto('/survey-thank-you/?q=y#no-firm');
  await expect(page.locator('#calendar')).toBeHidden();
});
