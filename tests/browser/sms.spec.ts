/** Tests the dialog of phone verification by SMS (docs/specification.md#sms-verification). */
import { randomInt } from 'node:crypto';
import { expect, type Page, type Route } from '@playwright/test';
import { dateAnswers } from '../../src/model/flows/test-support/samples.ts';
import { sl } from '../../src/model/flows/variants/sl.ts';
import { collectErrors, examineBothSizes } from './support/checks.ts';
import { codeTo, deliveredLead } from './support/sandbox.ts';
import { sendStep, walkUpTo, watchLeadId } from './support/survey-page.ts';
import { openSurvey, test, today } from './support/visits.ts';

/** Begins with a random number, because a restarted test process must not reuse phone numbers. */
let numbers = randomInt(2000);
/** Returns a phone number that no other test uses. */
function newNumber(): { typed: string; e164: string } {
  numbers += 1;
  const last = 1000 + test.info().parallelIndex * 2000 + (numbers % 2000);
  return { typed: `(212) 555-${last}`, e164: `+1212555${last}` };
}

const another = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

async function askForCode(page: Page, typed: string): Promise<void> {
  await openSurvey(page, '/survey-sl');
  const answers = {
    StartPath: { accident_type: 'Car Accident' },
    WhenWasTheAccident: dateAnswers(today, 200),
    AtFault: { at_Fault: 'no' },
    WasUserInjured: { physical_injury: 'Yes' },
    NameAndEmail: { first_name: 'Maria', last_name: 'Sandoval', email: 'maria@mail.example' },
    PhoneAndZip: {},
  };
  await walkUpTo(page, sl, { steps: Object.keys(answers), answers }, 'PhoneAndZip');
  await page.locator('[name="phone"]').fill(typed);
  await page.locator('[name="zip_code"]').fill('10001');
  await sendStep(page);
}

const modal = (page: Page) => page.getByRole('dialog');
const input = (page: Page) => modal(page).getByRole('textbox');
const thanks = (page: Page) => page.waitForURL('**/survey-thank-you/?**');

test('the SMS dialog closes only after the visitor has entered the right code', async ({
  page,
}) => {
  const errors = collectErrors(page);
  const leadId = await watchLeadId(page);
  const { typed, e164 } = newNumber();
  await askForCode(page, typed);
  await expect(modal(page)).toContainText(typed.replace(' ', '\u00a0'));
  const code = await codeTo(e164);
  await expect(modal(page)).toContainText('We sent a code to');
  await expect(input(page)).toBeFocused();
  await expect(input(page)).toHaveAttribute('autocomplete', 'one-time-code');
  for (let presses = 0; presses < 8; presses += 1) {
    await page.keyboard.press('Tab');
    const isInside = await page.evaluate(() => {
      const { activeElement } = document;
      return activeElement === document.body || activeElement?.closest('dialog') !== null;
    });
    expect(isInside).toBe(true);
  }
  await input(page).fill(another(code));
  const alert = modal(page).getByRole('alert');
  await expect(alert).toHaveText(/not the code we sent/);
  await expect(input(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(input(page)).toBeFocused();
  await examineBothSizes(page, 'the modal with an error');
  await input(page).fill('123');
  await expect(alert).toBeEmpty();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(alert).toHaveText('Enter all 6 digits of the code.');
  await input(page).fill(`  ${code.slice(0, 3)} ${code.slice(3)} `);
  await thanks(page);
  expect(await deliveredLead(leadId())).toMatchObject({
    sms_verified: 'yes',
    phone: e164.slice(2),
  });
  expect(errors).toEqual([]);
});

test('a visitor can finish the survey without an SMS code after too many wrong codes @all', async ({
  page,
}) => {
  const leadId = await watchLeadId(page);
  const { typed, e164 } = newNumber();
  await askForCode(page, typed);
  const wrong = another(await codeTo(e164));
  const said = modal(page).getByRole('alert');
  for (let tries = 0; tries < 3; tries += 1) {
    await input(page).fill('');
    await input(page).fill(wrong);
    await expect(said).toHaveText(/not the code/);
  }
  await input(page).fill('');
  await input(page).fill(wrong);
  await expect(said).toHaveText(/too many tries. Send a new code/);
  await examineBothSizes(page, 'the modal after too many tries');
  await page.getByRole('button', { name: /can’t get the code/ }).click();
  await thanks(page);
  expect(await deliveredLead(leadId())).toMatchObject({ sms_verified: 'no' });
});

test('a visitor can request a new SMS code after 30 s @all', async ({ page }) => {
  await page.clock.install();
  const { typed, e164 } = newNumber();
  await askForCode(page, typed);
  await codeTo(e164);
  const again = page.getByRole('button', { name: 'Send a new code' });
  const status = modal(page).getByRole('status');
  await expect(status).toHaveText('The code was sent. It can take a minute.');
  await expect(again).toBeDisabled();
  const countdown = modal(page).locator('[aria-hidden="true"]');
  await expect(countdown).toHaveText(/^in \d+ s$/);
  await page.clock.runFor(29_900);
  await input(page).fill('1');
  await page.clock.runFor(500);
  await input(page).fill('12');
  await page.clock.runFor(1_000);
  await expect(again).toBeEnabled();
  await expect(countdown).toHaveCount(0);
  await expect(status).toHaveText('You can ask for a new code now.');
  await again.click();
  await expect(again).toBeDisabled();
  await expect(input(page)).toBeFocused();
});

test('a visitor who changes the phone number gets a new SMS code @all', async ({ page }) => {
  const leadId = await watchLeadId(page);
  const [first, second] = [newNumber(), newNumber()];
  await askForCode(page, first.typed);
  await codeTo(first.e164);
  await expect(modal(page)).toContainText('We sent a code to');
  await page.keyboard.press('Escape');
  await expect(page.locator('dialog')).toHaveCount(0);
  await expect(page.locator('[data-step] button[type=submit]')).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Change the number' }).click();
  await expect(page.locator('[name="phone"]')).toBeFocused();
  await page.locator('[name="phone"]').fill(second.typed);
  await sendStep(page);
  await input(page).fill(await codeTo(second.e164));
  await thanks(page);
  const phone = second.e164.slice(2);
  expect(await deliveredLead(leadId())).toMatchObject({ sms_verified: 'yes', phone });
});

test('a late answer about the former phone number does not send the lead', async ({ page }) => {
  const leadId = await watchLeadId(page);
  const [first, second] = [newNumber(), newNumber()];
  const path = '**/two-step-verification/code';
  const held = Promise.withResolvers<Route>();
  await page.route(path, (route) => held.resolve(route), { times: 1 });
  await askForCode(page, first.typed);
  const late = await held.promise;
  await page.getByRole('button', { name: 'Change the number' }).click();
  await page.locator('[name="phone"]').fill(second.typed);
  await sendStep(page);
  const code = await codeTo(second.e164);
  const answered = page.waitForResponse(path);
  await late.fulfill({ json: { status: 'unavailable', sent: false } });
  await answered;
  await input(page).fill(code);
  await thanks(page);
  const phone = second.e164.slice(2);
  expect(await deliveredLead(leadId())).toMatchObject({ sms_verified: 'yes', phone });
});
