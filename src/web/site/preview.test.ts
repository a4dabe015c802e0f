import { expect, test } from 'vitest';
import { demoSite } from '../../../scripts/demo-site.ts';
import { calendarDate } from '../../model/fields/dates.ts';
import { walk } from '../../model/flows/engine/walk.ts';
import { flowOf, surveyFacts, surveys } from '../../model/flows/surveys.ts';
import { answersBefore, previewSteps } from './preview.ts';

test('answersBefore returns answers that lead away from the first step', async () => {
  const locals = demoSite(surveys);
  for (const survey of surveys) {
    const flow = await flowOf(survey);
    const context = {
      survey: surveyFacts(survey),
      today: calendarDate(new Date(), locals.timeZone),
      settings: { dateOfBirthStates: locals.site.dateOfBirthStates },
      state: undefined,
    };
    for (const step of await previewSteps(survey, locals)) {
      const { steps } = walk(flow, answersBefore(flow, context, step), context, step);
      expect(steps.length > 1, `${survey.path} ${step}`).toBe(step !== flow.start);
      // answersBefore invents no typed answers, so it reaches only some steps.
      if (step === 'HasLawyer' || step === 'NameAndEmail') expect(steps.at(-1)).toBe(step);
    }
  }
});
