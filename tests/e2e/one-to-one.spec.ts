import { expect, type Page } from '@playwright/test';
import type { Answers } from '../../src/domain/answers.ts';
import { walk } from '../../src/flows/engine/walk.ts';
import { qualifiedWay } from '../support/ways.ts';
import { keptData } from './support/browser-storage.ts';
import { journeyAt, newVisitor, openSurvey, test, unusualTest } from './support/journeys.ts';
import { collectErrors, examineBothSizes } from './support/page-errors.ts';
import { deliveredLead } from './support/sandbox-client.ts';
import { expectStep, sendStep, walkSurveyFast, watchLeadId } from './support/survey-page.ts';

/**
 * One-to-one consent (docs/specification.md#one-to-one-consent, docs/specification.md#buyers). Each survey
 * runs to a delivered lead, which must have the shown buyers, the choice, and the consent text as seen.
 */
/** Opens a survey, and walks to the phone step. @returns a phone number, and the steps */
async function walkToPhone(page: Page, path: string, zip_code: string, state: string) {
  const settings = { dateOfBirthStates: ['AL', 'NE'] };
  const { flow, context } = await journeyAt(path, { settings });
  const visitor = newVisitor(flow, qualifiedWay(flow, context));
  const { phone = '' }: Answers = Object.assign({}, ...Object.values(visitor.answers));
  const answers = {
    ...visitor.answers,
    ZipCode: { zip_code, state },
    DateOfBirth: {
      date_of_birth_month: '04',
      date_of_birth_day: '12',
      date_of_birth_year: '1985',
    },
  };
  const { steps } = walk(flow, answers, context);
  await openSurvey(page, `${path}?s1=one`);
  await walkSurveyFast(page, flow, { steps: steps.slice(0, -1), answers });
  return { phone, steps };
}

async function send(page: Page, phone: string): Promise<void> {
  await page.locator('[name="phone"]').fill(phone);
  await sendStep(page);
  await page.waitForURL('**/survey-thank-you/?**');
}

test('/survey/v4nv-d2: five firms shown as chosen, four removed, to a delivered lead', async ({
  page,
}) => {
  const errors = collectErrors(page);
  const leadId = await watchLeadId(page);
  const { phone } = await walkToPhone(page, '/survey/v4nv-d2', '10001', 'NY');
  await expectStep(page, 'PhoneAndBuyersConsent');
  const boxes = page.locator('input[name="selected_buyers"]');
  await expect(boxes).toHaveCount(5);
  for (const box of await boxes.all()) await expect(box).toBeChecked();
  await examineBothSizes(page, 'PhoneAndBuyersConsent');
  const button = page.locator('button[type=submit]');
  await expect(page.getByRole('button', { name: 'Get my free case review' })).toBeVisible();
  for (const label of await page.locator('label.buyer').all()) await label.click();
  await expect(button).toHaveText('Send without choosing a firm', { useInnerText: true });
  const chosen = (await page.locator('label.buyer').last().innerText()).trim();
  const id = await boxes.last().getAttribute('value');
  await page.locator('label.buyer').last().click();
  await send(page, phone);
  const body = await deliveredLead(leadId());
  expect(body).toMatchObject({
    '1_to_1_consent': 'yes',
    '1_to_1_result': 'fixed',
    '1_to_1_timeout': 'no',
    '1_to_1_dq': 'no',
    selected_buyers: id,
    selected_buyer_names: chosen,
    selected_buyers_number: '1',
    selected_buyers_changed: 'yes',
    all_possible_buyers_number: '6',
    all_possible_buyer_ids: expect.stringMatching(/^8674,/),
    oid: '81',
    state: 'NY',
    tcpa: expect.stringContaining('prior express written consent'),
  });
  expect(body.displayed_buyers?.split('|')).toHaveLength(5);
  expect(errors).toEqual([]);
});

test('/survey/v6: buyers are fetched, a choice survives a reload, date of birth, by keyboard', async ({
  page,
}) => {
  const errors = collectErrors(page);
  const leadId = await watchLeadId(page);
  const { phone, steps } = await walkToPhone(page, '/survey/v6', '68102', 'NE');
  expect(steps).toContain('DateOfBirth');
  await expectStep(page, 'PhoneAndBuyersConsent');
  const boxes = page.getByRole('checkbox');
  await expect(boxes).toHaveCount(2);
  await page.getByRole('checkbox', { name: 'Sandbox Law Group' }).focus();
  await page.keyboard.press('Space');
  // The choice is saved after a pause.
  await expect.poll(() => keptData(page)).toMatch(/selected_buyers\W+\d/);
  await page.reload();
  await expectStep(page, 'PhoneAndBuyersConsent');
  await expect(page.getByRole('checkbox', { name: 'Sandbox Law Group' })).not.toBeChecked();
  await expect(page.getByRole('checkbox', { name: 'Example Injury Attorneys' })).toBeChecked();
  await send(page, phone);
  const body = await deliveredLead(leadId());
  expect(body).toMatchObject({
    '1_to_1_consent': 'yes',
    '1_to_1_result': 'available',
    displayed_buyers: 'Sandbox Law Group|Example Injury Attorneys',
    selected_buyers: '50002',
    selected_buyer_names: 'Example Injury Attorneys',
    all_possible_buyer_ids: '8674,50001,50002,50003,50004',
    all_possible_buyers_number: '4',
    oid: '160',
    date_of_birth_year: '1985',
  });
  expect(body).not.toHaveProperty('displayed_buyer_ids');
  expect(errors).toEqual([]);
});

