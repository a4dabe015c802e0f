import { expect, test } from 'vitest';
import type { Flow } from '../../model/flows/engine/flow.ts';
import { flowOf, type Survey, surveyAt } from '../../model/flows/surveys.ts';
import { lookOfSurvey } from './themes.ts';

const survey = surveyAt('/survey/v4nv') as Survey;
const flow: Flow = await flowOf(survey);

test.each<[string, Partial<Survey>, Partial<Flow>, object]>([
  ['the theme and the flow', {}, {}, { theme: 'default', logo: 'road', progress: 'stages' }],
  ['the flow', {}, { progress: 'percent' }, { progress: 'percent' }],
  ['a theme with both', { theme: 'slate' }, {}, { theme: 'slate', logo: 'word', progress: 'bar' }],
  [
    'the survey’s row before its theme',
    { theme: 'slate', logo: 'arch', progress: 'dots' },
    {},
    { theme: 'slate', logo: 'arch', progress: 'dots' },
  ],
])('lookOfSurvey takes logo and progress style from %s', (_, row, own, look) => {
  expect(lookOfSurvey({ ...survey, ...row }, { ...flow, ...own })).toMatchObject(look);
});
