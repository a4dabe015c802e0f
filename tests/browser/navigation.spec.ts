import { expect } from '@playwright/test';
import { v4 } from '../../src/model/flows/variants/v4.ts';
import { surveyPaths } from '../../src/web/site/site-map.ts';
import { keptData } from './support/checks.ts';
import { deliveredLead } from './support/sandbox.ts';
import { expectStep, sendStep, walkSurvey, walkUpTo, watchLeadId } from './support/survey-page.ts';
import { openSurvey, qualifyingPath, test } from './support/visits.ts';

test('the browser’s back and forward buttons show each question with its answer', async ({
  page,
}) => {
  await openSurvey(page);
  const path = qualifyingPath();
  await walkUpTo(page, v4, path, 'WasUserInjured');
  await expect(page.locator('[data-step] h1')).toBeFocused();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  await page.getByRole('button', { name: /^back$/i }).click();
  await expectStep(page, 'AtFault');
  const answer = page.locator('button[name=at_Fault][value=no]');
  await expect(answer).toHaveAttribute('aria-pressed', 'true');
  await page.goBack();
  await expectStep(page, 'WhenWasTheAccident');
  await expect(page.locator('select[name=injury_year]')).toHaveValue(
    path.answers.WhenWasTheAccident?.injury_year ?? '',
  );
  await page.goForward();
  await expectStep(page, 'AtFault');
});

test('a visitor who returns through another ad continues the survey at the same question', async ({
  page,
  context,
}) => {
  const leadId = await watchLeadId(page);
  await openSurvey(page);
  const path = qualifyingPath();
  await walkUpTo(page, v4, path, 'NameAndEmail');
  await page.locator('input[name=first_name]').fill('Maria');
  await page.locator('input[name=last_name]').click();
  await expect.poll(() => keptData(page)).toContain('Maria');
  await page.close();
  const later = await context.newPage();
  await later.goto('/survey/v4nv?s1=other&gclid=y');
  await expectStep(later, 'NameAndEmail');
  await expect(later.locator('.resumed')).toBeInViewport({ ratio: 1 });
  await expect(later.locator('input[name=first_name]')).toHaveValue('Maria');
  const rest = path.steps.slice(path.steps.indexOf('NameAndEmail'));
  await walkSurvey(later, v4, { steps: rest, answers: path.answers });
  await later.waitForURL('**/survey-thank-you/?**');
  const body = await deliveredLead(leadId());
  expect(body).toMatchObject({ sub_id: 'other', gclid: 'y', at_Fault: 'no' });
});

test('a visitor can answer the first question of the survey on the home page', async ({ page }) => {
  await page.goto('/?s1=home&gclid=g-1');
  const saved = page.waitForRequest((request) => request.url().endsWith('/api/save-data'));
  await page.locator('.first-answers').getByText('Motorcycle').click();
  await expectStep(page, 'WhenWasTheAccident');
  expect((await saved).postDataJSON().session.params).toMatchObject({ s1: 'home', gclid: 'g-1' });
  const answered = page.waitForResponse((response) =>
    Boolean(response.request().postData()?.includes('"injury_year":"2025"')),
  );
  await page.locator('[name="injury_month"]').selectOption('05');
  await page.locator('[name="injury_year"]').selectOption('2025');
  await sendStep(page);
  await expectStep(page, 'AtFault');
  await answered;
  const address = new URL(page.url());
  expect(address.pathname).toBe(surveyPaths.en);
  expect(address.searchParams.get('s1')).toBe('home');
  await page.goBack();
  await expectStep(page, 'WhenWasTheAccident');
  await page.goBack();
  await expect(page).toHaveURL('/?s1=home&gclid=g-1');
});

test('a visitor who switches to the other language and back sees the same question @all', async ({
  page,
}) => {
  const leadId = await watchLeadId(page);
  await openSurvey(page);
  await walkUpTo(page, v4, qualifyingPath(), 'AtFault');
  const begun = leadId();
  await expect.poll(() => keptData(page)).toContain('"at":"AtFault"');
  for (const language of ['es', 'en']) {
    await page.locator('#other-language').click();
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await expectStep(page, 'AtFault');
    await expect(page.locator('.resumed')).toHaveCount(0);
  }
  await page.locator('button[name=at_Fault][value=no]').click();
  await expectStep(page, 'WasUserInjured');
  expect(leadId()).toBe(begun);
});

test('the back button shows no question of the old visit after the visitor has started over @all', async ({
  page,
}) => {
  await page.goto('/');
  await openSurvey(page);
  await walkUpTo(page, v4, qualifyingPath(), 'DidYouReceiveMedicalTreatment');
  await page.reload();
  const startOver = page.getByRole('button', { name: 'Yes, delete my answers' });
  await expect(startOver).toBeHidden();
  await page.getByText('Start over', { exact: true }).click();
  // Waits until the script is ready, because the script handles the back button.
  const ready = page.waitForEvent('console', (message) => message.text() === 'test: survey ready');
  await startOver.click();
  await ready;
  await expectStep(page, 'StartPath');
  await page.goBack();
  await expect(page).toHaveURL(/\/$/);
});
