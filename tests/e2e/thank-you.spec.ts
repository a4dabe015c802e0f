/** The ends of a survey beyond the plain ones of surveys.spec.ts. */
import { expect, type Route } from '@playwright/test';
import { qualifiedWay } from '../support/ways.ts';
import { examineBothSizes } from './support/checks.ts';
import { journeyAt, newVisitor, openSurvey, test } from './support/journeys.ts';
import { expectStep, walkSurveyFast } from './support/survey-page.ts';

test('a survey that waits for its post stays, shows that it is still trying, retries at a tap, and goes on', async ({
  page,
}) => {
  let answerPost = (route: Route): Promise<void> => route.abort();
  await page.route('**/post-lead', (route) => answerPost(route));
  const { flow, context } = await journeyAt('/survey/progress');
  await openSurvey(page, '/survey/progress');
  await walkSurveyFast(page, flow, newVisitor(flow, qualifiedWay(flow, context)));
  await expectStep(page, 'End');
  const again = page.getByRole('button', { name: 'Try now' });
  await expect(again).toBeVisible();
  await expect(page.locator('[data-sending=trying]')).toBeVisible();
  await examineBothSizes(page, 'End');
  expect(new URL(page.url()).pathname).toBe('/survey/progress');
  // The queue's next retry is held back. No further timer runs, so only the tap can retry.
  const held = await new Promise<Route>((resolve) => {
    answerPost = async (route) => resolve(route);
  });
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  answerPost = (route) => route.continue();
  const arrived = page.waitForRequest(
    (request) => request.isNavigationRequest() && request.url().includes('/survey-thank-you/'),
  );
  await again.click();
  await held.abort();
  const query = new URL((await arrived).url()).searchParams;
  expect(query.get('q')).toBe('y');
  expect(query.get('qualified')).toBe('yes');
});

test('a thank-you page opened without a sent lead claims none', async ({ page }) => {
  await page.goto('/survey-thank-you/?q=y');
  await expect(page.locator('h1:visible')).toHaveText('We can’t see any answers here');
  await expect(page.locator('#lead-status')).toBeEmpty();
  const start = page.getByRole('link', { name: 'Start the questions' });
  await expect(start).toHaveAttribute('href', '/survey/v4nv');
  await page.goto('/ticket-thank-you/?q=y');
  await expect(start).toHaveAttribute('href', '/ticket');
});

test('the other language keeps the page’s query and the visitor’s own state @all', async ({
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
