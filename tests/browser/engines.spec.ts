/** Tests in Firefox and WebKit the features that differ most between browsers. */
import { existsSync } from 'node:fs';
import { expect, firefox, webkit } from '@playwright/test';
import { contactFields } from '../../src/model/fields/contact-form.ts';
import { v4 } from '../../src/model/flows/variants/v4.ts';
import { pathOf } from '../../src/web/site/site-map.ts';
import { json, makeIssuer, makePack } from '../support/evidence-pack.ts';
import { collectErrors, keptData, measure } from './support/checks.ts';
import { expectDeliveredOnce, ingestBodies } from './support/sandbox.ts';
import { fillSurvey, sendStep, watchLeadId } from './support/survey-page.ts';
import { openSurvey, qualifyingPath, test } from './support/visits.ts';

const engines = { firefox, webkit } as const;

test.skip(
  ({ browserName }) =>
    browserName !== 'chromium' && !existsSync(engines[browserName].executablePath()),
  'This browser is not installed: `npx playwright install firefox webkit` installs both.',
);

test('a visitor who completes a survey reaches the thank-you page @all', async ({ page }) => {
  const errors = collectErrors(page);
  const leadId = await watchLeadId(page);
  await openSurvey(page, '/survey/v4?s1=abc');
  await fillSurvey(page, v4, qualifyingPath());
  await sendStep(page);
  await page.waitForURL('**/survey-thank-you/?**');
  await expectDeliveredOnce(leadId());
  await expect.poll(() => keptData(page)).not.toMatch(/Sandoval|red light/);
  await expect.poll(() => page.url()).not.toMatch(/email|phone|zip_code/);
  expect(errors).toEqual([]);
});

test('a lead that was submitted offline is sent when the visitor opens a page online @all', async ({
  page,
  context,
}) => {
  const leadId = await watchLeadId(page);
  await openSurvey(page);
  await fillSurvey(page, v4, qualifyingPath());
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  await sendStep(page);
  await expect.poll(() => keptData(page)).toContain('submitted_at');
  expect(await ingestBodies(leadId())).toEqual([]);
  await context.setOffline(false);
  await page.goto('/survey/v4nv');
  await expectDeliveredOnce(leadId());
});

test('the verifier page verifies an evidence pack offline @all', async ({ page, context }) => {
  const issuer = await makeIssuer();
  const { bytes } = await makePack({ issuer });
  await page.goto(pathOf('verify', 'en'), { waitUntil: 'networkidle' });
  await context.setOffline(true);
  const file = (name: string, content: Uint8Array) => {
    return { name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) };
  };
  await page.getByLabel('Evidence pack').setInputFiles(file('pack.zip', bytes));
  await page.getByText('Compare with files that you kept').click();
  const keys = json({ keys: [issuer.key] });
  await page.getByLabel('Keys of the issuer').setInputFiles(file('keys.json', keys));
  await expect(page.getByRole('heading', { name: /^Genuine/ })).toBeVisible();
});

test('a page of each template fits the width of a small phone @all', async ({ page }) => {
  const errors = collectErrors(page);
  await page.setViewportSize({ width: 360, height: 780 });
  for (const path of [
    ...['/', '/es/', '/car-accident-lawsuits/faqs/', '/car-accident-laws/', '/video-gallery/'],
    ...['/verify/', '/sponsors/', '/survey/v4nv', '/survey-thank-you/?q=y', '/contact/'],
  ]) {
    await page.goto(path);
    await expect(page.locator('h1:visible').first()).not.toBeEmpty();
    expect((await measure(page)).wider, path).toBe(0);
  }
  await page.locator('.menu-toggle').click();
  await expect(page.locator('#menu').getByRole('link', { name: 'Contact' })).toBeVisible();
  await page.goto('/contact/', { waitUntil: 'networkidle' });
  await page.locator('.contact-form [type=submit]').click();
  await expect(page.locator('.field--error [name]')).toHaveCount(contactFields.length);
  await expect(page.locator(`[name=${contactFields[0]}]`)).toBeFocused();
  expect(errors).toEqual([]);
});
