import type { Answers } from '../../model/fields/answers.ts';
import { calendarDate } from '../../model/fields/dates.ts';
import { edgeTarget, type Flow, stepOf } from '../../model/flows/engine/flow.ts';
import { reachableSteps } from '../../model/flows/engine/reach.ts';
import { nextStep, type StepAnswers, type WalkContext } from '../../model/flows/engine/walk.ts';
import { flowOf, type Survey, surveyFacts } from '../../model/flows/surveys.ts';
import type { SiteSettings } from '../../model/messages/site-settings.ts';

/** Returns the steps that a survey can show, in flow order. `?step=` is an index of this list. */
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

/** Returns answers that lead to `step`, or towards it if a step before it needs typed answers. */
export function answersBefore(flow: Flow, context: WalkContext, step: string): StepAnswers {
  const queue: { name: string; given: StepAnswers; all: Answers }[] = [
    { name: flow.start, given: {}, all: {} },
  ];
  const seen = new Set<string>();
  for (const { name, given, all } of queue) {
    if (name === step) return given;
    if (seen.has(name)) continue;
    seen.add(name);
    const { choices = [], sets } = stepOf(flow, name);
    for (const own of choices.length > 0 ? choices : [{}]) {
      const merged = { ...all, ...sets, ...own };
      const next = nextStep(flow, name, merged, context);
      if (next) queue.push({ name: next, given: { ...given, [name]: own }, all: merged });
    }
  }
  const before = Object.keys(flow.steps).find((name) =>
    stepOf(flow, name).next.some((edge) => edgeTarget(edge) === step),
  );
  return before === undefined ? {} : answersBefore(flow, context, before);
}

/** Returns the URL of one screen. */
export function screenAddress(survey: string, step: number): string {
  return `/preview/screen/?${new URLSearchParams({ survey, step: String(step) })}`;
}
