import { expect, type Page } from '@playwright/test';
import { v4 } from '../../src/model/flows/variants/v4.ts';
import { answerStep, expectStep, sendStep, walkUpTo } from './support/survey-page.ts';
import { openSurvey, qualifyingPath, test } from './support/visits.ts';

/** Invalid entries of visitors: step, field, value and expected message. */
const mistakes: [step: string, field: string, entered: string, says: RegExp][] = [
  ['WhenWasTheAccident', 'injury_month', '', /month/i],
  ['IncidentDescription', 'case_description', 'Too short', /20|more|words/i],
  ['NameAndEmail', 'email', 'maria@', /e-?mail/i],
  ['PhoneAndZip', 'phone', '212555', /10|digits|number/i],
  ['PhoneAndZip', 'zip_code', '00000', /zip/i],
];

async function makeMistake(
  page: Page,
  right: Readonly<Record<string, string>>,
  [at, field, entered, says]: (typeof mistakes)[number],
): Promise<void> {
  const control = page.locator(`[data-step] [name="${field}"]`);
  for (const [name, value] of Object.entries(right)) {
    const other = page.locator(`[data-step] [name="${name}"]`).first();
    const tag = await other.evaluate((element) => element.tagName);
    if (tag === 'SELECT') await other.selectOption(name === field ? entered : value);
    else if (tag !== 'BUTTON') await other.fill(name === field ? entered : value);
  }
  await sendStep(page);
  await expect(control).toHaveAttribute('aria-invalid', 'true');
  await expect(control).toBeFocused();
  await expect(control).toHaveAccessibleDescription(says);
  await expectStep(page, at);
  const tag = await control.evaluate((element) => element.tagName);
  if (tag === 'SELECT') await control.selectOption(right[field] ?? '');
  else await control.fill(right[field] ?? '');
  await expect(control).not.toHaveAttribute('aria-invalid', 'true');
}

test('a step continues only after the visitor corrects the invalid field', async ({ page }) => {
  await openSurvey(page);
  const path = qualifyingPath();
  for (const step of path.steps) {
    await expectStep(page, step);
    const right = (path.answers[step] ?? {}) as Record<string, string>;
    const here = mistakes.filter(([at]) => at === step);
    for (const mistake of here) await makeMistake(page, right, mistake);
    if (here.length === 0) await answerStep(page, v4, step, right);
    else await sendStep(page);
    await expect(page.locator(`[data-step="${step}"]`)).toHaveCount(0);
  }
});

test('the Enter key moves through the fields and submits the form from the last field @all', async ({
  page,
}) => {
  await openSurvey(page);
  const path = qualifyingPath();
  await walkUpTo(page, v4, path, 'NameAndEmail');
  await page.locator('input[name=first_name]').fill('Maria');
  await page.keyboard.press('Enter');
  await expect(page.locator('input[name=last_name]')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('input[name=email]')).toBeFocused();
  await expect(page.locator('[aria-invalid=true]')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(page.locator('[aria-invalid=true]')).toHaveCount(2);
  await answerStep(page, v4, 'NameAndEmail', path.answers.NameAndEmail ?? {});
  await expectStep(page, 'PhoneAndZip');
});
