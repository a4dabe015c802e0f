import { hash } from 'node:crypto';
import type { Flow } from './engine/flow.ts';
import type { WalkContext } from './engine/walk.ts';
import { barePath, flowOf, type Survey, surveyFacts } from './surveys.ts';

/** A survey with its loaded flow. */
export type SurveyEntry = {
  readonly survey: Survey;
  readonly flow: Flow;
  readonly flowVersion: string;
  /** The survey's configuration in the form that the flow's conditions read. */
  readonly facts: WalkContext['survey'];
};

/** Returns the survey at a posted path, with or without a trailing slash. */
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

/** Returns the SHA-256 of the flow's data in base64url, which pages and server compute alike. */
export function flowVersion(flow: Flow): string {
  return hash('sha256', JSON.stringify(flow), 'base64url');
}
