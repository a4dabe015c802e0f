import { describe, expect, test } from 'vitest';
import type { Flow } from '../../flows/engine/flow.ts';
import { flowOf, type Survey, surveyAt } from '../../flows/surveys.ts';
import { lookOfSurvey } from './look-of-survey.ts';

const survey = surveyAt('/survey/v4nv') as Survey;
const flow: Flow = await flowOf(survey);

describe('the look of a survey', () => {
  test('its theme has a logo, and leaves the progress to the flow where it names none', () => {
    expect(lookOfSurvey(survey, flow)).toEqual({
      theme: 'default',
      logo: 'road',
      progress: 'stages',
    });
    expect(lookOfSurvey(survey, { ...flow, progress: 'percent' }).progress).toBe('percent');
  });

  test('a theme brings its own logo and progress', () => {
    expect(lookOfSurvey({ ...survey, theme: 'slate' }, flow)).toEqual({
      theme: 'slate',
      logo: 'word',
      progress: 'bar',
    });
  });

  test('the row’s own columns count before those of its theme', () => {
    const row: Survey = { ...survey, theme: 'slate', logo: 'arch', progress: 'dots' };
    expect(lookOfSurvey(row, flow)).toEqual({ theme: 'slate', logo: 'arch', progress: 'dots' });
  });
});
