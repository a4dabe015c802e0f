import { randomInt } from 'node:crypto';
import { test as base, type Page } from '@playwright/test';
import { demoSite } from '../../../scripts/demo-site.ts';
import { calendarDate } from '../../../src/domain/dates.ts';
import type { Flow } from '../../../src/flows/engine/flow.ts';
import type { FlowPath } from '../../../src/flows/engine/paths.ts';
import type { WalkContext } from '../../../src/flows/engine/walk.ts';
import { flowOf, type Survey, surveyAt, surveyFacts } from '../../../src/flows/surveys.ts';
import { v4 } from '../../../src/flows/variants/v4.ts';
import { previewSteps, screenAddress } from '../../../src/site/preview.ts';
import { answeredSteps, qualifiedWay } from '../../support/ways.ts';
import { testSurveys } from './survey-table.ts';
import { asVisitor } from './visitors.ts';

/** Returns `test` with the address of a server (global-setup.ts) as its base address. */
function testAt(variable: 'E2E_BASE_URL' | 'E2E_UNUSUAL_URL') {
  return base.extend({
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    baseURL: async ({}, use) => {
      await use(process.env[variable] ?? '');
    },
  });
}

export const test = testAt('E2E_BASE_URL');
/** Tests on the server with unusual settings. */
export const unusualTest = testAt('E2E_UNUSUAL_URL');

export const today = calendarDate(new Date(), 'America/New_York');

/** A survey as the usual server runs it, with its flow. */
export type Journey = {
  readonly survey: Survey;
  readonly flow: Flow;
  readonly context: WalkContext;
};

/** @throws if the path has no survey */
export function surveyOf(path: string): Survey {
  const survey = surveyAt(path, testSurveys);
  if (!survey) throw new Error(`no survey at ${path}`);
  return survey;
}

export function contextOf(survey: Survey): WalkContext {
  return { today, survey: surveyFacts(survey), settings: { dateOfBirthStates: [] } };
}

/** @param context what differs from the usual */
export async function journeyAt(
  path: string,
  context: Partial<WalkContext> = {},
): Promise<Journey> {
  const survey = surveyOf(path);
  return { survey, flow: await flowOf(survey), context: { ...contextOf(survey), ...context } };
}

/** Another number at each start, because a worker starts again after a failure. */
let visitors = randomInt(300);

/** Returns the path as a visitor that no other test uses, with only what a visitor answers. */
export function newVisitor(flow: Flow, path: FlowPath): FlowPath {
  visitors += 1;
  const index = base.info().parallelIndex * 300 + (visitors % 300);
  return asVisitor(answeredSteps(flow, path), index);
}

/** Returns a new visitor's path through v4 to a qualified lead. */
export function qualifyingPath(): FlowPath {
  return newVisitor(v4, qualifiedWay(v4, contextOf(surveyOf('/survey/v4nv'))));
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
  const steps = await previewSteps(surveyOf(path), demoSite(testSurveys));
  const at = steps.indexOf(step);
  if (at < 0) throw new Error(`no step ${step} at ${path}`);
  await page.goto(screenAddress(path, at));
}
