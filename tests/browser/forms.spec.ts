/** Tests surveys without their scripts (docs/specification.md#without-javascript). */
import { expect, type Page } from '@playwright/test';
import type { Flow } from '../../src/model/flows/engine/flow.ts';
import { walk } from '../../src/model/flows/engine/walk.ts';
import type { FlowPath } from '../../src/model/flows/test-support/paths.ts';
import { v4 } from '../../src/model/flows/variants/v4.ts';
import { surveyPaths } from '../../src/web/site/site-map.ts';
import { deliveredLead } from './support/sandbox.ts';
import { answerStep, expectStep } from './support/survey-page.ts';
import {
  allWalks,
  contextOf,
  lastStep,
  newVisitor,
  qualifyingPath,
  sendsLead,
  surveyOf,
  test,
  type Walk,
} from './support/visits.ts';

async function leadOfCookie(page: Page): Promise<string> {
  const cookies = await page.context().cookies();
  const visit = cookies.find(({ name }) => name.startsWith('visit_'));
  expect(visit).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
  return visit?.value.split('.')[0] ?? '';
}

async function walkForms(page: Page, flow: Flow, way: FlowPath): Promise<void> {
  for (const step of way.steps) {
    await expectStep(page, step);
    const { current_compensation: dollars, ...own } = way.answers[step] ?? {};
    // Without JavaScript, the visitor types the amount, because the slider does not work.
    if (dollars) await page.locator('[data-step] input[name=current_compensation]').fill(dollars);
    await answerStep(page, flow, step, own);
  }
}

test.describe('a visitor without JavaScript can use the site and its surveys', () => {
  test.use({ javaScriptEnabled: false });

  test('a Spanish survey sends a lead without JavaScript', async ({ page }) => {
    const { flow, way: first } = allWalks.find(
      ({ survey, isQualified }) => survey.path === surveyPaths.es && isQualified,
    ) as Walk;
    const way = newVisitor(flow, first);
    const last = way.steps.at(-1) ?? '';
    Object.assign(way.answers[last] ?? {}, { call_language: 'Spanish', call_time: 'evening' });
    await page.goto('/es/contact/?s1=walk&gclid=g-1');
    await page.locator('.menu-toggle').click();
    await page.locator('#menu a[href="/es/"]').click();
    await page.locator('.first-answers [value="Car Accident"]').click();
    await walkForms(page, flow, { ...way, steps: way.steps.slice(1) });
    await page.waitForURL((url) => url.pathname === '/survey-thank-you/');
    const { email, phone } = walk(flow, way.answers, contextOf(surveyOf(surveyPaths.es))).answers;
    const body = await deliveredLead(await leadOfCookie(page));
    expect(body).toMatchObject({ email, phone, sub_id: 'walk', gclid: 'g-1', language: 'es' });
    // The service refuses unknown fields, so it gets the wishes only by INGEST_CALL_DETAILS.
    expect(Object.keys(body).filter((name) => name.startsWith('call_'))).toEqual([]);
  });

  test('the thank-you page of a disqualified visitor shows only the text for the visitor’s US state @all', async ({
    page,
  }) => {
    const {
      survey,
      flow,
      way: first,
    } = allWalks.find(
      (each) => !each.isQualified && sendsLead(each) && lastStep(each) === undefined,
    ) as Walk;
    await page.goto(`${survey.path}?s1=walk`);
    await walkForms(page, flow, newVisitor(flow, first));
    await page.waitForURL((url) => url.pathname === survey.thankYouPath);
    expect(new URL(page.url()).hash).toBe('#state-NY');
    await expect(page.locator('#state-NY')).toBeVisible();
    await expect(page.locator('[data-state=CA]')).toBeHidden();
  });
});

test('a survey whose scripts fail to load sends a lead with all answers', async ({ page }) => {
  await page.route(/\/_astro\/.*\.js/, (route) => route.abort());
  const path = qualifyingPath();
  await page.goto('/survey/v4nv?s1=abc');
  await walkForms(page, v4, { ...path, steps: path.steps.slice(0, 1) });
  // Waits 300 ms, because the browser treats two faster taps on the same spot as a double tap.
  await page.waitForFunction(() => Date.now() - (window.surveyEarly?.first?.[2] ?? 0) > 300);
  await walkForms(page, v4, { ...path, steps: path.steps.slice(1) });
  await page.waitForURL((url) => url.pathname === '/survey-thank-you/');
  const { answers } = walk(v4, path.answers, contextOf(surveyOf('/survey/v4nv')));
  expect(await deliveredLead(await leadOfCookie(page))).toMatchObject(answers);
});
