import { expect } from '@playwright/test';
import { v4 } from '../../src/model/flows/variants/v4.ts';
import { keptData } from './support/checks.ts';
import { expectDeliveredOnce, ingestBodies } from './support/sandbox.ts';
import { expectAllFetched, fillSurvey, sendStep, watchLeadId } from './support/survey-page.ts';
import { openSurvey, qualifyingPath, test } from './support/visits.ts';

test('a lead that was submitted offline is sent when the visitor opens a page online', async ({
  page,
  context,
}) => {
  const leadId = await watchLeadId(page);
  await openSurvey(page);
  await fillSurvey(page, v4, qualifyingPath());
  await expectAllFetched(page);
  await context.setOffline(true);
  await sendStep(page);
  await expect(page.locator('[data-sending=offline]')).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/survey/v4nv');
  await expect.poll(() => keptData(page)).toContain('submitted_at');
  const id = leadId();
  expect(await ingestBodies(id)).toEqual([]);
  await page.close();
  await context.setOffline(false);
  const later = await context.newPage();
  await later.goto('/about-us/');
  await expectDeliveredOnce(id);
  await expect.poll(() => keptData(later)).not.toContain('Sandoval');
});

test('a page without a survey or form does not load the browser queue', async ({ page }) => {
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await page.goto('/about-us/', { waitUntil: 'networkidle' });
  expect(loaded.filter((path) => /queue|resume/.test(path))).toEqual([]);
});
