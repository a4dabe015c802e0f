/** Tests what visitors read whose state forbids the sale of leads (Colorado by default). */
import { expect, type Page } from '@playwright/test';
import type { FlowPath } from '../../src/model/flows/test-support/paths.ts';
import { qualifiedWay } from '../support/ways.ts';
import { examineBothSizes } from './support/checks.ts';
import { answerStep, expectStep, walkUpTo } from './support/survey-page.ts';
import { newVisitor, openSurvey, servedSurvey, test } from './support/visits.ts';

test.use({ viewport: { width: 360, height: 740 } });

const path = '/survey/short';
const accepted = 'If you live in Colorado, no law firm gets your answers for now.';
const inColorado = { PhoneAndZip: { zip_code: '80202' } };

async function colorado() {
  const { flow, context } = await servedSurvey(path);
  const { steps, answers } = newVisitor(flow, qualifiedWay(flow, context));
  const { PhoneAndZip = {} } = answers;
  const way: FlowPath = {
    steps,
    answers: { ...answers, PhoneAndZip: { ...PhoneAndZip, ...inColorado.PhoneAndZip } },
  };
  return { flow, way };
}

async function expectClosed(page: Page): Promise<void> {
  await page.waitForURL('**/survey-thank-you/?**');
  expect(new URL(page.url()).hash).toBe('#state-CO');
  await expect(page.locator('h1:visible')).toHaveText('Thank you for telling us what happened.');
  const told = page.locator('.closed:visible');
  await expect(told).toContainText('Because of the rules for Colorado, we can’t pass your answers');
  await expect(told.locator('li')).toHaveCount(2);
  await expect(told.getByRole('link', { name: 'Ask the Colorado bar association' })).toBeVisible();
  const promise = page.getByText(/will call you|get in touch|call comes/);
  await expect(promise.filter({ visible: true })).toHaveCount(0);
}

test('a visitor from Colorado reads before the contact step that no law firm gets the answers', async ({
  page,
}) => {
  const { flow, way } = await colorado();
  await openSurvey(page, `${path}?s1=closed&state=CO`);
  await walkUpTo(page, flow, way, 'NameAndEmail');
  const screen = page.locator('[data-step="NameAndEmail"]');
  await expect(screen.locator('.help')).toContainText('If you live in Colorado, the rules there');
  await expect(screen.locator('input[name=email]')).toHaveCount(0);
  await examineBothSizes(page, 'early end in Colorado');
  await screen.getByRole('button', { name: 'Go on without a law firm' }).click();
  await expect(page.locator('.help')).toHaveText(accepted);
  await answerStep(page, flow, 'NameAndEmail', way.answers.NameAndEmail ?? {});
  await expectStep(page, 'PhoneAndZip');
  await expect(page.locator('.help')).toHaveText(accepted);
  await answerStep(page, flow, 'PhoneAndZip', way.answers.PhoneAndZip ?? {});
  await expectClosed(page);
  await expect(page.locator('#lead-status')).toHaveAttribute('data-state', 'received');
  await examineBothSizes(page, 'thank-you page in Colorado');
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a visitor from Colorado reads the same without JavaScript, also when coming back', async ({
    page,
  }) => {
    const { flow, way } = await colorado();
    await page.goto(`${path}?s1=closed&state=CO`);
    await walkUpTo(page, flow, way, 'NameAndEmail');
    await expect(page.locator('.help')).toContainText('If you live in Colorado, the rules there');
    await page.getByRole('button', { name: 'Go on without a law firm' }).click();
    await expect(page.locator('.help')).toHaveText(accepted);
    await answerStep(page, flow, 'NameAndEmail', way.answers.NameAndEmail ?? {});
    await answerStep(page, flow, 'PhoneAndZip', way.answers.PhoneAndZip ?? {});
    await expectClosed(page);
    await page.goto(`${path}/continue`);
    await expectClosed(page);
  });
});
