import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { calendarDate } from '../../src/domain/dates.ts';
import { allPaths, type FlowPath } from '../../src/flows/engine/paths.ts';
import { testSamples, typedAnswers } from '../../src/flows/engine/test-samples.ts';
import { type Survey, surveyAt, surveyFacts, surveys } from '../../src/flows/surveys.ts';
import { v4 } from '../../src/flows/variants/v4.ts';
import { expectDeliveredOnce, ingestBodies, violations } from './support/sandbox-client.ts';
import { expectStep, walkSurvey, watchLeadId } from './support/survey-page.ts';
import { asVisitor } from './support/visitors.ts';

/**
 * Issue 2, "It must show" 2: every path of the v4 flow, in both languages, to a stored and delivered
 * lead, with no accessibility violation on any step. Every path is walked once at one of the two
 * sizes, alternating; every step is examined once a language and size.
 */
const today = calendarDate(new Date(), 'America/New_York');

/** The settings of the tests' server (global-setup.ts): /survey/v5 ends on the combined last step. */
const table: readonly Survey[] = surveys.map((survey) =>
  survey.path === '/survey/v5'
    ? { ...survey, toggles: { ...survey.toggles, combinedLastStep: true } }
    : survey,
);

/** The surveys that between them show every branch: numbers of paths are checked in v4.test.ts. */
const walked = ['/survey/v4nv', '/survey/v5', '/survey/v4nv-es'] as const;
const pathsPerTest = 9;

// Slides are tested in motion.spec.ts; here every millisecond counts 324 times.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

const examined = new Set<string>();

async function examine(page: Page, language: string, step: string): Promise<void> {
  const key = `${language} ${step}`;
  if (examined.has(key)) return;
  examined.add(key);
  const { violations: found } = await new AxeBuilder({ page }).analyze();
  expect(
    found.map((violation) => `${violation.id}: ${violation.nodes[0]?.html}`),
    `${language} ${step}`,
  ).toEqual([]);
}

let visitor = 0;
for (const path of walked) {
  const survey = surveyAt(path, table);
  if (!survey) throw new Error(`no survey at ${path}`);
  const context = { today, survey: surveyFacts(survey), settings: { dateOfBirthStates: [] } };
  const paths = allPaths(v4, context, testSamples(today));
  for (let first = 0; first < paths.length; first += pathsPerTest) {
    const group = paths.slice(first, first + pathsPerTest);
    const base = visitor;
    visitor += group.length;
    test(`${path}: paths ${first + 1} to ${first + group.length}`, async ({ browser }, info) => {
      test.setTimeout(120_000);
      const isPhone = info.project.name === 'phone';
      // The Spanish survey has few paths: all of them at both sizes.
      const mine = group
        .map((way, index) => ({ way, visitor: base + index }))
        .filter((_, index) => survey.language === 'es' || (index % 2 === 0) === isPhone);
      for (const { way, visitor: number } of mine) {
        await walkToDelivery(browser, survey, asVisitor(way, number + (isPhone ? 0 : 500)));
      }
    });
  }
}

async function walkToDelivery(
  browser: import('@playwright/test').Browser,
  survey: Survey,
  way: FlowPath,
): Promise<void> {
  const size = test.info().project.use;
  const context = await browser.newContext({
    baseURL: process.env.E2E_BASE_URL ?? '',
    reducedMotion: 'reduce',
    viewport: size.viewport ?? null,
    isMobile: size.isMobile ?? false,
    hasTouch: size.hasTouch ?? false,
  });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  const leadId = await watchLeadId(page);
  await page.goto(`${survey.path}?s1=every-path`);
  await walkSurvey(page, v4, way, async (step) => {
    await examine(page, survey.language, step);
  });
  await page.waitForURL(`**${survey.thankYouPath}?**`);
  await expectDeliveredOnce(leadId());
  const [body] = await ingestBodies(leadId());
  expect(body?.case_description).toBe(typedAnswers.case_description + expectedAddition(way));
  await examine(page, survey.language, 'thank-you');
  expect(errors, way.steps.join(' > ')).toEqual([]);
  await context.close();
}

/** What document 2, section 4, has appended to the description after a hit and run. */
function expectedAddition(way: FlowPath): string {
  if (way.answers.HitAndRunIdentified?.hit_and_run_identified === 'yes') {
    return ' -- the driver was identified';
  }
  const isInsured = way.answers.UninsuredMotoristCoverage?.uninsured_motorist_coverage === 'yes';
  return isInsured ? ' -- plaintiff has UM insurance' : '';
}

test('the first step of the surveys that start with the case worth', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: process.env.E2E_BASE_URL ?? '' });
  const page = await context.newPage();
  await page.goto('/survey/v4');
  await page.locator('[data-step=StartPath] button').first().click();
  await expectStep(page, 'AutoAccidentCaseWorth');
  await examine(page, 'en', 'AutoAccidentCaseWorth');
  await context.close();
});

test.afterAll(async () => {
  expect(await violations()).toEqual([]);
});
