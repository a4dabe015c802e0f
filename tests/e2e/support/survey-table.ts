import { type Survey, surveys } from '../../../src/flows/surveys.ts';

/**
 * The surveys with the tests' server's settings (global-setup.ts): /survey/v5 ends on the combined last step,
 * and /survey/short-b asks the accident timeframe.
 */
export const testSurveys: readonly Survey[] = surveys.map((survey) => {
  if (survey.path === '/survey/v5') {
    return { ...survey, toggles: { ...survey.toggles, combinedLastStep: true } };
  }
  return survey.path === '/survey/short-b' ? { ...survey, asksTimeframe: true } : survey;
});
