/** The surveys with their flows, loaded once. */
import type { Flow } from '../flows/engine/flow.ts';
import { flowVersion } from '../flows/engine/version.ts';
import type { WalkContext } from '../flows/engine/walk.ts';
import { barePath, flowOf, type Survey, surveyFacts } from '../flows/surveys.ts';

/** A survey with its flow. */
export type SurveyEntry = {
  readonly survey: Survey;
  readonly flow: Flow;
  /** `flowVersion` of the flow. */
  readonly flowVersion: string;
  readonly facts: WalkContext['survey'];
};

/** Returns the survey of a posted path, with or without a trailing slash. */
export type SurveyTable = (path: unknown) => SurveyEntry | undefined;

/** Loads the flows of all surveys. */
export async function loadSurveyTable(surveys: readonly Survey[]): Promise<SurveyTable> {
  const entries = new Map<string, SurveyEntry>();
  for (const survey of surveys) {
    const flow = await flowOf(survey);
    const facts = surveyFacts(survey);
    entries.set(survey.path, { survey, flow, flowVersion: flowVersion(flow), facts });
  }
  return (path) => {
    if (typeof path !== 'string' || path.length > 200) return undefined;
    return entries.get(barePath(path.trim()));
  };
}
