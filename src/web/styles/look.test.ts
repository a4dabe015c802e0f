import { expect, test } from 'vitest';
import type { Flow } from '../../model/flows/engine/flow.ts';
import { flowOf, type Survey, surveyAt } from '../../model/flows/surveys.ts';
import { lookOfSurvey } from './themes.ts';

const survey = surveyAt('/survey/v4nv') as Survey;
const flow: Flow = await flowOf(survey);

test.each<[string, Partial<Survey>, Partial<Flow>, object]>([
  [
    'a survey without its own logo and progress style',
    {},
    {},
    { theme: 'default', logo: 'road', progress: 'stages' },
  ],
  ['a flow with its own progress style', {}, { progress: 'percent' }, { progress: 'percent' }],
  [
    'a theme with its own progress style',
    { theme: 'slate' },
    {},
    { theme: 'slate', logo: 'word', progress: 'bar' },
  ],
  [
    'a survey with its own logo and progress style',
    { theme: 'slate', logo: 'arch', progress: 'dots' },
    {},
    { theme: 'slate', logo: 'arch', progress: 'dots' },
  ],
])('lookOfSurvey returns the look of %s', (_, row, own, look) => {
  expect(lookOfSurvey({ ...survey, ...row }, { ...flow, ...own })).toMatchObject(look);
});
