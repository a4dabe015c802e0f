import { randomInt } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { dateAnswers } from '../../src/flows/test-support/samples.ts';
import { sl } from '../../src/flows/variants/sl.ts';
import { openSurvey, unusualTest as test, today } from './support/journeys.ts';
import { collectErrors, examineBothSizes } from './support/page-errors.ts';
import { askSandbox, deliveredLead } from './support/sandbox-client.ts';
import { expectStep, sendStep, walkSurveyFast, watchLeadId } from './support/survey-page.ts';

/**
 * Phone verification by SMS (docs/specification.md#sms-verification), from the last button through the modal
 * to a delivered lead. No survey enables it by default. What our server answers when the service fails:
 * src/server/providers/twilio.test.ts.
 */
const path = '/survey-sl';

/** Another number at each start, because a worker starts again after a failure. */
let numbers = randomInt(2000);
/** Returns a number that no other test uses. */
function newNumber(): { typed: string; e164: string } {
  numbers += 1;
  const last = 1000 + test.info().parallelIndex * 2000 + (numbers % 2000);
  return { typed: `(212) 555-${last}`, e164: `+1212555${last}` };
}

async function codesTo(number: string): Promise<string[]> {
  const sent = await askSandbox<{ to: string; code: string }[]>('codes');
  return sent.flatMap(({ to, code }) => (to === number ? [code] : []));
}
async function codeTo(number: string): Promise<string> {
  await expect.poll(() => codesTo(number)).not.toEqual([]);
  return (await codesTo(number)).at(-1) as string;
}
const another = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

/** Walks to the phone step and fills it. */
async function fillToPhone(page: Page, typed: string, survey = path): Promise<void> {
  await openSurvey(page, survey);
  const answers = {
    StartPath: { accident_type: 'Car Accident' },
    WhenWasTheAccident: dateAnswers(today, 200),
    AtFault: { at_Fault: 'no' },
    WasUserInjured: { physical_injury: 'Yes' },
    NameAndEmail: { first_name: 'Maria', last_name: 'Sandoval', email: 'maria@mail.example' },
  };
  await walkSurveyFast(page, sl, { steps: Object.keys(answers), answers });
  await expectStep(page, 'PhoneAndZip');
  await page.locator('[name="phone"]').fill(typed);
  await page.locator('[name="zip_code"]').fill('10001');
}

/** Fills the phone step and presses the last button. */
async function askForCode(page: Page, typed: string, survey = path): Promise<void> {
  await fillToPhone(page, typed, survey);
  await sendStep(page);
}

const modal = (page: Page) => page.getByRole('dialog');
const input = (page: Page) => modal(page).getByRole('textbox');
const thanks = (page: Page) => page.waitForURL('**/survey-thank-you/?**');

test('the right code: the sixth character sends the lead, verified', async ({ page }) => {
  const errors = collectErrors(page);
  const leadId = await watchLeadId(page);
  const { typed, e164 } = newNumber();
  await askForCode(page, typed);
  await expect(modal(page)).toContainText(typed.replace(' ', '\u00a0'));
  await expect(input(page)).toBeFocused();
  await expect(input(page)).toHaveAttribute('autocomplete', 'one-time-code');
  await expect(input(page)).toHaveAttribute('inputmode', 'numeric');
  const code = await codeTo(e164);
  await examineBothSizes(page, 'the modal');
  await page.emulateMedia({ forcedColors: 'active' });
  const edge = await modal(page).evaluate((one) => getComputedStyle(one).borderTopWidth);
  expect(edge, 'with forced colours the modal has an edge').toBe('1px');
  await page.emulateMedia({ forcedColors: 'none' });
  await input(page).pressSequentially(code);
  await thanks(page);
  const body = await deliveredLead(leadId());
  expect(body).toMatchObject({ sms_verified: 'yes', phone: e164.slice(2) });
  expect(Date.parse(body.sms_verified_at as string)).toBeGreaterThan(Date.now() - 60_000);
  expect(errors).toEqual([]);
});

