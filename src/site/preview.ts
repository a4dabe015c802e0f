/** What there is to preview: every screen of every survey, and what each may look like. */
import type { SiteSettings } from '../contract/site-settings.ts';
import { calendarDate } from '../domain/dates.ts';
import { reachableSteps } from '../flows/engine/reach.ts';
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

/** The address of one screen. */
export function screenAddress(survey: string, step: number): string {
  return `/preview/screen/?${new URLSearchParams({ survey, step: String(step) })}`;
}
