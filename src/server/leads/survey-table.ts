/** What the use cases know of each survey, looked up once. */
import type { Flow } from '../../flows/engine/flow.ts';
import type { WalkContext } from '../../flows/engine/walk.ts';
import { flowLoaders, type Survey, surveyAt, surveyFacts } from '../../flows/surveys.ts';

/** A survey with its flow. */
export type SurveyEntry = {
  readonly survey: Survey;
  readonly flow: Flow;
  readonly facts: WalkContext['survey'];
};

/** Finds the survey of a posted path, with or without a trailing slash. */
export type SurveyTable = (path: unknown) => SurveyEntry | undefined;

/** Loads the flows of all surveys. */
export async function loadSurveyTable(surveys: readonly Survey[]): Promise<SurveyTable> {
  const entries = new Map<string, SurveyEntry>();
  for (const survey of surveys) {
    const flow: Flow = await flowLoaders[survey.flow]();
    entries.set(survey.path, { survey, flow, facts: surveyFacts(survey) });
  }
  return (path) => {
    if (typeof path !== 'string' || path.length > 200) return undefined;
    const survey = surveyAt(path.trim(), surveys);
    return survey && entries.get(survey.path);
  };
}
