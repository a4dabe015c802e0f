/** The data of /preview/screen/: every screen of every survey, and the toggles of their look. */

import { calendarDate } from '../../model/fields/dates.ts';
import { type Flow, stepOf } from '../../model/flows/engine/flow.ts';
import { allPaths, reachableSteps } from '../../model/flows/engine/paths.ts';
import type { StepAnswers, WalkContext } from '../../model/flows/engine/walk.ts';
import { flowOf, type Survey, surveyFacts, type Toggles } from '../../model/flows/surveys.ts';
import type { SiteSettings } from '../../model/messages/site-settings.ts';

/** The values of the parameter `toggle`. */
export const previewToggles = [
  'roundedButtons',
  'firstQuestionHeader',
  'lastStepHeader',
  'hidePercentSign',
  'hidePrivacyGuarantee',
  'socialProof',
] as const satisfies readonly (keyof Toggles)[];

/** Upper bound of the steps of a flow. */
export const MOST_STEPS = 60;

/** Returns the steps that a survey can show, in flow order. The parameter `step` is an index into them. */
export async function previewSteps(
  survey: Survey,
  { site, timeZone }: { readonly site: SiteSettings; readonly timeZone: string },
): Promise<readonly string[]> {
  const flow = await flowOf(survey);
  const reached = reachableSteps(flow, {
    survey: surveyFacts(survey),
    today: calendarDate(new Date(), timeZone),
    settings: { dateOfBirthStates: site.dateOfBirthStates },
    state: undefined,
  });
  return Object.keys(flow.steps).filter((name) => reached.has(name));
}

/**
 * Returns answers that lead to a step on the shortest path, so that its screen shows realistic progress. If
 * buttons alone do not lead there, returns answers that lead to a preceding step.
 */
export function answersBefore(flow: Flow, context: WalkContext, step: string): StepAnswers {
  const [way] = allPaths(flow, context, () => undefined)
    .filter(({ steps }) => steps.includes(step))
    .sort((a, b) => a.steps.indexOf(step) - b.steps.indexOf(step));
  if (!way) {
    const before = Object.keys(flow.steps).find((name) =>
      stepOf(flow, name).next.some((edge) => (typeof edge === 'string' ? edge : edge.to) === step),
    );
    return before === undefined ? {} : answersBefore(flow, context, before);
  }
  const passed = way.steps.slice(0, way.steps.indexOf(step));
  return Object.fromEntries(passed.map((name) => [name, way.answers[name] ?? {}]));
}

/** Returns the address of one screen. */
export function screenAddress(survey: string, step: number): string {
  return `/preview/screen/?${new URLSearchParams({ survey, step: String(step) })}`;
}
