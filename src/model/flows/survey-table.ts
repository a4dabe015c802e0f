import { hash } from 'node:crypto';
import type { Flow } from './engine/flow.ts';
import type { WalkContext } from './engine/walk.ts';
import { barePath, flowOf, type Survey, surveyFacts } from './surveys.ts';

/** A survey with its flow. */
export type SurveyEntry = {
  readonly survey: Survey;
  readonly flow: Flow;
  /** Version of the flow, from `flowVersion()`. */
  readonly flowVersion: string;
  /** The survey's configuration, as the flow's conditions read it. */
  readonly facts: WalkContext['survey'];
};

/** Returns the survey of a posted path, with or without a trailing slash. */
export type SurveyTable = (path: unknown) => SurveyEntry | undefined;

/** Loads the flows of all surveys, once. */
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

/** Returns a flow's version: the SHA-256 of its data in base64url. Pages and server get the same value. */
export function flowVersion(flow: Flow): string {
  return hash('sha256', JSON.stringify(flow), 'base64url');
}
