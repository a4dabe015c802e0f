import { expect, type Page } from '@playwright/test';
import { calendarDate } from '../../src/domain/dates.ts';
import { allPaths, type FlowPath } from '../../src/flows/engine/paths.ts';
import { testSamples, typedAnswers } from '../../src/flows/engine/test-samples.ts';
import { type Survey, surveyAt, surveyFacts } from '../../src/flows/surveys.ts';
import { v4 } from '../../src/flows/variants/v4.ts';
import { hitAndRunAddition } from '../support/ways.ts';
import { ONLY_ON_PHONE, openSurvey, test } from './support/journeys.ts';
import { collectErrors, examineBothSizes } from './support/page-errors.ts';
import { expectDeliveredOnce, ingestBodies, violations } from './support/sandbox-client.ts';
import { walkSurvey, walkSurveyFast, watchLeadId } from './support/survey-page.ts';
import { testSurveys } from './support/survey-table.ts';
import { asVisitor } from './support/visitors.ts';

/**
 * The v4 flow, in both languages, to a stored and delivered lead. A few paths, walked tap by tap at both
 * sizes, cover every step. `npm test -- every-path` walks every path from inside the page, alternating
 * between the sizes. tests/conformance/every-path.test.ts walks them all without a browser.
 */
const today = calendarDate(new Date(), 'America/New_York');

/** Surveys that together show every branch; tests/conformance/surveys.test.ts checks that no path is missing. */
const walked = ['/survey/v4nv', '/survey/v5', '/survey/v4nv-es'].map((path) => {
  const survey = surveyAt(path, testSurveys);
  if (!survey) throw new Error(`no survey at ${path}`);
  const context = { today, survey: surveyFacts(survey), settings: { dateOfBirthStates: [] } };
  return { survey, paths: allPaths(v4, context, testSamples(today)) };
});

/** Returns few paths that together pass every step: longest first, each adding a new step. */
function coveringPaths(paths: readonly FlowPath[]): FlowPath[] {
  const seen = new Set<string>();
  return [...paths]
    .sort((a, b) => b.steps.length - a.steps.length)
    .filter((path) => {
      const isNew = path.steps.some((step) => !seen.has(step));
      for (const step of path.steps) seen.add(step);
      return isNew;
    });
}

/** After the last button: the thank-you page, and the lead delivered once with its text. */
async function expectArrival(page: Page, survey: Survey, id: string, way: FlowPath): Promise<void> {
  await page.waitForURL(`**${survey.thankYouPath}?**`);
  await expectDeliveredOnce(id);
  const [body] = await ingestBodies(id);
  expect(body?.case_description).toBe(typedAnswers.case_description + hitAndRunAddition(way));
}

const looked = new Set<string>();

for (const { survey, paths } of walked) {
  for (const [index, path] of coveringPaths(paths).entries()) {
    const title = `${survey.path}: every step has no violation, path ${index + 1}`;
    // An earlier walk in this language has examined the same screens.
    const isNew = new Set(path.steps.filter((step) => !looked.has(`${survey.language} ${step}`)));
    for (const step of isNew) looked.add(`${survey.language} ${step}`);
    // This test sets both sizes itself.
    test(title, { tag: ONLY_ON_PHONE }, async ({ page }) => {
      test.setTimeout(120_000);
      const errors = collectErrors(page);
      const leadId = await watchLeadId(page);
      const way = asVisitor(path, index);
      await page.goto(`${survey.path}?s1=every-step`);
      await walkSurvey(page, v4, way, async (step) => {
        const what = `${survey.language} ${step}`;
        if (isNew.has(step)) await examineBothSizes(page, what);
      });
      await expectArrival(page, survey, leadId(), way);
      await examineBothSizes(page, 'thank-you');
      expect(errors).toEqual([]);
    });
  }

  const pathsPerTest = 27;
  for (let first = 0; first < paths.length; first += pathsPerTest) {
    const group = paths.slice(first, first + pathsPerTest);
    const title = `${survey.path}: paths ${first + 1} to ${first + group.length}`;
    test(title, { tag: '@every-path' }, async ({ page, isMobile }) => {
      test.setTimeout(180_000);
      const errors = collectErrors(page);
      const leadId = await watchLeadId(page);
      // The partner's tab has its own tests (surveys.spec.ts, endings.spec.ts). Hundreds would cost minutes.
      await page.addInitScript(() => {
        window.open = () => null;
      });
      for (const [index, path] of group.entries()) {
        // The Spanish survey has few paths: all run at both sizes.
        if (survey.language === 'en' && (index % 2 === 0) !== isMobile) continue;
        const way = asVisitor(path, first + index);
        // Taps from inside the page are fast: before the script is ready, two would count as a double tap.
        await openSurvey(page, `${survey.path}?s1=every-path`);
        await walkSurveyFast(page, v4, way);
        await expectArrival(page, survey, leadId(), way);
        expect(errors, way.steps.join(' > ')).toEqual([]);
      }
    });
  }
}

test.afterAll(async () => {
  expect(await violations()).toEqual([]);
});
