/** What there is to preview: every screen of every survey, and what each may look like. */
import type { SiteSettings } from '../contract/site-settings.ts';
import { calendarDate } from '../domain/dates.ts';
import { type Flow, stepOf } from '../flows/engine/flow.ts';
import { allPaths } from '../flows/engine/paths.ts';
import { reachableSteps } from '../flows/engine/reach.ts';
import type { StepAnswers, WalkContext } from '../flows/engine/walk.ts';
import { flowOf, type Survey, surveyFacts, type Toggles } from '../flows/surveys.ts';

/** The toggles of a survey's look, as `toggle` names them. */
export const previewToggles = [
  'roundedButtons',
  'firstQuestionHeader',
  'lastStepHeader',
  'hidePercentSign',
  'hidePrivacyGuarantee',
  'socialProof',
] as const satisfies readonly (keyof Toggles)[];

/** More than any flow has. */
export const MOST_STEPS = 60;

/** The names of the steps that a survey can show, in the order of its flow; `step` counts them from 0. */
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
 * Answers that lead to a step by the shortest way there is, so that its screen shows how far one is then. Where
 * buttons alone do not lead there (a date, a state decides), those that lead to a question before it.
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

/** The address of one screen. */
export function screenAddress(survey: string, step: number): string {
  return `/preview/screen/?${new URLSearchParams({ survey, step: String(step) })}`;
}