test('/survey/v6: our server is unreachable at the zip code: the survey goes on without a choice', async ({
  page,
}) => {
  const leadId = await watchLeadId(page);
  await page.route('**/api/buyers', (route) => route.abort());
  const { phone } = await walkToPhone(page, '/survey/v6', '10001', 'NY');
  await expectStep(page, 'PhoneAbbreviatedTCPA');
  await send(page, phone);
  const body = await deliveredLead(leadId());
  expect(body).toMatchObject({ '1_to_1_consent': 'no', '1_to_1_result': 'failed' });
});

test('/survey/v4nv-d1: one firm is asked about with Yes and No', async ({ page }) => {
  const leadId = await watchLeadId(page);
  const { phone } = await walkToPhone(page, '/survey/v4nv-d1', '10001', 'NY');
  await expect(page.getByRole('group', { name: 'May Partner Law Firm A call you?' })).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Yes' })).toBeChecked();
  await examineBothSizes(page, 'PhoneAndBuyersConsent');
  await page.getByText('No', { exact: true }).click();
  await page.getByRole('button', { name: 'Send without choosing a firm' }).hover();
  await page.getByText('Yes', { exact: true }).click();
  await send(page, phone);
  await expect(page.locator('#caller')).toHaveText(/^Partner Law Firm A will call you/);
  expect(await deliveredLead(leadId())).toMatchObject({
    ...{ '1_to_1_dq': 'no', selected_buyers: '1', selected_buyers_changed: 'no' },
  });
});

// The usual server sends a lead without a chosen firm at once.
unusualTest(
  '/survey/v6: a visitor who chose no firm is told so, and may choose on the thank-you page',
  async ({ page }) => {
    const leadId = await watchLeadId(page);
    const { phone } = await walkToPhone(page, '/survey/v6', '10001', 'NY');
    await expectStep(page, 'PhoneAndBuyersConsent');
    for (const box of await page.getByRole('checkbox').all()) await box.uncheck();
    await send(page, phone);
    const errors = collectErrors(page);
    const status = page.locator('#lead-status');
    await expect(status).toHaveAttribute('data-state', 'received');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/You chose no firm/);
    await expect(page.getByText('will call you').filter({ visible: true })).toHaveCount(0);
    await examineBothSizes(page, 'no law firm');
    const callGround = () =>
      page.locator('.call-card .button').evaluate((call) => getComputedStyle(call).backgroundColor);
    const besideTheChoice = await callGround();
    const button = page.getByRole('button', { name: 'Ask for a call' });
    await button.click();
    await expect(page.getByRole('alert')).toBeVisible();
    await page.getByText('Example Injury Attorneys', { exact: true }).click();
    await expect(page.getByRole('alert')).toBeHidden();
    await expect(page.locator('#tcpa a')).toHaveText(['privacy policy', 'terms of use']);
    await button.click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/done your part/);
    await expect(page.locator('#caller')).toHaveText(/^Example Injury Attorneys will call you/);
    expect(new URL(page.url()).hash).toBe('#sent');
    // The choice was the primary button; afterwards the call is.
    await expect.poll(callGround).not.toBe(besideTheChoice);
    const body = await deliveredLead(leadId());
    expect(body).toMatchObject({
      '1_to_1_consent': 'yes',
      '1_to_1_dq': 'no',
      selected_buyers: '50002',
      selected_buyers_number: '1',
      state: 'NY',
    });
    expect(await page.evaluate(() => sessionStorage.getItem('survey-firms'))).not.toMatch(/secret/);
    expect(errors).toEqual([]);
  },
);

unusualTest(
  'a choice after the lead was sent promises no call, also after a reload',
  async ({ page }) => {
    const open = {
      ...{ lead_id: crypto.randomUUID(), secret: 'of-this-test', sentAt: Date.now() },
      ...{ survey: '/survey/v6', language: 'en', tcpa: 'I agree.', version: '2026-11-21' },
      firms: [['Example Injury Attorneys', '50002']],
    };
    await page.addInitScript(
      (firms) => {
        if (!sessionStorage.getItem('survey-firms')) sessionStorage.setItem('survey-firms', firms);
      },
      JSON.stringify({ chosen: [], open }),
    );
    const posts: unknown[] = [];
    await page.route('**/post-lead', async (route) => {
      posts.push(route.request().postDataJSON());
      await route.fulfill({ json: { lead_id: open.lead_id } });
    });
    await page.clock.install();
    await page.goto('/survey-thank-you/?q=y#no-firm');
    await expect(page.locator('legend')).toHaveText(/May Example Injury Attorneys call you/);
    await page.getByText('Yes').click();
    await page.clock.setSystemTime(open.sentAt + 11 * 60_000);
    await page.getByRole('button', { name: 'Ask for a call' }).click();
    const title = page.getByRole('heading', { level: 1 });
    await expect(title).toHaveText(/didn’t get through in time/);
    await expect(title).toBeFocused();
    // The words come at the limit, which may be before the request.
    const sent = { lead_id: open.lead_id, selected_buyers: '50002' };
    await expect.poll(() => posts).toMatchObject([sent]);
    await expect(page.getByText('will call you').filter({ visible: true })).toHaveCount(0);
    await page.reload();
    await expect(title).toHaveText(/didn’t get through in time/);
    await expect(page.locator('#choose-firms')).toBeHidden();
  },
);
