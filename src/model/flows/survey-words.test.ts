import { expect, test } from 'vitest';
import { surveyRows } from '../../../tests/conformance/survey-rows.ts';
import { nextStep } from './engine/walk.ts';
import { unusualRules } from './survey-words.ts';
import { surveyFacts } from './surveys.ts';

test.each(surveyRows)(
  'unusualRules for $path names AutoAccidentCaseWorth exactly if the flow starts with this step',
  ({ survey, data }) => {
    const context = {
      today: { year: 2026, month: 11, day: 20 },
      survey: surveyFacts(survey),
      settings: { dateOfBirthStates: [] },
    };
    const starts = nextStep(data, data.start, {}, context) === 'AutoAccidentCaseWorth';
    expect(
      unusualRules(survey).includes('starts with AutoAccidentCaseWorth'),
      'Edit `caseWorthFlows` in src/model/flows/survey-words.ts',
    ).toBe(starts);
  },
);
