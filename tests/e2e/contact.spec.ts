import { expect, type Page } from '@playwright/test';
import { keptData } from './support/browser-storage.ts';
import { test } from './support/journeys.ts';
import { collectErrors, examine, examineBothSizes } from './support/page-errors.ts';
import { expectDeliveredOnce } from './support/sandbox-client.ts';

/**
 * The contact form with its script (docs/specification.md#contact-form). The form without scripts and the
 * delivery of its lead: tests/integration/site-forms.test.ts.
 */
const accidents = [
  'Car Accident',
  'Truck Accident',
  'Bicycle Accident',
  'Motorcycle Accident',
  'Pedestrian Accident',
  'Other',
];

const field = (page: Page, name: string) => page.locator(`.contact-form [name="${name}"]`);

/** Returns the names of the fields marked red. */
const redFields = (page: Page) =>
  page
    .locator('.field--error [name]')
    .evaluateAll((fields) => fields.map((each) => each.getAttribute('name')));

/** Returns whether the button's spinner turns once in two seconds. */
const turns = (page: Page) =>
  page.locator('.contact-form [type=submit]').evaluate((button) => {
    const { animationName, animationDuration, content } = getComputedStyle(button, '::after');
    return content !== 'none' && animationName === 'spin' && animationDuration === '2s';
  });

test('the contact form by keyboard: six accident types, a phone mask, red fields without visible errors, the first one in view', async ({
  page,
}) => {
  const errors = collectErrors(page);
  await page.goto('/contact/');
  const kind = field(page, 'typeOfAccident');
  const values = await kind
    .locator('option')
    .evaluateAll((options) => options.map((each) => (each as HTMLOptionElement).value));
  expect(values).toEqual(['', ...accidents]);

  // An empty form: all fields are red, the spinner stops, and the first field is focused and in view.
  await page.locator('.contact-form [type=submit]').focus();
  await expect(kind).not.toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(kind).toBeFocused();
  await expect(kind).toBeInViewport({ ratio: 1 });
  const all = ['typeOfAccident', 'firstName', 'lastName', 'email', 'phoneNumber', 'message'];
  await expect.poll(() => redFields(page)).toEqual(all);
  await expect.poll(() => turns(page)).toBe(false);
  // The error texts are for screen readers only.
  const shown = await page
    .locator('.unseen-error')
    .evaluateAll((texts) => texts.filter((each) => each.getBoundingClientRect().width > 1).length);
  expect(shown).toBe(0);
  await expect(field(page, 'email')).toHaveAccessibleDescription(/email address/);
  await examineBothSizes(page, 'the form with all fields red');

  await page.keyboard.press('T');
  await expect(kind).toHaveValue('Truck Accident');
  await expect.poll(() => redFields(page)).toEqual(all.slice(1));
  await page.keyboard.press('Tab');
  await page.keyboard.type('Maria');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Sandoval');
  await page.keyboard.press('Tab');
  await page.keyboard.type('maria.at.example');
  await page.keyboard.press('Tab');
  const phone = field(page, 'phoneNumber');
  await expect(phone).toBeFocused();
  await page.keyboard.type('2125550');
  await expect(phone).toHaveValue('(212) 555-0');
  await page.keyboard.press('Backspace');
  await expect(phone).toHaveValue('(212) 555');
  // Editing a digit in the middle keeps the cursor there.
  for (let times = 0; times < 3; times += 1) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Delete');
  await page.keyboard.type('7');
  await expect(phone).toHaveValue('(212) 755');
  await page.keyboard.press('End');
  await page.keyboard.type('012');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Who pays for my truck?');
  await expect.poll(() => redFields(page)).toEqual([]);

  // Invalid values: an address without "@", a phone number of nine digits.
  await page.locator('.contact-form [type=submit]').press('Enter');
  await expect.poll(() => redFields(page)).toEqual(['email', 'phoneNumber']);
  await expect(field(page, 'email')).toBeFocused();
  expect(errors).toEqual([]);
});

