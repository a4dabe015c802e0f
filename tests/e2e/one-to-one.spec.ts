import { rmSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { calendarDate } from '../../src/domain/dates.ts';
import { dateAnswers, typedAnswers } from '../../src/flows/engine/test-samples.ts';
import { walk } from '../../src/flows/engine/walk.ts';
import { type Survey, surveyAt, surveyFacts } from '../../src/flows/surveys.ts';
import { oneToOne } from '../../src/flows/variants/one-to-one.ts';
import { keptData } from './support/browser-storage.ts';
import { openSurvey, test } from './support/journeys.ts';
import { collectErrors, examineBothSizes } from './support/page-errors.ts';
import { expectDeliveredOnce, ingestBodies, violations } from './support/sandbox-client.ts';
import { type Stack, startStack } from './support/stack.ts';
import { answerStep, expectStep, watchLeadId } from './support/survey-page.ts';
import { testSurveys } from './support/survey-table.ts';

/**
 * One-to-one consent (docs/specification.md#one-to-one-consent, docs/specification.md#buyers). Each survey
 * runs to a delivered lead, which must have the shown buyers, the choice, and the consent text as seen.
 */
const today = calendarDate(new Date(), 'America/New_York');
let visitors = 0;

/** Walks to the phone step. @returns the typed answers */
async function walkToPhone(page: Page, survey: Survey, zip: string, state: string) {
  visitors += 1;
  const { parallelIndex, project } = test.info();
  const number = 7000 + (project.name.length % 10) * 200 + parallelIndex * 50 + visitors;
  const answers: Record<string, Record<string, string>> = {
    StartPath: { accident_type: 'Car Accident' },
    WhenWasTheAccident: { ...dateAnswers(today, 200) } as Record<string, string>,
    AtFault: { at_Fault: 'no' },
    WasUserInjured: { specific_injury: 'Whiplash', physical_injury: 'Yes' },
    DidYouReceiveMedicalTreatment: { doctor_treatment: 'yes' },
    PoliceReportFiled: { police_report: 'yes' },
    HasLawyer: { with_Lawyer: 'no' },
    IncidentDescription: {
      case_description: typedAnswers.case_description ?? '',
      hit_and_run: 'no',
    },
    ZipCode: { zip_code: zip, state },
    NameAndEmail: {
      first_name: 'Maria',
      last_name: 'Sandoval',
      email: `one-to-one-${number}@mail.example`,
    },
    DateOfBirth: {
      date_of_birth_month: '04',
      date_of_birth_day: '12',
      date_of_birth_year: '1985',
    },
  };
  const settings = { dateOfBirthStates: ['AL', 'NE'] };
  const { steps } = walk(oneToOne, answers, { today, survey: surveyFacts(survey), settings });
  for (const step of steps.slice(0, -1)) {
    await expectStep(page, step);
    await answerStep(page, oneToOne, step, answers[step] ?? {});
  }
  return { phone: `(212) 555-${String(number).padStart(4, '0')}`, steps };
}

function surveyOf(path: string): Survey {
  const survey = surveyAt(path, testSurveys);
  if (!survey) throw new Error(`no survey at ${path}`);
  return survey;
}

async function send(page: Page, phone: string): Promise<void> {
  await page.locator('[name="phone"]').fill(phone);
  await page.locator('[data-step] button[type=submit]').click();
  await page.waitForURL('**/survey-thank-you/?**');
}

for (const [path, count] of [
  ['/survey/v4nv-d1', 1],
  ['/survey/v4nv-d2', 5],
  ['/survey/v4nv-x1', 1],
] as const) {
  test(`${path}: ${count} fixed buyers, the last one chosen, to a delivered lead`, async ({
    page,
  }) => {
    const errors = collectErrors(page);
    const leadId = await watchLeadId(page);
    await openSurvey(page, `${path}?s1=one`);
    const { phone } = await walkToPhone(page, surveyOf(path), '10001', 'NY');
    await expectStep(page, 'PhoneAndBuyersConsent');
    const boxes = page.locator('input[name="selected_buyers"]');
    await expect(boxes).toHaveCount(count);
    for (const box of await boxes.all()) await expect(box).not.toBeChecked();
    await examineBothSizes(page, `${path} PhoneAndBuyersConsent`);
    const chosen = (await page.locator('label.buyer').last().innerText()).trim();
    const id = await boxes.last().getAttribute('value');
    await page.locator('label.buyer').last().click();
    await send(page, phone);
    await expectDeliveredOnce(leadId());
    const [body] = await ingestBodies(leadId());
    expect(body).toMatchObject({
      '1_to_1_consent': 'yes',
      '1_to_1_result': 'fixed',
      '1_to_1_timeout': 'no',
      '1_to_1_dq': 'no',
      selected_buyers: id,
      selected_buyer_names: chosen,
      selected_buyers_number: '1',
      selected_buyers_changed: 'yes',
      all_possible_buyers_number: String(count + 1),
      all_possible_buyer_ids: expect.stringMatching(/^8674,/),
      oid: '81',
      state: 'NY',
      tcpa: expect.stringContaining('prior express written consent'),
    });
    expect(body?.displayed_buyers?.split('|')).toHaveLength(count);
    expect(errors).toEqual([]);
  });
}

test('/survey/v6: buyers are fetched, a choice survives a reload, date of birth, by keyboard', async ({
  page,
}) => {
  const errors = collectErrors(page);
  const leadId = await watchLeadId(page);
  await openSurvey(page, '/survey/v6?s1=one');
  const { phone, steps } = await walkToPhone(page, surveyOf('/survey/v6'), '68102', 'NE');
  expect(steps).toContain('DateOfBirth');
  await expectStep(page, 'PhoneAndBuyersConsent');
  const boxes = page.getByRole('checkbox');
  await expect(boxes).toHaveCount(2);
  await page.getByRole('checkbox', { name: 'Example Injury Attorneys' }).focus();
  await page.keyboard.press('Space');
  // The ticked choice is saved after a pause.
  await expect.poll(() => keptData(page)).toMatch(/selected_buyers\W+\d/);
  await page.reload();
  await expectStep(page, 'PhoneAndBuyersConsent');
  await expect(page.getByRole('checkbox', { name: 'Sandbox Law Group' })).not.toBeChecked();
  await expect(page.getByRole('checkbox', { name: 'Example Injury Attorneys' })).toBeChecked();
  await send(page, phone);
  await expectDeliveredOnce(leadId());
  const [body] = await ingestBodies(leadId());
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

test('/survey/v6: no buyer in an excluded state: the short consent', async ({ page }) => {
  const errors = collectErrors(page);
  const leadId = await watchLeadId(page);
  await openSurvey(page, '/survey/v6');
  // The sandbox has no buyers in Washington, DC, and the fallback buyers exclude it.
  const survey = surveyOf('/survey/v6');
  const { phone } = await walkToPhone(page, survey, '20001', 'DC');
  await expectStep(page, 'PhoneAbbreviatedTCPA');
  await expect(page.getByRole('checkbox')).toHaveCount(0);
  await examineBothSizes(page, 'PhoneAbbreviatedTCPA');
  await send(page, phone);
  await expectDeliveredOnce(leadId());
  const [body] = await ingestBodies(leadId());
  expect(body).toMatchObject({
    '1_to_1_consent': 'no',
    '1_to_1_result': 'none',
    '1_to_1_timeout': 'no',
    displayed_buyers: '',
    all_possible_buyer_ids: '8674',
    state: 'DC',
  });
  expect(errors).toEqual([]);
});

test('/survey/v6: our server is unreachable at the zip code: the survey goes on without a choice', async ({
  page,
}) => {
  const leadId = await watchLeadId(page);
  await page.route('**/api/buyers', (route) => route.abort());
  await openSurvey(page, '/survey/v6');
  const { phone } = await walkToPhone(page, surveyOf('/survey/v6'), '10001', 'NY');
  await expectStep(page, 'PhoneAbbreviatedTCPA');
  await send(page, phone);
  await expectDeliveredOnce(leadId());
  const [body] = await ingestBodies(leadId());
  expect(body).toMatchObject({ '1_to_1_consent': 'no', '1_to_1_result': 'failed' });
});

test.afterAll(async () => {
  expect(await violations()).toEqual([]);
});

/** These tests need a server that holds back such leads; the shared one sends them at once. */
test.describe('a choice on the thank-you page', () => {
  const shared = process.env.E2E_SANDBOX_URL;
  let stack: Stack;

  test.beforeAll(async () => {
    stack = await startStack({ CHOICE_WAIT_MINUTES: '10' });
    process.env.E2E_SANDBOX_URL = stack.sandboxUrl;
  });
  test.afterAll(async () => {
    process.env.E2E_SANDBOX_URL = shared;
    await stack?.stop();
    if (stack) rmSync(stack.dataDir, { recursive: true, force: true });
  });

  test('/survey/v6: a visitor who chose no firm is told so, and may choose on the thank-you page', async ({
    page,
  }) => {
    const leadId = await watchLeadId(page);
    await openSurvey(page, `${stack.url}/survey/v6`);
    const { phone } = await walkToPhone(page, surveyOf('/survey/v6'), '10001', 'NY');
    await expectStep(page, 'PhoneAndBuyersConsent');
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
    const button = page.getByRole('button', { name: 'Ask them to call me' });
    await button.click();
    await expect(page.getByRole('alert')).toBeVisible();
    await page.getByText('Example Injury Attorneys').click();
    await expect(page.getByRole('alert')).toBeHidden();
    await expect(page.locator('#tcpa a')).toHaveText(['privacy policy', 'terms of use']);
    await button.click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/done your part/);
    await expect(page.locator('#caller')).toHaveText(/^Example Injury Attorneys will call you/);
    expect(new URL(page.url()).hash).toBe('#sent');
    // The choice was the primary button; afterwards the call is.
    expect(await callGround()).not.toBe(besideTheChoice);
    await expectDeliveredOnce(leadId());
    const [body] = await ingestBodies(leadId());
    expect(body).toMatchObject({
      '1_to_1_consent': 'yes',
      '1_to_1_dq': 'no',
      selected_buyers: '50002',
      selected_buyers_number: '1',
      state: 'NY',
    });
    expect(await page.evaluate(() => sessionStorage.getItem('survey-firms'))).not.toMatch(/secret/);
    expect(errors).toEqual([]);
  });

  test('a choice after the lead was sent promises no call, also after a reload', async ({
    page,
  }) => {
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
    await page.goto(`${stack.url}/survey-thank-you/?q=y#no-firm`);
    await page.getByText('Example Injury Attorneys').click();
    await page.clock.setSystemTime(open.sentAt + 11 * 60_000);
    await page.getByRole('button', { name: 'Ask them to call me' }).click();
    const title = page.getByRole('heading', { level: 1 });
    await expect(title).toHaveText(/didn’t get through in time/);
    await expect(title).toBeFocused();
    expect(posts).toMatchObject([{ lead_id: open.lead_id, selected_buyers: '50002' }]);
    await expect(page.getByText('will call you').filter({ visible: true })).toHaveCount(0);
    await page.reload();
    await expect(title).toHaveText(/didn’t get through in time/);
    await expect(page.locator('#choose-firms')).toBeHidden();
  });
});
