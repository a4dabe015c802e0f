import { hash } from 'node:crypto';
import type { Flow } from './engine/flow.ts';
import type { WalkContext } from './engine/walk.ts';
import { barePath, flowOf, type Survey, surveyFacts } from './surveys.ts';

/** A survey with its flow. */
export type SurveyEntry = {
  readonly survey: Survey;
  readonly flow: Flow;
  readonly flowVersion: string;
  /** The configuration that the flow's conditions read. */
  readonly facts: WalkContext['survey'];
};

/** Returns the survey at a path. */
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

/** Returns the SHA-256 of the flow's data in base64url. */
export function flowVersion(flow: Flow): string {
  return hash('sha256', JSON.stringify(flow), 'base64url');
}
