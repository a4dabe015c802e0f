/**
 * One-to-one consent (docs/specification.md#one-to-one-consent, docs/specification.md#buyers): the delivered lead must
 * have the shown buyers, the choice, and the consent text as seen. visit.spec.ts chooses among fetched firms.
 */
import { expect, type Page } from '@playwright/test';
import type { Answers } from '../../src/domain/answers.ts';
import { qualifiedWay } from '../support/ways.ts';
import { collectErrors, examineBothSizes } from './support/checks.ts';
import { journeyAt, newVisitor, openSurvey, test } from './support/journeys.ts';
import { deliveredLead } from './support/sandbox.ts';
import { sendStep, walkUpTo, watchLeadId } from './support/survey-page.ts';

/** Opens a survey, and walks to the phone step. @returns a phone number */
async function walkToPhone(page: Page, path: string): Promise<string> {
  const { flow, context } = await journeyAt(path);
  const visitor = newVisitor(flow, qualifiedWay(flow, context));
  const { phone = '' }: Answers = Object.assign({}, ...Object.values(visitor.answers));
  const answers = { ...visitor.answers, ZipCode: { zip_code: '10001', state: 'NY' } };
  await openSurvey(page, `${path}?s1=one`);
  await walkUpTo(page, flow, { ...visitor, answers }, 'PhoneAndBuyersConsent');
  return phone;
}

async function send(page: Page, phone: string): Promise<void> {
  await page.locator('[name="phone"]').fill(phone);
  await sendStep(page);
  await page.waitForURL('**/survey-thank-you/?**');
}

test('five firms shown as chosen, four removed, to a delivered lead', async ({ page }) => {
  const errors = collectErrors(page);
  const leadId = await watchLeadId(page);
  const phone = await walkToPhone(page, '/survey/v4nv-d2');
  const boxes = page.locator('input[name="selected_buyers"]');
  await expect(boxes).toHaveCount(5);
  for (const box of await boxes.all()) await expect(box).toBeChecked();
  await examineBothSizes(page, 'PhoneAndBuyersConsent');
  for (const label of await page.locator('label.buyer').all()) await label.click();
  const button = page.locator('[data-step] button[type=submit]');
  await expect(button).toHaveText('Send without choosing a firm', { useInnerText: true });
  const chosen = (await page.locator('label.buyer').last().innerText()).trim();
  const id = await boxes.last().getAttribute('value');
  await page.locator('label.buyer').last().click();
  await send(page, phone);
  const body = await deliveredLead(leadId());
  expect(body).toMatchObject({
    '1_to_1_consent': 'yes',
    '1_to_1_result': 'fixed',
    '1_to_1_dq': 'no',
    selected_buyers: id,
    selected_buyer_names: chosen,
    selected_buyers_changed: 'yes',
    all_possible_buyer_ids: expect.stringMatching(/^8674,/),
    oid: '81',
    tcpa: expect.stringContaining('prior express written consent'),
  });
  expect(body.displayed_buyers?.split('|')).toHaveLength(5);
  expect(errors).toEqual([]);
});

test('a visitor who chose no firm is told so, and may choose on the thank-you page', async ({
  page,
}) => {
  const errors = collectErrors(page);
  const leadId = await watchLeadId(page);
  const phone = await walkToPhone(page, '/survey/v4nv-d1');
  const firm = page.getByRole('group', { name: 'May Partner Law Firm A call you?' });
  await expect(firm.getByRole('radio', { name: 'Yes' })).toBeChecked();
  await firm.getByText('No', { exact: true }).click();
  await send(page, phone);
  await expect(page.locator('#lead-status')).toHaveAttribute('data-state', 'received');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/You chose no firm/);
  await expect(page.getByText('will call you').filter({ visible: true })).toHaveCount(0);
  await examineBothSizes(page, 'no law firm');
  const button = page.getByRole('button', { name: 'Ask for a call' });
  await button.click();
  await expect(page.getByRole('alert')).toBeVisible();
  await page.getByRole('group', { name: /May/ }).getByText('Yes', { exact: true }).click();
  await expect(page.getByRole('alert')).toBeHidden();
  await expect(page.locator('#tcpa a')).toHaveText(['privacy policy', 'terms of use']);
  await button.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/done your part/);
  await expect(page.locator('#caller')).toHaveText(/^Partner Law Firm A will call you/);
  expect(new URL(page.url()).hash).toBe('#sent');
  expect(await deliveredLead(leadId())).toMatchObject({
    '1_to_1_consent': 'yes',
    '1_to_1_dq': 'no',
    selected_buyers: '1',
    selected_buyers_number: '1',
  });
  expect(await page.evaluate(() => sessionStorage.getItem('survey-firms'))).not.toMatch(/secret/);
  expect(errors).toEqual([]);
});
