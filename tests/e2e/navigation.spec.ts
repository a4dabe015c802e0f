import { expect } from '@playwright/test';
import { v4 } from '../../src/flows/variants/v4.ts';
import { keptData } from './support/browser-storage.ts';
import { openSurvey, qualifyingPath, test } from './support/journeys.ts';
import { deliveredLead } from './support/sandbox-client.ts';
import { expectStep, walkSurvey, walkUpTo, watchLeadId } from './support/survey-page.ts';

const back = /^back$/i;

test('the page’s and the browser’s back button show the previous question with its answer', async ({
  page,
}) => {
  await openSurvey(page);
  const path = qualifyingPath();
  await walkUpTo(page, v4, path, 'WasUserInjured');
  await page.getByRole('button', { name: back }).click();
  await expectStep(page, 'AtFault');
  await expect(page.locator('button[name=at_Fault][value=no]')).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await page.goBack();
  await expectStep(page, 'WhenWasTheAccident');
  await expect(page.locator('select[name=injury_year]')).toHaveValue(
    path.answers.WhenWasTheAccident?.injury_year ?? '',
  );
  await page.goForward();
  await expectStep(page, 'AtFault');
});

test('the other language shows the same question of the same lead, and back again', async ({
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
    // The visitor has not left, so no notice is shown.
    await expect(page.locator('.resumed')).toHaveCount(0);
  }
  await page.locator('button[name=at_Fault][value=no]').click();
  await expectStep(page, 'WasUserInjured');
  expect(leadId()).toBe(begun);
});

test('the browser’s back button on the first question leaves the survey', async ({ page }) => {
  await page.goto('/');
  await openSurvey(page);
  await page.goBack();
  await expect(page).toHaveURL(/\/$/);
});

test('after the skip link, back still goes one question back', async ({ page }) => {
  await openSurvey(page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-step] h1')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expectStep(page, 'WhenWasTheAccident');
  await page.getByRole('button', { name: back }).click();
  await expectStep(page, 'StartPath');
});

test('starting over removes the old visit’s questions from the history', async ({ page }) => {
  await page.goto('/');
  await openSurvey(page);
  await walkUpTo(page, v4, qualifyingPath(), 'DidYouReceiveMedicalTreatment');
  await page.reload();
  await expect(page.locator('.resumed')).toBeInViewport({ ratio: 1 });
  // The whole notice is visible above the scene, and the question has one font.
  const covered = await page.locator('.resumed').evaluate((notice) => {
    const { left, right, top } = notice.getBoundingClientRect();
    const shown = document.elementFromPoint((left + right) / 2, top + 4);
    return !notice.contains(shown);
  });
  expect(covered).toBe(false);
  await expect(page.locator('[data-step] h1')).not.toHaveCSS('font-family', /first/);
  const startOver = page.getByRole('button', { name: 'Yes, delete my answers' });
  await expect(startOver).toBeHidden();
  // The page asks for the confirmation only once.
  await page.getByText('Start over', { exact: true }).click();
  // The first question is visible before its script can handle "back".
  const ready = page.waitForEvent('console', (message) => message.text() === 'test: survey ready');
  await startOver.click();
  await ready;
  await expectStep(page, 'StartPath');
  await page.goBack();
  await expect(page).toHaveURL(/\/$/);
});

test('a second visit resumes the same question with the typed values', async ({
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
  // Another ad brought the visitor back: its click counts now, and no typed value is lost.
  await later.goto('/survey/v4nv?s1=other&gclid=y');
  await expectStep(later, 'NameAndEmail');
  await expect(later.locator('input[name=first_name]')).toHaveValue('Maria');
  const rest = path.steps.slice(path.steps.indexOf('NameAndEmail'));
  await walkSurvey(later, v4, { steps: rest, answers: path.answers });
  await later.waitForURL('**/survey-thank-you/?**');
  const body = await deliveredLead(leadId());
  expect(body).toMatchObject({ sub_id: 'other', gclid: 'y', at_Fault: 'no' });
});

test('focus moves to the new question', async ({ page }) => {
  await openSurvey(page);
  await page.locator('[data-step=StartPath] button[name]').first().click();
  await expectStep(page, 'WhenWasTheAccident');
  await expect(page.locator('[data-step] h1')).toBeFocused();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
});
