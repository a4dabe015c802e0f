/** Survey endings other than a plain redirect to the thank-you page. */
import { expect, type Page, type Route } from '@playwright/test';
import { disqualifiedWay, qualifiedWay } from '../support/ways.ts';
import { journeyAt, newVisitor, openSurvey, test } from './support/journeys.ts';
import { examineBothSizes } from './support/page-errors.ts';
import { expectStep, walkSurveyFast } from './support/survey-page.ts';

async function walkTo(page: Page, address: string, kind: 'qualified' | 'disqualified') {
  const { flow, context } = await journeyAt(new URL(address, 'http://localhost').pathname);
  const way =
    kind === 'qualified' ? qualifiedWay(flow, context) : disqualifiedWay(flow, context)?.way;
  if (!way) throw new Error(`${address} asks nothing that disqualifies`);
  await openSurvey(page, address);
  await walkSurveyFast(page, flow, newVisitor(flow, way));
}

test('progress-bar: stays, shows that it is still trying, retries at a tap, and goes on', async ({
  page,
}) => {
  let answerPost = (route: Route): Promise<void> => route.abort();
  await page.route('**/post-lead', (route) => answerPost(route));
  await walkTo(page, '/survey/progress', 'qualified');
  await expectStep(page, 'End');
  const again = page.getByRole('button', { name: 'Try now' });
  await expect(again).toBeVisible();
  await expect(page.locator('[data-sending=trying]')).toBeVisible();
  await examineBothSizes(page, 'End');
  await expect(page.getByRole('dialog')).toHaveCount(0);
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

test('short: the overlay covers the last screen only while the lead is sent', async ({ page }) => {
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/post-lead', async (route) => {
    await held;
    await route.continue();
  });
  const arrived = page.waitForRequest((request) => request.url().includes('/survey-thank-you/'));
  // "No content" leaves the browser on the current page.
  await page.route('**/survey-thank-you/**', (route) => route.fulfill({ status: 204 }));
  await walkTo(page, '/survey/short', 'qualified');
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(page.locator('[data-step=ThankYouStep]')).toBeAttached();
  answer();
  await arrived;
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expectStep(page, 'ThankYouStep');
  await examineBothSizes(page, 'ThankYouStep');
});

test('VW3, a lawyer: the partner’s page opens, and the thank-you page links to it', async ({
  page,
  context,
}) => {
  await walkTo(page, '/survey/vw?affid=21', 'disqualified');
  await page.waitForURL('**/survey-thank-you/**');
  await expect(page.locator('[data-thank-you=disqualified]')).toBeVisible();
  await expect
    .poll(() => [...new URL(page.url()).searchParams.keys()])
    .not.toEqual(expect.arrayContaining([expect.stringMatching(/^(email|phone|dq_reason)$/)]));
  expect(new URL(page.url()).searchParams.get('is_disqualified')).toBe('true');
  await expect.poll(() => context.pages().length).toBe(2);
  await expect(page.locator('#partner a')).toHaveAttribute('href', /affid=21/);
});

test('a state in the landing query adds the date of birth, and leaves the address', async ({
  page,
}) => {
  const dateOfBirthStates = ['AL', 'NE'];
  const { flow, context } = await journeyAt('/survey/v4nv', {
    state: 'AL',
    settings: { dateOfBirthStates },
  });
  const way = newVisitor(flow, qualifiedWay(flow, context));
  expect(way.steps).toContain('DateOfBirth');
  const posted = page.waitForRequest((request) => request.url().endsWith('/post-lead'));
  await openSurvey(page, '/survey/v4nv?s1=abc&state=al');
  expect(new URL(page.url()).searchParams.has('state')).toBe(false);
  await walkSurveyFast(page, flow, way);
  expect((await posted).postDataJSON()).toMatchObject({
    visitor_state: 'AL',
    date_of_birth_year: '1985',
  });
  await page.waitForURL('**/survey-thank-you**');
});
