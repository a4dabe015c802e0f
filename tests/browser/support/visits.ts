import { randomInt } from 'node:crypto';
import { test as base, type Page } from '@playwright/test';
import { demoSite } from '../../../scripts/demo-site.ts';
import { askedFields } from '../../../src/model/fields/asked-fields.ts';
import { calendarDate } from '../../../src/model/fields/dates.ts';
import { type Flow, fieldsOf, stepOf } from '../../../src/model/flows/engine/flow.ts';
import type { WalkContext } from '../../../src/model/flows/engine/walk.ts';
import { flowOf, type Survey, surveyAt, surveyFacts } from '../../../src/model/flows/surveys.ts';
import type { FlowPath } from '../../../src/model/flows/test-support/paths.ts';
import { v4 } from '../../../src/model/flows/variants/v4.ts';
import { previewSteps, screenAddress } from '../../../src/web/site/preview.ts';
import { answeredSteps, disqualifiedWay, qualifiedWay } from '../../support/ways.ts';
import { demo } from './sandbox.ts';
import { testSurveys } from './survey-table.ts';
import { asVisitor } from './visitors.ts';

/** A Playwright test on the server that all tests share. */
export const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  baseURL: async ({}, use) => {
    await use(demo().url);
  },
});

export const today = calendarDate(new Date(), 'America/New_York');

/** A survey of the shared server, with the survey's flow. */
export type ServedSurvey = {
  readonly survey: Survey;
  readonly flow: Flow;
  readonly context: WalkContext;
};

/** Returns the survey at a path. Throws if the path has no survey. */
export function surveyOf(path: string): Survey {
  const survey = surveyAt(path, testSurveys);
  if (!survey) throw new Error(`no survey at ${path}`);
  return survey;
}

export function contextOf(survey: Survey): WalkContext {
  return { today, survey: surveyFacts(survey), settings: { dateOfBirthStates: [] } };
}

export async function servedSurvey(path: string): Promise<ServedSurvey> {
  const survey = surveyOf(path);
  return { survey, flow: await flowOf(survey), context: contextOf(survey) };
}

/** Begins with a random visitor, because a restarted test process must not reuse visitors. */
let visitors = randomInt(300);

/** Returns the path with a phone number and an e-mail address that no other test uses. */
export function newVisitor(flow: Flow, path: FlowPath): FlowPath {
  visitors += 1;
  const index = base.info().parallelIndex * 300 + (visitors % 300);
  return asVisitor(answeredSteps(flow, path), index);
}

/** Returns a new visitor's path through the v4 flow to a qualified lead. */
export function qualifyingPath(): FlowPath {
  return newVisitor(v4, qualifiedWay(v4, contextOf(surveyOf('/survey/v4nv'))));
}

/** Opens a survey by a link from `referer`, and waits until the survey's script is ready. */
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

/** Opens the preview of one step. */
export async function openStep(page: Page, path: string, step: string): Promise<void> {
  const steps = await previewSteps(surveyOf(path), demoSite(testSurveys));
  const at = steps.indexOf(step);
  if (at < 0) throw new Error(`no step ${step} at ${path}`);
  await page.goto(screenAddress(path, at));
}

/** One visitor's walk through a survey. */
export type Walk = ServedSurvey & {
  readonly title: string;
  readonly way: FlowPath;
  readonly isQualified: boolean;
};

const servedSurveys = await Promise.all(
  testSurveys.filter(({ verifiesPhone }) => !verifiesPhone).map(({ path }) => servedSurvey(path)),
);

/** For every survey without SMS codes, the walk of a qualified and of a disqualified visitor. */
export const allWalks: readonly Walk[] = servedSurveys.flatMap((served) => {
  const { survey, flow, context } = served;
  const walk = (isQualified: boolean, way: FlowPath) => {
    const who = isQualified ? 'a visitor who qualifies' : 'a visitor who does not';
    return { ...served, way, isQualified, title: `${survey.path}: ${who}` };
  };
  const disqualified = disqualifiedWay(flow, context)?.way;
  return [
    walk(true, qualifiedWay(flow, context)),
    ...(disqualified ? [walk(false, disqualified)] : []),
  ];
});

/** Returns true if the walk ends with a lead. */
export function sendsLead({ flow, way }: Walk): boolean {
  return way.steps.some((name) => stepOf(flow, name).submits === true);
}

/** Returns the step that stays on screen after the lead is sent, or undefined. */
export function lastStep({ flow, isQualified }: Walk): string | undefined {
  return isQualified ? undefined : flow.submit?.disqualifiedStep;
}

/** Returns the kinds of steps and fields in a walk. */
export function kindsIn({ flow, way }: Walk): string[] {
  return way.steps.flatMap((name) => {
    const step = stepOf(flow, name);
    const fields = fieldsOf(step).map((field) => askedFields[field].kind);
    return [`${step.kind} ${step.submits === true}`, ...fields];
  });
}
