/** Tests the contact form with its script (docs/specification.md#contact-form). */
import { expect, type Page } from '@playwright/test';
import { contactFields } from '../../src/model/fields/contact-form.ts';
import { collectErrors, examine, examineBothSizes, keptData } from './support/checks.ts';
import { expectDeliveredOnce } from './support/sandbox.ts';
import { test } from './support/visits.ts';

const field = (page: Page, name: string) => page.locator(`.contact-form [name="${name}"]`);
const send = (page: Page) => page.locator('.contact-form [type=submit]').press('Enter');

const redFields = (page: Page) =>
  page
    .locator('.field--error [name]')
    .evaluateAll((fields) => fields.map((each) => each.getAttribute('name')));

async function fillForm(page: Page, email: string): Promise<void> {
  await field(page, 'typeOfAccident').selectOption('Bicycle Accident');
  await field(page, 'firstName').fill('Maria');
  await field(page, 'lastName').fill('Sandoval');
  await field(page, 'email').fill(email);
  await field(page, 'phoneNumber').fill('2125550177');
  await field(page, 'message').fill('¿Quién paga mi bicicleta?');
}

test('the contact form marks all invalid fields', async ({ page }) => {
  const errors = collectErrors(page);
  await page.goto('/contact/');
  const kind = field(page, 'typeOfAccident');
  await page.locator('.contact-form [type=submit]').focus();
  await expect(kind).not.toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(kind).toBeFocused();
  await expect(kind).toBeInViewport({ ratio: 1 });
  await expect.poll(() => redFields(page)).toEqual(contactFields);
  await expect(field(page, 'email')).toHaveAccessibleDescription(/email address/);
  await examineBothSizes(page, 'the form with all fields red');
  await page.keyboard.press('T');
  await expect(kind).toHaveValue('Truck Accident');
  for (const typed of ['Maria', 'Sandoval', 'maria.at.example']) {
    await page.keyboard.press('Tab');
    await page.keyboard.type(typed);
  }
  await page.keyboard.press('Tab');
  await page.keyboard.type('2125550');
  await expect(field(page, 'phoneNumber')).toHaveValue('(212) 555-0');
  await page.keyboard.type('12');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Who pays for my truck?');
  await expect.poll(() => redFields(page)).toEqual([]);
  await send(page);
  await expect.poll(() => redFields(page)).toEqual(['email', 'phoneNumber']);
  await expect(field(page, 'email')).toBeFocused();
  expect(errors).toEqual([]);
});

test('a contact form that was submitted offline is sent when the browser is online again', async ({
  page,
  context,
}) => {
  const bodies: Record<string, string>[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/post-lead')) bodies.push(request.postDataJSON());
  });
  await page.goto('/es/?gclid=G-1&sub2=two&utm_campaign=spring&email=a@mail.example');
  await page.goto('/es/contact/');
  // The browser must load the modules `queue` and `typos` before it goes offline.
  const modules = ['queue', 'typos'].map((name) =>
    page.waitForResponse((answer) => answer.url().includes(`/_astro/${name}.`)),
  );
  await fillForm(page, `contact-${Date.now()}@mail.example`);
  for (const answer of await Promise.all(modules)) {
    await page.evaluate(`import('${answer.url()}').then(() => undefined)`);
  }
  await context.setOffline(true);
  await send(page);
  await expect(page.locator('.sent h2')).toBeFocused();
  await expect(page.locator('.contact-form')).toBeHidden();
  await examine(page, 'the panel');
  expect(await keptData(page)).toContain('¿Quién paga mi bicicleta?');
  await context.setOffline(false);
  await expect.poll(() => bodies.length).toBeGreaterThan(0);
  expect(bodies[0]).toMatchObject({ gclid: 'G-1', sub_id2: 'two', utm_campaign: 'spring' });
  expect(bodies[0]?.landing_page).toMatch(/\/es\/$/);
  await expectDeliveredOnce(bodies[0]?.lead_id ?? '', 'contact');
  await expect.poll(() => keptData(page)).not.toContain('Sandoval');
});

test('the contact form restores typed values after a reload @all', async ({ page }) => {
  await page.goto('/contact/');
  await fillForm(page, 'maria@gmial.com');
  await page.reload();
  await expect(field(page, 'typeOfAccident')).toHaveValue('Bicycle Accident');
  await page.goto('/es/contact/');
  await expect(field(page, 'phoneNumber')).toHaveValue('(212) 555-0177');
  await page.goto('/contact/');
  // The first tap makes the form ask about the misspelled e-mail address. The second tap must not
  // answer this question.
  await page.locator('.contact-form [type=submit]').dblclick({ delay: 40 });
  await expect(field(page, 'email')).toHaveAccessibleDescription(/^Did you mean/);
  await expect(page.locator('.sent')).toBeHidden();
  await examineBothSizes(page, 'the form with its doubts');
  await page.getByRole('button', { name: 'Yes, change it' }).click();
  await expect(field(page, 'email')).toHaveValue('maria@gmail.com');
  const message = field(page, 'message');
  await message.fill('a'.repeat(2003));
  await expect(page.locator('#message-over')).toContainText('Too long by 3.');
  await send(page);
  await expect.poll(() => redFields(page)).toContain('message');
  await message.fill('Who pays?');
  await send(page);
  await expect(page.locator('.sent')).toBeVisible();
  await page.reload();
  await expect(field(page, 'firstName')).toHaveValue('');
});
