import { expect, type Page } from '@playwright/test';
import { calendarDate } from '../../src/domain/dates.ts';
import type { Flow } from '../../src/flows/engine/flow.ts';
import type { FlowPath } from '../../src/flows/engine/paths.ts';
import { walk } from '../../src/flows/engine/walk.ts';
import { flowOf, type Survey, surveyAt, surveyFacts } from '../../src/flows/surveys.ts';
import { v4 } from '../../src/flows/variants/v4.ts';
import { flowsWithoutLead, type SurveyTableRow, surveyTable } from '../conformance/tables.ts';
import { answeredSteps, disqualifiedWay, qualifiedWay } from '../support/ways.ts';
import { openSurvey, qualifyingPath, test } from './support/journeys.ts';
import { expectDeliveredOnce, ingestBodies } from './support/sandbox-client.ts';
import { answerStep, expectStep } from './support/survey-page.ts';
import { testSurveys } from './support/survey-table.ts';
import { asVisitor } from './support/visitors.ts';

/**
 * Surveys where scripts do not arrive (docs/specification.md#without-javascript): in a browser without
 * JavaScript, and where the scripts are blocked, late, or lost on the way. What each lead has in it, field by
 * field, is held against the scripted one's in tests/integration/survey-forms.test.ts.
 */
const today = calendarDate(new Date(), 'America/New_York');

type Row = SurveyTableRow & { readonly survey: Survey; readonly flowData: Flow };

const rows: readonly Row[] = await Promise.all(
  surveyTable
    .filter(({ flow }) => !flowsWithoutLead.includes(flow))
    .map(async (row) => {
      const survey = surveyAt(row.path, testSurveys);
      if (!survey) throw new Error(`no survey at ${row.path}`);
      return { ...row, survey, flowData: await flowOf(survey) };
    }),
);

/** The lead of the visit, as the cookie of its browser says. */
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
    // Beside the slider stands a field for the number, where no script runs.
    if (dollars) await page.locator('[data-step] input[type=number]').fill(dollars);
    await answerStep(page, flow, step, own);
  }
}

/**
 * Surveys that differ in their numbers only are walked once: all of them, and what is in their leads, are in
 * tests/integration/survey-forms.test.ts.
 */
function kindOf({ survey, language }: Row): string {
  return JSON.stringify([survey.flow, language, survey.buyers, survey.asksTimeframe]);
}

const walkedOnce = [...new Map([...rows].reverse().map((row) => [kindOf(row), row])).values()];

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  for (const [index, row] of walkedOnce.entries()) {
    for (const kind of ['qualifies', 'does not'] as const) {
      test(`${row.path}: a visitor who ${kind}`, async ({ page }) => {
        const { flowData, survey } = row;
        const context = { today, survey: surveyFacts(survey), settings: { dateOfBirthStates: [] } };
        const found =
          kind === 'qualifies'
            ? qualifiedWay(flowData, context)
            : disqualifiedWay(flowData, context)?.way;
        if (!found) throw new Error(`${row.path} asks nothing that disqualifies`);
        const number = 600 + index * 2 + (kind === 'qualifies' ? 0 : 1);
        const way = asVisitor(answeredSteps(flowData, found), number);
        const { answers } = walk(flowData, way.answers, context);
        await page.goto(`${row.path}?s1=walk&gclid=g-1`);
        await walkForms(page, flowData, way);
        if (row.flow === 'one-page' && kind === 'does not') {
          await expectStep(page, flowData.submit?.disqualifiedStep ?? '');
        } else {
          await page.waitForURL((url) => url.pathname === row.thankYouPath);
        }
        const leadId = await leadOfCookie(page);
        await expectDeliveredOnce(leadId);
        const [body = {}] = await ingestBodies(leadId);
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
  }
});

test.describe('scripts that do not arrive', () => {
  const scripts = /\/_astro\/.*\.js/;

  test('blocked: the first tap brings the next question, the second sends both', async ({
    page,
  }) => {
    await page.route(scripts, (route) => route.abort());
    const path = qualifyingPath();
    await page.goto('/survey/v4nv?s1=abc');
    await walkForms(page, v4, path);
    await page.waitForURL((url) => url.pathname === '/survey-thank-you/');
    const leadId = await leadOfCookie(page);
    await expectDeliveredOnce(leadId);
    const [body = {}] = await ingestBodies(leadId);
    expect(body).toMatchObject(walkAnswers(path));
  });

  test('after the third question: the page goes on with what was posted', async ({ page }) => {
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
    expect(new URL(page.url()).pathname).toBe('/survey/v4nv');
    await expect(page.locator('#survey-visit')).toHaveCount(0);
    await walkForms(page, v4, from(path, 3));
    await page.waitForURL((url) => url.pathname === '/survey-thank-you/');
    await expectDeliveredOnce(leadId);
    const [body = {}] = await ingestBodies(leadId);
    expect(body).toMatchObject(walkAnswers(path));
  });

  test('lost in the middle: the forms go on with what the script saved', async ({ page }) => {
    const path = qualifyingPath();
    // What the script had not saved yet would be asked again.
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
    await expectDeliveredOnce(leadId);
    const [body = {}] = await ingestBodies(leadId);
    expect(body).toMatchObject(walkAnswers(path));
  });

  function first(path: FlowPath, count: number): FlowPath {
    return { ...path, steps: path.steps.slice(0, count) };
  }
  function from(path: FlowPath, index: number): FlowPath {
    return { ...path, steps: path.steps.slice(index) };
  }
  function walkAnswers(path: FlowPath) {
    const survey = surveyAt('/survey/v4nv');
    if (!survey) throw new Error('no survey');
    const context = { today, survey: surveyFacts(survey), settings: { dateOfBirthStates: [] } };
    return walk(v4, path.answers, context).answers;
  }
});