test('in Spanish; in the largest text; pasted with blanks', async ({ page }) => {
  const leadId = await watchLeadId(page);
  const { typed, e164 } = newNumber();
  await askForCode(page, typed, '/survey/v4nv-es');
  await expect(modal(page)).toContainText('Revise su teléfono');
  const code = await codeTo(e164);
  await expect(modal(page)).toContainText('Enviamos');
  await examineBothSizes(page, 'the modal in Spanish');
  const phone = page.viewportSize();
  // The largest text on a small phone: nothing is cut off.
  await page.setViewportSize({ width: 320, height: 480 });
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  expect(await modal(page).evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(false);
  if (phone) await page.setViewportSize(phone);
  await input(page).fill(`  ${code.slice(0, 3)} ${code.slice(3)} `);
  await thanks(page);
  expect(await deliveredLead(leadId())).toMatchObject({ sms_verified: 'yes', language: 'es' });
});

test('wrong, too short, then right', async ({ page }) => {
  const { typed, e164 } = newNumber();
  await askForCode(page, typed);
  const code = await codeTo(e164);
  await input(page).fill(another(code));
  await expect(modal(page).getByRole('alert')).toHaveText(/not the code we sent/);
  // The wrong code stays for comparison, and the next key removes it.
  await expect(input(page)).toHaveValue(another(code));
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(another(code));
  await expect(input(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(input(page)).toBeFocused();
  await examineBothSizes(page, 'the modal with an error');
  // A tap while the code is already being checked keeps the message.
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(modal(page).getByRole('alert')).toHaveText(/not the code we sent/);
  await input(page).fill('123');
  await expect(modal(page).getByRole('alert')).toBeEmpty();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(modal(page).getByRole('alert')).toHaveText('Enter all 6 digits of the code.');
  await input(page).fill(code);
  await thanks(page);
});

test('too many tries: the modal says so and hides the field; the visitor finishes without a code', async ({
  page,
}) => {
  const leadId = await watchLeadId(page);
  const { typed, e164 } = newNumber();
  await askForCode(page, typed);
  const wrong = another(await codeTo(e164));
  const said = modal(page).getByRole('alert');
  for (let i = 0; i < 3; i += 1) {
    await input(page).fill('');
    await input(page).fill(wrong);
    await expect(said).toHaveText(/not the code/);
  }
  await input(page).fill('');
  await input(page).fill(wrong);
  await expect(said).toHaveText(/too many tries. Send a new code/);
  await expect(input(page)).toHaveCount(0);
  await examineBothSizes(page, 'the modal after too many tries');
  await page.getByRole('button', { name: /can’t get the code/ }).click();
  await thanks(page);
  expect(await deliveredLead(leadId())).toMatchObject({ sms_verified: 'no' });
});

test('too many tries: a new code brings the field back', async ({ page }) => {
  await page.clock.install();
  const { typed, e164 } = newNumber();
  await askForCode(page, typed);
  const code = await codeTo(e164);
  await page.route('**/two-step-verification/code', (route) =>
    route.fulfill({ json: { status: 'too_many', sent: false } }),
  );
  await input(page).fill(another(code));
  await expect(input(page)).toHaveCount(0);
  const again = page.getByRole('button', { name: 'Send a new code' });
  await page.clock.runFor(31_000);
  await again.click();
  await expect(modal(page).getByRole('alert')).toHaveText(/can’t send more codes/);
  await expect(again).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.unroute('**/two-step-verification/code');
  await page.locator('[data-step] button[type=submit]').click();
  await input(page).fill(code);
  await thanks(page);
});

test('an expired code: a new one can be requested at once', async ({ page }) => {
  const { typed, e164 } = newNumber();
  await askForCode(page, typed);
  const code = await codeTo(e164);
  // To the service, a used, an expired and an unknown code look the same.
  await page.route('**/two-step-verification/code', async (route) => {
    await route.fulfill({ json: { status: 'expired', sent: false } });
  });
  await input(page).fill(code);
  await expect(modal(page).getByRole('alert')).toHaveText(/has expired/);
  await expect(page.getByRole('button', { name: 'Send a new code' })).toBeEnabled();
  await page.unroute('**/two-step-verification/code');
  await page.getByRole('button', { name: 'Send a new code' }).click();
  await expect(input(page)).toBeFocused();
  await input(page).fill(code);
  await thanks(page);
});

test('a new code after 30 s; the countdown is not read out', async ({ page }) => {
  await page.clock.install();
  const { typed, e164 } = newNumber();
  await askForCode(page, typed);
  await codeTo(e164);
  const again = page.getByRole('button', { name: 'Send a new code' });
  const status = modal(page).getByRole('status');
  await expect(status).toHaveText('The code was sent. It can take a minute.');
  await expect(again).toBeDisabled();
  const countdown = modal(page).locator('[aria-hidden="true"]');
  // The clock also runs by itself.
  await expect(countdown).toHaveText(/^in (30|2\d) s$/);
  await page.clock.runFor(10_000);
  await expect(countdown).toHaveText(/^in (20|1\d) s$/);
  // Screen readers announce nothing: no live region has changed.
  await expect(status).toHaveText('The code was sent. It can take a minute.');
  await page.clock.runFor(21_000);
  await expect(again).toBeEnabled();
  await expect(countdown).toHaveCount(0);
  await expect(status).toHaveText('You can ask for a new code now.');
  await again.click();
  await expect(again).toBeDisabled();
  await expect(input(page)).toBeFocused();
});

test('change the number: the field is focused, and the code goes to the new one', async ({
  page,
}) => {
  const leadId = await watchLeadId(page);
  const [first, second] = [newNumber(), newNumber()];
  await askForCode(page, first.typed);
  await codeTo(first.e164);
  await page.getByRole('button', { name: 'Change the number' }).click();
  await expect(modal(page)).toHaveCount(0);
  await expect(page.locator('[name="phone"]')).toBeFocused();
  await page.locator('[name="phone"]').fill(second.typed);
  await page.locator('[data-step] button[type=submit]').click();
  const code = await codeTo(second.e164);
  await expect(modal(page)).toContainText(second.typed.replace(' ', '\u00a0'));
  await input(page).fill(code);
  await thanks(page);
  expect(await deliveredLead(leadId())).toMatchObject({
    sms_verified: 'yes',
    phone: second.e164.slice(2),
  });
});

test('by keyboard: the focus stays in the modal, Escape returns it, Enter goes on', async ({
  page,
}) => {
  const leadId = await watchLeadId(page);
  const { typed, e164 } = newNumber();
  await askForCode(page, typed);
  await codeTo(e164);
  // The page must know of the code before the dialog closes.
  await expect(modal(page)).toContainText('We sent a code to');
  await expect(input(page)).toBeFocused();
  for (let i = 0; i < 8; i += 1) {
    await page.keyboard.press('Tab');
    const isInside = await page.evaluate(() => {
      const { activeElement } = document;
      return activeElement === document.body || activeElement?.closest('dialog') !== null;
    });
    expect(isInside).toBe(true);
  }
  await page.keyboard.press('Escape');
  // The closed dialog stays in the document for a moment.
  await expect(page.locator('dialog')).toHaveCount(0);
  await expect(page.locator('[data-step] button[type=submit]')).toBeFocused();
  // The first code is still valid, so no other is sent.
  await page.keyboard.press('Enter');
  await expect(input(page)).toBeFocused();
  await expect(modal(page)).toContainText('We sent a code to');
  expect(await codesTo(e164)).toHaveLength(1);
  await page.getByRole('button', { name: /can’t get the code/ }).focus();
  await page.keyboard.press('Enter');
  await thanks(page);
  expect(await deliveredLead(leadId())).toMatchObject({ sms_verified: 'no' });
});

test('the browser’s back button closes the modal and the step', async ({ page }) => {
  const { typed, e164 } = newNumber();
  await askForCode(page, typed);
  await codeTo(e164);
  await page.goBack();
  await expect(modal(page)).toHaveCount(0);
  await expectStep(page, 'NameAndEmail');
});

test('a number without SMS: the modal says so and shows no code field', async ({ page }) => {
  await askForCode(page, '(212) 555-0060');
  await expect(modal(page).getByRole('alert')).toHaveText(/can’t get our texts/);
  await expect(modal(page)).not.toContainText('We are sending');
  await expect(modal(page)).toContainText('(212)\u00a0555-0060');
  await examineBothSizes(page, 'the modal without a code');
  await expect(input(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Change the number' })).toBeFocused();
  await page.getByRole('button', { name: /can’t get the code/ }).click();
  await thanks(page);
});

test('a button that is pressed twice opens one modal', async ({ page }) => {
  const { typed, e164 } = newNumber();
  await fillToPhone(page, typed);
  await page.evaluate(() => {
    const button = document.querySelector<HTMLElement>('[data-step] [type=submit]');
    button?.click();
    button?.click();
  });
  const code = await codeTo(e164);
  await expect(modal(page)).toHaveCount(1);
  await input(page).fill(code);
  await thanks(page);
  expect(await codesTo(e164)).toEqual([code]);
});

for (const [what, answer] of [
  ['says that the service fails', { json: { status: 'unavailable', sent: false } }],
  ['is unreachable', undefined],
] as const) {
  test(`our server ${what}: the visitor goes on and notices nothing`, async ({ page }) => {
    const leadId = await watchLeadId(page);
    await page.route('**/two-step-verification/code', (route) =>
      answer ? route.fulfill(answer) : route.abort(),
    );
    await askForCode(page, newNumber().typed);
    await thanks(page);
    expect(await deliveredLead(leadId())).toMatchObject({ sms_verified: 'no' });
  });
}

test('a server that hangs: the visitor can go on at once', async ({ page }) => {
  await page.route('**/two-step-verification/code', () => {});
  await askForCode(page, newNumber().typed);
  await expect(modal(page)).toContainText('We are sending');
  await expect(page.getByRole('button', { name: /can’t get the code/ })).toBeEnabled();
  await page.getByRole('button', { name: /can’t get the code/ }).click();
  await thanks(page);
});

test('a server that hangs: after its limit of 8 s the survey goes on by itself', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const { timeout } = AbortSignal;
    AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms === 8_000 ? 1_000 : ms);
  });
  await page.route('**/two-step-verification/code', () => {});
  await askForCode(page, newNumber().typed);
  await thanks(page);
});
