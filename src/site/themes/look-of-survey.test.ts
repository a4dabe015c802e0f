import { describe, expect, test } from 'vitest';
import type { Flow } from '../../flows/engine/flow.ts';
import { flowOf, type Survey, surveyAt } from '../../flows/surveys.ts';
import { lookOfSurvey } from './look-of-survey.ts';

const survey = surveyAt('/survey/v4nv') as Survey;
const flow: Flow = await flowOf(survey);

describe('lookOfSurvey', () => {
  test('takes the logo from the theme and the progress from the flow', () => {
    expect(lookOfSurvey(survey, flow)).toEqual({
      theme: 'default',
      logo: 'road',
      progress: 'stages',
    });
    expect(lookOfSurvey(survey, { ...flow, progress: 'percent' }).progress).toBe('percent');
  });

  test('takes both logo and progress from a theme that has them', () => {
    expect(lookOfSurvey({ ...survey, theme: 'slate' }, flow)).toEqual({
      theme: 'slate',
      logo: 'word',
      progress: 'bar',
    });
  });

  test('prefers the survey’s row to its theme', () => {
    const row: Survey = { ...survey, theme: 'slate', logo: 'arch', progress: 'dots' };
    expect(lookOfSurvey(row, flow)).toEqual({ theme: 'slate', logo: 'arch', progress: 'dots' });
  });
});
