import { type Survey, surveys } from '../../../src/flows/surveys.ts';

/**
 * The surveys as the tests' server has them (global-setup.ts): /survey/v5 ends on the combined last
 * step, /survey/short-b asks the accident timeframe, all else is as in the table.
 */
export const testSurveys: readonly Survey[] = surveys.map((survey) => {
  if (survey.path === '/survey/v5') {
    return { ...survey, toggles: { ...survey.toggles, combinedLastStep: true } };
  }
  return survey.path === '/survey/short-b' ? { ...survey, asksTimeframe: true } : survey;
});