test('the contact form offline: the panel appears, and the message is stored and sent once', async ({
  page,
  context,
}) => {
  const ids = new Set<string>();
  const bodies: Record<string, string>[] = [];
  page.on('request', (request) => {
    if (!request.url().endsWith('/post-lead')) return;
    bodies.push(request.postDataJSON());
    ids.add(request.postDataJSON().lead_id);
  });
  await page.goto('/es/?gclid=G-1&sub2=two&utm_campaign=spring&email=a@mail.example');
  await page.goto('/es/contact/');
  // The form imports them at its first focus, and offline they would be missing.
  const modules = ['queue', 'typos'].map((name) =>
    page.waitForResponse((answer) => answer.url().includes(`/_astro/${name}.`)),
  );
  await field(page, 'typeOfAccident').selectOption('Bicycle Accident');
  await field(page, 'firstName').fill('Maria');
  await field(page, 'lastName').fill('Sandoval');
  await field(page, 'email').fill(`contact-${Date.now()}@mail.example`);
  await field(page, 'phoneNumber').fill('2125550177');
  await field(page, 'message').fill('¿Quién paga mi bicicleta?');
  for (const answer of await Promise.all(modules)) {
    await page.evaluate(`import('${answer.url()}').then(() => undefined)`);
  }
  await context.setOffline(true);
  const button = page.locator('.contact-form [type=submit]');
  await button.press('Enter');
  await expect(button).toHaveAttribute('aria-busy', 'true');
  await expect.poll(() => turns(page)).toBe(true);
  await button.press('Enter');
  const panel = page.locator('.sent');
  await expect(panel).toBeVisible();
  await expect(page.locator('.contact-form')).toBeHidden();
  await expect(panel.locator('h2')).toBeFocused();
  await expect(panel.locator('h2')).toBeInViewport();
  await examine(page, 'the panel');
  expect(await keptData(page)).toContain('¿Quién paga mi bicicleta?');
  await context.setOffline(false);
  await expect.poll(() => ids.size).toBe(1);
  // The click belongs to the visit's first page.
  expect(bodies[0]).toMatchObject({ gclid: 'G-1', sub_id2: 'two', utm_campaign: 'spring' });
  expect(bodies[0]?.landing_page).toMatch(/\/es\/$/);
  const [leadId = ''] = ids;
  await expectDeliveredOnce(leadId, 'contact');
  await expect.poll(() => keptData(page)).not.toContain('Sandoval');
});

test('a probable typo in the address is asked about once, with a correction', async ({ page }) => {
  await page.goto('/contact/');
  await field(page, 'typeOfAccident').selectOption('Other');
  await field(page, 'firstName').fill('Mar1a');
  await field(page, 'lastName').fill('Sandoval');
  await field(page, 'email').fill('maria@gmial.com');
  await field(page, 'phoneNumber').fill('2125550178');
  await field(page, 'message').fill('Who pays for my bicycle?');
  const button = page.locator('.contact-form [type=submit]');
  const asked = page.locator('.contact-form [data-doubt]:not(:empty)');
  await button.press('Enter');
  await expect(asked).toHaveText([/has a number in it/, /Did you mean maria@gmail\.com\?/]);
  await expect(field(page, 'firstName')).toBeFocused();
  await expect.poll(() => redFields(page)).toEqual(['firstName', 'email']);
  await expect(field(page, 'email')).toHaveAccessibleDescription(/^Did you mean/);
  await examineBothSizes(page, 'the form with its doubts');
  await page.getByRole('button', { name: 'Yes, change it' }).click();
  await expect(field(page, 'email')).toHaveValue('maria@gmail.com');
  await expect(asked).toHaveCount(1);
  await expect.poll(() => redFields(page)).toEqual(['firstName']);
  await button.press('Enter');
  await expect(page.locator('.sent')).toBeVisible();
});

test('a message that is too long is not cut: it says by how much, and is refused', async ({
  page,
}) => {
  await page.goto('/contact/');
  const message = field(page, 'message');
  await message.fill('a'.repeat(2003));
  await expect(message).toHaveValue('a'.repeat(2003));
  await expect(page.locator('#message-over')).toHaveText(
    'Too long by 3. At most 2,000 characters.',
  );
  await page.locator('.contact-form [type=submit]').press('Enter');
  await expect.poll(() => redFields(page)).toContain('message');
  await message.fill('a'.repeat(2000));
  await expect(page.locator('#message-over')).toBeEmpty();
});

test('the second of two quick taps hits nothing that a refusal moved under the finger', async ({
  page,
}) => {
  await page.goto('/contact/');
  await page.locator('.contact-form [type=submit]').scrollIntoViewIfNeeded();
  const isStopped = await page.evaluate(() => {
    const tap = (selector: string, x: number) => {
      const at = { detail: 1, clientX: x, clientY: 300, bubbles: true, cancelable: true };
      const click = new MouseEvent('click', at);
      Object.defineProperty(click, 'timeStamp', { value: 5000 });
      return !document.querySelector(selector)?.dispatchEvent(click);
    };
    tap('.contact-form [type=submit]', 100);
    return [tap('.consent-links a', 101), tap('.contact-form textarea', 200)];
  });
  expect(isStopped).toEqual([true, false]);
});

test('a reload and the other language keep what was typed; what was sent is gone', async ({
  page,
}) => {
  await page.goto('/contact/');
  await field(page, 'typeOfAccident').selectOption('Other');
  await field(page, 'firstName').fill('Maria');
  await field(page, 'phoneNumber').fill('2125550179');
  await page.reload();
  await expect(field(page, 'typeOfAccident')).toHaveValue('Other');
  await page.goto('/es/contact/');
  await expect(field(page, 'firstName')).toHaveValue('Maria');
  await expect(field(page, 'phoneNumber')).toHaveValue('(212) 555-0179');
  await field(page, 'lastName').fill('Sandoval');
  await field(page, 'email').fill('maria@mail.example');
  await field(page, 'message').fill('¿Quién paga?');
  await page.locator('.contact-form [type=submit]').press('Enter');
  await expect(page.locator('.sent')).toBeVisible();
  await page.reload();
  await expect(field(page, 'firstName')).toHaveValue('');
});
