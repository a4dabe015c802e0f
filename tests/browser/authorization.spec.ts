/** Tests Washington's authorization (docs/specification.md#health-authorization). */
import { expect, type Page } from '@playwright/test';
import type { Answers } from '../../src/model/fields/answers.ts';
import { formatPhoneMask } from '../../src/model/fields/phone-format.ts';
import { qualifiedWay } from '../support/ways.ts';
import { collectErrors, examineBothSizes } from './support/checks.ts';
import { deliveredLead } from './support/sandbox.ts';
import { answerStep, expectStep, sendStep } from './support/survey-page.ts';
import { newVisitor, servedSurvey, test } from './support/visits.ts';

const survey = '/survey/v4nv-d1';
const lastStep = 'PhoneAndBuyersConsent';
const question = 'May we sell your health answers to a law firm?';

/** Walks to the last step as a visitor from Seattle, and returns the phone number. */
async function walkToLastStep(page: Page): Promise<string> {
  const { flow, context } = await servedSurvey(survey);
  const visitor = newVisitor(flow, qualifiedWay(flow, context));
  await page.goto(`${survey}?s1=wa`);
  for (const step of visitor.steps) {
    await expectStep(page, step);
    if (step === lastStep) break;
    const own = step === 'ZipCode' ? { zip_code: '98101' } : visitor.answers[step];
    await answerStep(page, flow, step, own ?? {});
  }
  const { phone = '' }: Answers = Object.assign({}, ...Object.values(visitor.answers));
  return phone;
}

/** Opens the authorization, goes back, opens it again, and signs. */
async function sign(page: Page, phone: string): Promise<void> {
  await page.locator('[name="phone"]').fill(phone);
  await sendStep(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(question);
  await expect(page.getByText('Buyer: Partner Law Firm A.')).toBeVisible();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.locator('input[name="phone"][type="tel"]')).toHaveValue(formatPhoneMask(phone));
  await expectStep(page, lastStep);
  await sendStep(page);
}

test('a visitor in Washington signs on a screen of its own', async ({ page }) => {
  const errors = collectErrors(page);
  const phone = await walkToLastStep(page);
  await sign(page, phone);
  await expect(page.locator('#question')).toBeFocused();
  await examineBothSizes(page, 'the authorization');
  const posting = page.waitForRequest('**/post-lead');
  await page.getByRole('button', { name: 'Yes, I sign' }).click();
  const body = (await posting).postDataJSON();
  await page.waitForURL('**/survey-thank-you/?**');
  await expect(page.locator('#lead-status')).toHaveAttribute('data-state', 'received');
  expect(body).toMatchObject({ health_authorization: 'yes', phone: phone.replaceAll(/\D/g, '') });
  expect(body.tcpa).toContain('Partner Law Firm A');
  expect(body.health_authorization_text).toMatch(
    /^What: .+\nSeller: .+\nBuyer: Partner Law Firm A\./,
  );
  expect(await deliveredLead(body.lead_id)).toMatchObject({ selected_buyers: '1', state: 'WA' });
  await page.locator('#answers summary').click();
  await expect(page.locator('#answers')).toContainText('Buyer: Partner Law Firm A.');
  expect(errors).toEqual([]);
});

test('a visitor in Washington who does not sign is promised no call', async ({ page }) => {
  const phone = await walkToLastStep(page);
  await page.locator('[name="phone"]').fill(phone);
  await sendStep(page);
  await page.getByRole('button', { name: 'No, do not sell them' }).click();
  await page.waitForURL('**/survey-thank-you/?**#state-WA');
  await expect(page.locator('#lead-status')).toHaveAttribute('data-state', 'received');
  await expect(
    page.getByText('Without your signature, no law firm gets your answers.'),
  ).toBeVisible();
  await expect(page.getByText('will call you').filter({ visible: true })).toHaveCount(0);
  await examineBothSizes(page, 'thank-you page without a signature');
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a visitor in Washington signs on a page of its own', async ({ page }) => {
    const phone = await walkToLastStep(page);
    await sign(page, phone);
    await page.getByRole('button', { name: 'Yes, I sign' }).click();
    await page.waitForURL((url) => url.pathname === '/survey-thank-you/');
    const cookies = await page.context().cookies();
    const visit = cookies.find(({ name }) => name.startsWith('visit_'));
    const leadId = visit?.value.split('.')[0] ?? '';
    expect(await deliveredLead(leadId)).toMatchObject({ selected_buyers: '1', state: 'WA' });
  });
});
