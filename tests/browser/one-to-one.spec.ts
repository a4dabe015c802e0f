/** Tests one-to-one consent with one law firm (docs/specification.md#one-to-one-consent). */
import { expect } from '@playwright/test';
import type { Answers } from '../../src/model/fields/answers.ts';
import { qualifiedWay } from '../support/ways.ts';
import { collectErrors, examineBothSizes } from './support/checks.ts';
import { deliveredLead, expectTagged } from './support/sandbox.ts';
import { sendStep, walkUpTo, watchLeadId } from './support/survey-page.ts';
import { newVisitor, openSurvey, servedSurvey, test } from './support/visits.ts';

test('the thank-you page asks a visitor who chose no law firm to choose a law firm', async ({
  page,
}) => {
  const errors = collectErrors(page);
  const leadId = await watchLeadId(page);
  const { flow, context } = await servedSurvey('/survey/v4nv-d1');
  const visitor = newVisitor(flow, qualifiedWay(flow, context));
  const { phone = '' }: Answers = Object.assign({}, ...Object.values(visitor.answers));
  const answers = { ...visitor.answers, ZipCode: { zip_code: '10001', state: 'NY' } };
  await openSurvey(page, '/survey/v4nv-d1?s1=one');
  await walkUpTo(page, flow, { ...visitor, answers }, 'PhoneAndBuyersConsent');
  await examineBothSizes(page, 'one firm');
  const firm = page.getByRole('group', { name: 'May Partner Law Firm A call you?' });
  await expect(firm.getByRole('radio', { name: 'Yes' })).toBeChecked();
  await firm.getByText('No', { exact: true }).click();
  await page.locator('[name="phone"]').fill(phone);
  await sendStep(page);
  await page.waitForURL('**/survey-thank-you/?**');
  await expect(page.locator('#lead-status')).toHaveAttribute('data-state', 'received');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/You chose no firm/);
  await expect(page.getByText('will call you').filter({ visible: true })).toHaveCount(0);
  await examineBothSizes(page, 'no law firm');
  const button = page.getByRole('button', { name: 'Get my free case review' });
  await button.click();
  await expect(page.getByRole('alert')).toBeVisible();
  await page
    .getByRole('group', { name: 'May Partner Law Firm A call you?' })
    .getByText('Yes', { exact: true })
    .click();
  await expect(page.getByRole('alert')).toBeHidden();
  await expect(page.locator('#tcpa a')).toHaveText([
    'do-not-sell form',
    'privacy policy',
    'terms of use',
  ]);
  await button.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/done your part/);
  await expect(page.locator('#caller')).toHaveText(/^Partner Law Firm A will call you/);
  expect(new URL(page.url()).hash).toBe('#sent');
  const lead = await deliveredLead(leadId());
  expect(lead).toMatchObject({
    '1_to_1_consent': 'yes',
    '1_to_1_dq': 'no',
    selected_buyers: '1',
    selected_buyers_number: '1',
  });
  await expectTagged(lead);
  expect(await page.evaluate(() => sessionStorage.getItem('survey-firms'))).not.toMatch(/secret/);
  expect(errors).toEqual([]);
});
