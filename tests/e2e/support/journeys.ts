import { test as base, type Page } from '@playwright/test';
import { demoSite } from '../../../scripts/demo-site.ts';
import { calendarDate } from '../../../src/domain/dates.ts';
import { allPaths, type FlowPath } from '../../../src/flows/engine/paths.ts';
import { dateAnswers, testSamples } from '../../../src/flows/engine/test-samples.ts';
import { surveyAt, surveyFacts } from '../../../src/flows/surveys.ts';
import { v4 } from '../../../src/flows/variants/v4.ts';
import { previewSteps, screenAddress } from '../../../src/site/preview.ts';
import { testSurveys } from './survey-table.ts';
import { asVisitor } from './visitors.ts';

/** Browser tests whose base address is the tests' server. */
export const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  baseURL: async ({}, use) => {
    await use(process.env.E2E_BASE_URL ?? '');
  },
});

/** The tag of a test that the desktop project skips (playwright.config.ts). */
export const ONLY_ON_PHONE = ['@only-on-phone'];

const today = calendarDate(new Date(), 'America/New_York');

function pathsOf(surveyPath: string): FlowPath[] {
  const survey = surveyAt(surveyPath);
  if (!survey) throw new Error(`no survey at ${surveyPath}`);
  const context = { today, survey: surveyFacts(survey), settings: { dateOfBirthStates: [] } };
  return allPaths(v4, context, testSamples(today));
}

let visitors = 0;

/** Phone numbers from index 900 belong to these journeys; every-path.spec.ts uses those below. */
function nextVisitor(): number {
  visitors += 1;
  const { parallelIndex } = base.info();
  return 900 + parallelIndex * 50 + (visitors % 50);
}

/** Returns the shortest path to a qualified lead: hurt, treated, not at fault, no lawyer. */
export function qualifyingPath(surveyPath = '/survey/v4nv'): FlowPath {
  const aside = [
    'WillingToTreat',
    'ActiveInsurancePolicy',
    'ConfirmationHasLawyer',
    'HitAndRunIdentified',
  ];
  const path = pathsOf(surveyPath).find(
    ({ steps }) =>
      steps.includes('DidYouReceiveMedicalTreatment') &&
      !aside.some((step) => steps.includes(step)),
  );
  if (!path) throw new Error('no qualifying path');
  return asVisitor(
    {
      steps: path.steps,
      answers: {
        ...path.answers,
        // Long enough ago that no rule for recent accidents changes an answer.
        WhenWasTheAccident: dateAnswers(today, 200),
        AtFault: { at_Fault: 'no' },
        DidYouReceiveMedicalTreatment: { doctor_treatment: 'yes' },
        HasLawyer: { with_Lawyer: 'no' },
      },
    },
    nextVisitor(),
  );
}

/** Returns a path to a lead that the first rule disqualifies: the visitor has a lawyer. */
export function lawyerPath(surveyPath = '/survey/v4nv-es'): FlowPath {
  const path = qualifyingPath(surveyPath);
  return { steps: path.steps, answers: { ...path.answers, HasLawyer: { with_Lawyer: 'yes' } } };
}

/** Opens a survey, as linked from `referer`, and waits until its script is ready. */
export async function openSurvey(
  page: Page,
  address = '/survey/v4nv?s1=abc&gclid=x',
  referer?: string,
): Promise<void> {
  const ready = page.waitForEvent('console', (message) => message.text() === 'test: survey ready');
  await page.addInitScript(() => {
    window.addEventListener('survey:step', () => console.log('test: survey ready'), { once: true });
  });
  await page.goto(address, referer === undefined ? {} : { referer });
  await ready;
}

/** Opens the preview of one step, which has no script. */
export async function openStep(page: Page, path: string, step: string): Promise<void> {
  const survey = surveyAt(path, testSurveys);
  if (!survey) throw new Error(`no survey at ${path}`);
  const steps = await previewSteps(survey, demoSite(testSurveys));
  const at = steps.indexOf(step);
  if (at < 0) throw new Error(`no step ${step} at ${path}`);
  await page.goto(screenAddress(path, at));
}
