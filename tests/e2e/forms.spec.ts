import { expect, type Page } from '@playwright/test';
import type { Flow } from '../../src/flows/engine/flow.ts';
import type { FlowPath } from '../../src/flows/engine/paths.ts';
import { walk } from '../../src/flows/engine/walk.ts';
import { v4 } from '../../src/flows/variants/v4.ts';
import { cheapCover } from '../support/cover.ts';
import {
  contextOf,
  newVisitor,
  openSurvey,
  qualifyingPath,
  surveyOf,
  test,
} from './support/journeys.ts';
import { deliveredLead } from './support/sandbox-client.ts';
import { answerStep, expectStep } from './support/survey-page.ts';
import { allWalks, kindsIn, sendsLead, type Walk } from './support/walks.ts';

/**
 * Surveys without their scripts (docs/specification.md#without-javascript): JavaScript off, or scripts
 * blocked, late or lost midway. tests/integration/survey-forms.test.ts compares each lead, field by field,
 * with the scripted one.
 */
/** Returns the visit's lead id from the cookie. */
async function leadOfCookie(page: Page): Promise<string> {
  const cookies = await page.context().cookies();
  const visit = cookies.find(({ name }) => name.startsWith('visit_'));
  expect(visit).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
  return visit?.value.split('.')[0] ?? '';
}

/** Expects the page to show the next steps for one state, and none for another. */
async function expectNextStepsIn(page: Page, code: string, other: string): Promise<void> {
  expect(new URL(page.url()).hash).toBe(`#state-${code}`);
  await expect(page.locator(`#state-${code}`)).toBeVisible();
  await expect(page.locator(`[data-state=${other}]`)).toBeHidden();
  await expect(page.locator('#your-state')).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
}

async function walkForms(page: Page, flow: Flow, way: FlowPath): Promise<void> {
  for (const step of way.steps) {
    await expectStep(page, step);
    const { current_compensation: dollars, ...own } = way.answers[step] ?? {};
    // Without a script, a number field stands beside the slider.
    if (dollars) await page.locator('[data-step] input[name=current_compensation]').fill(dollars);
    await answerStep(page, flow, step, own);
  }
}

/** Returns the step that stays on screen after sending, if no thank-you page follows. */
function lastStep({ flow, isQualified }: Walk): string {
  return isQualified ? '' : (flow.submit?.disqualifiedStep ?? '');
}

/**
 * Walks that together cover every kind. tests/integration/survey-forms.test.ts tests the server with all
 * walks. `npm test -- every-path` runs all of them here.
 */
const walks = allWalks.filter(sendsLead);
const kindsOf = (each: Walk) => [
  ...kindsIn(each),
  ...[each.survey.language, String(each.survey.buyers !== undefined), lastStep(each)],
];
const regular = new Set(cheapCover(walks, kindsOf, ({ way }) => way.steps.length));

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  for (const each of walks) {
    const { survey, flow, context, title } = each;
    test(title, { tag: regular.has(each) ? [] : '@every-path' }, async ({ page }) => {
      const way = newVisitor(flow, each.way);
      const { answers } = walk(flow, way.answers, context);
      await page.goto(`${survey.path}?s1=walk&gclid=g-1`);
      await walkForms(page, flow, way);
      if (lastStep(each)) {
        await expectStep(page, lastStep(each));
      } else {
        await page.waitForURL((url) => url.pathname === survey.thankYouPath);
        if (page.url().includes('q=n')) await expectNextStepsIn(page, 'NY', 'CA');
      }
      const body = await deliveredLead(await leadOfCookie(page));
      expect(body).toMatchObject({
        email: answers.email,
        phone: answers.phone,
        sub_id: 'walk',
        gclid: 'g-1',
        zip_code: '10001',
      });
      expect(body).not.toHaveProperty('came_by');
    });
  }
});

test.describe('scripts that do not arrive', () => {
  const scripts = /\/_astro\/.*\.js/;

  test('blocked: the first tap shows the next question, the second sends both answers', async ({
    page,
  }) => {
    await page.route(scripts, (route) => route.abort());
    const path = qualifyingPath();
    await page.goto('/survey/v4nv?s1=abc');
    await walkForms(page, v4, path);
    await page.waitForURL((url) => url.pathname === '/survey-thank-you/');
    expect(await deliveredLead(await leadOfCookie(page))).toMatchObject(walkAnswers(path));
  });

  test('arriving after the third question: the page continues from the posted answers', async ({
    page,
  }) => {
    let isBlocked = true;
    await page.route(scripts, (route) => (isBlocked ? route.abort() : route.continue()));
    const path = qualifyingPath();
    await page.goto('/survey/v4nv?s1=abc');
    await walkForms(page, v4, first(path, 3));
    const leadId = await leadOfCookie(page);
    isBlocked = false;
    await expectStep(page, path.steps[3] ?? '');
    const saved = page.waitForResponse((answer) => answer.url().endsWith('/api/save-data'));
    await page.reload();
    await saved;
    await page.waitForURL(({ pathname }) => pathname === '/survey/v4nv');
    await expect(page.locator('#survey-visit')).toHaveCount(0);
    await walkForms(page, v4, from(path, 3));
    await page.waitForURL((url) => url.pathname === '/survey-thank-you/');
    expect(await deliveredLead(leadId)).toMatchObject(walkAnswers(path));
  });

  test('lost midway: the forms continue from what the script saved', async ({ page }) => {
    const path = qualifyingPath();
    // An unsaved answer would be asked again.
    const saved = page.waitForResponse(
      (answer) =>
        answer.url().endsWith('/api/save-data') &&
        (answer.request().postData() ?? '').includes(`"kind":"viewed","step":"${path.steps[4]}"`),
    );
    await openSurvey(page);
    await walkForms(page, v4, first(path, 4));
    await saved;
    const leadId = await leadOfCookie(page);
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setScriptExecutionDisabled', { value: true });
    await walkForms(page, v4, from(path, 4));
    await page.waitForURL((url) => url.pathname === '/survey-thank-you/');
    expect(await deliveredLead(leadId)).toMatchObject(walkAnswers(path));
  });

  function first(path: FlowPath, count: number): FlowPath {
    return { ...path, steps: path.steps.slice(0, count) };
  }
  function from(path: FlowPath, index: number): FlowPath {
    return { ...path, steps: path.steps.slice(index) };
  }
  function walkAnswers(path: FlowPath) {
    return walk(v4, path.answers, contextOf(surveyOf('/survey/v4nv'))).answers;
  }
});
