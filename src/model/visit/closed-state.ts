import type { Answers } from '../fields/answers.ts';
import type { SurveyData } from './state.ts';

/** Returns the state whose rule keeps the lead from law firms (docs/specification.md#told-early). */
export function closedState(
  { survey, settings }: Pick<SurveyData, 'survey' | 'settings'>,
  answers: Answers,
  visitState: string | undefined,
): string | undefined {
  const mayChooseFirm = survey.buyers && answers['1_to_1_consent'] !== 'no';
  const closed = mayChooseFirm ? settings.prohibitedStates : settings.closedStates;
  return [answers.state ?? visitState, answers.state_accident_occurred].find(
    (state) => state !== undefined && closed.includes(state),
  );
}
