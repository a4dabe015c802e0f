import { type Survey, surveys } from '../../../src/flows/surveys.ts';

/**
 * The surveys as the tests' server has them (global-setup.ts): /survey/v5 ends on the combined last
 * step, all else is as in the table.
 */
export const testSurveys: readonly Survey[] = surveys.map((survey) =>
  survey.path === '/survey/v5'
    ? { ...survey, toggles: { ...survey.toggles, combinedLastStep: true } }
    : survey,
);
