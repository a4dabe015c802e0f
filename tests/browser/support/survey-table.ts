import { type Survey, surveys, type Toggles } from '../../../src/model/flows/surveys.ts';

type Override = Partial<Omit<Survey, 'toggles'>> & { readonly toggles?: Partial<Toggles> };

/** Changes to the survey table of the server that all browser tests share. */
export const surveyOverrides: Readonly<Record<string, Override>> = {
  '/survey/v5': { toggles: { combinedLastStep: true } },
  '/survey/short-b': { asksTimeframe: true },
  '/survey/v6': { verifiesPhone: true },
  '/survey-sl': { verifiesPhone: true },
};

export const testSurveys: readonly Survey[] = surveys.map((survey) => {
  const { toggles, ...changes } = surveyOverrides[survey.path] ?? {};
  return { ...survey, ...changes, toggles: { ...survey.toggles, ...toggles } };
});
